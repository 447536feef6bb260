"""What is said of a command that ran: how it ended, what it printed, how long it took, who ran it and why."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from terma.agent.chat.deeds.asked import About
from terma.agent.chat.deeds.record import PERSON, TERMA, Deed, Record
from terma.agent.chat.exit_statuses import meaning
from terma.output import digest
from terma.output.shorten import troubles
from terma.text import FENCE, one_line

MAX_LISTED = 10  # commands that are listed
SHOWN = 2_000  # characters of an output that is shown again


def name(command: str) -> str:
    return f"`{one_line(command, 200)}`"


def ended(deed: Deed) -> str:
    """How a command went, in a sentence."""
    if deed.status < 0:
        return f"How {name(deed.command)} ended is not known."
    if deed.status == 0:
        return f"{name(deed.command)} worked: exit status 0."
    return f"{name(deed.command)} ended with exit status {deed.status}."


def how_it_went(deed: Deed) -> str:
    """The same, and where the end is not known, what it printed: that may tell."""
    known = deed.status >= 0 or not (deed.output or "").strip()
    return ended(deed) if known else f"{ended(deed)} {printed(deed)}"


def printed(deed: Deed) -> str:
    if deed.output is None:
        return f"What {name(deed.command)} printed is not kept here."
    if not deed.output.strip():
        return f"{name(deed.command)} printed nothing."
    text = deed.output.strip("\n")
    shown = digest(text, SHOWN, SHOWN // 4, SHOWN // 2) if len(text) > SHOWN else text
    return f"{name(deed.command)} printed:\n\n```\n{shown.replace('```', FENCE)}\n```"


def may_have_failed(deed: Deed) -> bool:
    """Whether it failed, or is not known to have worked and printed what looks like an error."""
    return deed.status > 0 or (deed.status < 0 and bool(troubles(deed.output or "")))


def not_run(deed: Deed) -> str:
    return f"{name(deed.command)} was proposed, and not run."


def commands(count: int) -> str:
    return "1 command" if count == 1 else f"{count} commands"


def listed(deeds: Sequence[Deed]) -> str:
    def how(deed: Deed) -> str:
        return (
            ""
            if deed.status < 0
            else " worked"
            if not deed.status
            else f" ended with exit status {deed.status}"
        )

    return "\n".join(f"- {name(deed.command)}{how(deed)}" for deed in deeds[-MAX_LISTED:])


def duration(deed: Deed) -> str:
    if deed.seconds >= 60:
        return f"{int(deed.seconds // 60)} min {int(deed.seconds % 60)} s"
    if deed.seconds >= 0:
        return f"{deed.seconds:.1f} s"
    return "less than a second" if deed.by == TERMA and deed.status >= 0 else ""


def _duration(deed: Deed, known: Record) -> str:
    took = duration(deed)
    return (
        f"{name(deed.command)} took {took}."
        if took
        else f"How long {name(deed.command)} took is not known here."
    )


def _when(deed: Deed, known: Record) -> str:
    at = known.deeds.index(deed) + 1
    place = (
        f"number {at} of the {len(known.deeds)} commands that I know of"
        if known.whole
        else "only their order"
    )
    return f"The time of {name(deed.command)} is not kept here; it was {place}."


def _who(deed: Deed, known: Record) -> str:
    if deed.by == TERMA:
        return f"I proposed {name(deed.command)}, you approved it, and it ran in your shell."
    if deed.by == PERSON:
        return f"You ran {name(deed.command)} yourself."
    return f"{name(deed.command)} was run in your terminal; I did not run it."


def _undo(deed: Deed, known: Record) -> str:
    return (
        f"I cannot take back what {name(deed.command)} did, if it changed anything: say what should be done now. "
        "(`/undo` forgets the last question; it changes nothing on the disk.)"
    )


def _asking_why(deed: Deed, known: Record) -> str:
    if deed.by == TERMA and deed.wish:
        return (
            f"You asked: {one_line(deed.wish, 200)} - I proposed {name(deed.command)}, and you approved it."
        )
    return _who(deed, known)


OF_ONE: dict[About, Callable[[Deed, Record], str]] = {
    "status": lambda deed, known: how_it_went(deed),
    "meaning": lambda deed, known: (
        how_it_went(deed) if deed.status < 0 else f"{ended(deed)} {meaning(deed.status)}"
    ),
    "output": lambda deed, known: printed(deed),
    "duration": _duration,
    "when": _when,
    "who": _who,
    "ran": lambda deed, known: f"Yes: {ended(deed)}",
    "undo": _undo,
    "why_ours": _asking_why,
}
