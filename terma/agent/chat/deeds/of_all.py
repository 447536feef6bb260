"""What is said of the commands together: how many, which of them failed, what was proposed, approved or refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from terma.agent.chat.deeds.asked import About, Asked
from terma.agent.chat.deeds.of_one import MAX_LISTED, commands, duration, ended, listed, name, not_run
from terma.agent.chat.deeds.record import REFUSED, TERMA, Deed, Record
from terma.text import one_line

UNKNOWN = "I know of no command that ran here."


def _count(asked: Asked, known: Record) -> str:
    words = asked.words
    badly = words.has("fail") or words.has("no")  # how many failed, or did not work
    if words.named:
        ran = [deed for deed in words.named if deed.by != REFUSED]
        if words.has("fail", "work"):
            return _how_many_ended(ran, f"{len(ran)} that I know of", badly)
        which = f"{name(words.named[-1].command)} ran, or one like it."
        return f"I know of {len(ran)} time{'s' * (len(ran) != 1)} that {which}"
    ours = words.has("you")
    deeds = [deed for deed in known.deeds if deed.by == TERMA or not ours]
    which = "that I proposed and you approved" if ours else "that I know of"
    if words.has("fail", "work"):
        return _how_many_ended(deeds, f"{commands(len(deeds))} {which}", badly)
    if not deeds:
        return f"None {which}." if known.deeds else UNKNOWN
    return f"{len(deeds)} {which}:\n\n{listed(deeds)}"


def _how_many_ended(deeds: Sequence[Deed], which: str, badly: bool) -> str:
    """How many of them failed, or worked; of those whose end nobody told, that."""
    found = sum(deed.status > 0 if badly else deed.status == 0 for deed in deeds)
    unknown = sum(deed.status < 0 for deed in deeds)
    said = f"{found} of the {which} {'failed' if badly else 'worked'}."
    return f"{said} How {unknown} of them ended is not known." if unknown else said


def _ours(asked: Asked, known: Record) -> str:
    ours = [deed for deed in known.deeds if deed.by == TERMA]
    refused = [f"- proposed, and not run: {name(deed.command)}" for deed in known.refused[-MAX_LISTED:]]
    if not ours and not known.used:
        said = "Nothing: no command that I proposed has run here."
        return "\n".join([said, "", *refused]) if refused else said
    rows = [listed(ours), *(f"- {name(call)}" for call in known.used[-MAX_LISTED:])]
    said = "What I proposed and you approved:\n\n" + "\n".join([row for row in rows if row] + refused)
    named = [
        command
        for command in (*(deed.command for deed in ours), *known.used)
        if asked.thing in command.lower()
    ]
    return f"{said}\n\n`{asked.thing}` is named by none of it." if asked.thing and not named else said


def _asked_list(asked: Asked, known: Record) -> str:
    if not known.asked:
        return "This is the first thing that you ask here."
    if asked.words.nth and asked.words.nth <= len(known.asked):
        return f"- {one_line(known.asked[asked.words.nth - 1], 200)}"
    if asked.words.has("last"):
        return f"- {one_line(known.asked[-1], 200)}"
    return "\n".join(f"- {one_line(question, 200)}" for question in known.asked[-MAX_LISTED:])


def _refused(asked: Asked, known: Record) -> str:
    if asked.words.named:
        return _approved(asked, known)
    rows = [f"- {name(deed.command)}" for deed in known.refused[-MAX_LISTED:]]
    return (
        "\n".join(["What was proposed and not run:", "", *rows])
        if rows
        else "Nothing proposed here was refused."
    )


def _approved(asked: Asked, known: Record) -> str:
    ours = [deed for deed in known.deeds if deed.by == TERMA]
    if asked.words.named:
        meant = [deed for deed in asked.words.named if deed.by in (TERMA, REFUSED)]
        return "\n".join(f"- {not_run(one) if one.by == REFUSED else ended(one)}" for one in meant) or (
            f"{name(asked.words.named[-1].command)} was not proposed by me."
        )
    return listed(ours) if ours else "You approved nothing here so far."


def _failed(asked: Asked, known: Record) -> str:
    failed = [deed for deed in asked.words.named or known.deeds if deed.status > 0]
    if not failed:
        return "None that is known here, of those whose exit status is known."
    if asked.words.nth or (asked.words.has("last") and asked.words.number < 0):
        at = asked.words.nth - 1 if asked.words.nth else -1
        failed = [failed[at]] if at < len(failed) else failed
    return "\n".join(f"- {ended(deed)}" for deed in failed[-MAX_LISTED:])


def _worked(asked: Asked, known: Record) -> str:
    fine = [deed for deed in known.deeds if deed.status == 0]
    return listed(fine) if fine else "None that is known here, of those whose exit status is known."


def _all_well(asked: Asked, known: Record) -> str:
    if not known.deeds:
        return UNKNOWN
    bad = [deed for deed in known.deeds if deed.status != 0]
    if bad:
        return "\n".join(f"- {ended(deed)}" for deed in bad[-MAX_LISTED:])
    count = len(known.deeds)
    return ended(known.deeds[-1]) if count == 1 else f"All {count} commands that I know of worked."


def _by_time(longest: bool) -> Callable[[Asked, Record], str]:
    def told(asked: Asked, known: Record) -> str:
        timed = [deed for deed in known.deeds if deed.seconds >= 0]
        if not timed:
            return "How long the commands here took is not known." if known.deeds else UNKNOWN
        found = (max if longest else min)(timed, key=lambda deed: deed.seconds)
        return f"{name(found.command)}, of those whose time is known: {duration(found)}."

    return told


def _seen(asked: Asked, known: Record) -> str:
    here = "I know what ran in this conversation, and what it printed."
    return f"{here} Of your terminal before it: {known.seen}." if known.seen else here


OF_ALL: dict[About, Callable[[Asked, Record], str]] = {
    "count": _count,
    "failed": _failed,
    "worked": _worked,
    "all_well": _all_well,
    "longest": _by_time(True),
    "shortest": _by_time(False),
    "ours": _ours,
    "asked": _asked_list,
    "refused": _refused,
    "approved": _approved,
    "seen": _seen,
}
