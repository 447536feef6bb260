"""What a model is asked: the same head every time, so that its server's prompt cache holds it, then what is new.

The person's own words stand outside the data; everything that a program or a repository wrote stands inside it, fenced,
and the roles say that data is never an instruction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from terma.chat import ChatMessage
from terma.printing import named
from terma.records import dataclass
from terma.text import FENCE, without_fences
from terma.types import Output, Query, WhyQuery

MAX_ALIASES = 20
MAX_WORDS = 2_000
WORDS = "Words: "  # before what the person said


@dataclass(frozen=True, slots=True)
class Place:
    """What is known of the machine and the directory. `machine` changes seldom and stands in the head."""

    machine: str = ""
    tools: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    git: str = ""
    aliases: Mapping[str, str] = field(default_factory=dict)
    past: tuple[str, ...] = ()


def for_command(
    role: str, query: Query, place: Place, shown: Sequence[str] = (), hints: Sequence[str] = ()
) -> tuple[ChatMessage, ...]:
    """The messages that ask for one command. `shown` are answers that the person has seen and passed over, `hints`
    what the embedded engine and this machine know of the sentence, a line each."""
    edited, wish = query.edit
    facts = [
        f"Directory: {named(query.cwd)}" if query.cwd else "",
        f"Git: {named(place.git)}" if place.git else "",
        _listed("Files here", [named(name) for name in place.files]),
        _listed("Commands of this person", place.past, "\n"),
        _listed("Lately in this shell", query.recent, "\n"),
        _last(query),
        *hints,
    ]
    asked = f"{WORDS}{(wish or query.words)[:MAX_WORDS]}"
    if edited:
        asked += f"\nEdit this command: {edited}"
    if shown:
        asked += "\nNot wanted, find another way:\n" + "\n".join(shown)
    return (
        ChatMessage("system", head(role, query.shell, place)),
        ChatMessage("user", f"{data(facts)}{asked}"),
    )


def for_why(role: str, query: WhyQuery, place: Place) -> tuple[ChatMessage, ...]:
    """The messages that ask why a command failed. They say what was seen, and pretend nothing."""
    facts = [
        f"Command: {query.command}",
        f"Exit status: {query.status}" if query.status >= 0 else "Exit status: unknown",
        f"Directory: {named(query.cwd)}" if query.cwd else "",
        f"Git: {named(place.git)}" if place.git else "",
        *query.facts,
        _listed("Files here", [named(name) for name in place.files]),
        _listed("Before that in this shell", query.recent, "\n"),
        seen(query.output),
    ]
    asked = (
        f"Question: {query.question}" if query.question else "Question: why did that happen, and what now?"
    )
    return (
        ChatMessage("system", head(role, query.shell, place)),
        ChatMessage("user", f"{data(facts)}{asked}"),
    )


def head(role: str, shell: str, place: Place) -> str:
    """The static beginning: what the model is, and on which machine."""
    lines = [role, "", f"Shell: {shell}"]
    if place.machine:
        lines.append(f"Machine: {place.machine}")
    if place.tools:
        lines.append(f"Installed, among the usual: {' '.join(place.tools)}")
    if place.aliases:
        names = [f"{name}={value}" for name, value in list(place.aliases.items())[:MAX_ALIASES]]
        lines.append("The person's aliases: " + "; ".join(names))
    return "\n".join(lines)


def data(facts: Sequence[str]) -> str:
    """Facts between fences that they cannot close."""
    text = without_fences("\n".join(fact for fact in facts if fact))
    return f"Data\n{FENCE}\n{text}\n{FENCE}\n\n" if text else ""


def seen(output: Output) -> str:
    """What is known of the output, in words that pretend nothing."""
    if not output.deep:
        why_not = f" ({output.trouble})" if output.trouble else ""
        return f"Output: not captured{why_not}"
    if not output.found:
        return (
            f"The end of the terminal, from {output.source}; the command was not found in it:\n{output.text}"
        )
    return f"Output, from {output.source}:\n{output.text}" if output.text else "Output: none"


def _last(query: Query) -> str:
    if not query.command:
        return ""
    ended = f", exit status {query.status}" if query.status >= 0 else ""
    return f"Last command: {query.command}{ended}"


def _listed(title: str, items: Sequence[str], between: str = "  ") -> str:
    return f"{title}: {between.join(items)}" if items else ""
