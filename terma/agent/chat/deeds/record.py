"""The record of a conversation: what ran and who ran it, what was refused, what was asked, and how far it reaches."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from terma.chat import ChatMessage, ToolCall
from terma.conversation.memory import LEFT_OUT, SUMMARY
from terma.conversation.words import split
from terma.tools.run_command import read

TERMA, PERSON, REFUSED = "terma", "person", "refused"
_REFUSED = "not run: "
_SAID = re.compile(
    r"^Command: (?P<command>.+)(?:\nExit status: (?P<status>\d+)$)?(?:\nExit status: unknown$)?"
    r"(?:\nDirectory: .*$)?(?:\nOutput, from [^\n]*:\n(?P<output>(?s:.*)))?",
    re.MULTILINE,
)  # as what was captured is told
_SCREEN = re.compile(r"^Before that on the screen, the oldest first:\n((?:.+\n?)+)", re.MULTILINE)
_ON_SCREEN = re.compile(
    r"^\$ (?P<command>.+)\n(?P<output>(?:\| ?.*(?:\n|\Z))*)(?P<nothing>\(it printed nothing\)\n?)?"
    r"(?:\(exit status (?P<status>\d+)\))?",
    re.MULTILINE,
)  # as recent.told does
_SEEN = re.compile(r"^Seen of the terminal: (.+)$", re.MULTILINE)
_STUB = re.compile(r"\(\d+ lines?, left out of memory\)")


@dataclass(frozen=True, slots=True)
class Deed:
    """A command that ran, or was REFUSED. `status` -1, `seconds` below 0, `output` None: not known. `by` is who ran it:
    TERMA where it was proposed and approved, PERSON, or "" for what a terminal showed; `wish` is the question it was
    proposed for."""

    command: str
    status: int = -1
    output: str | None = None
    seconds: float = -1.0
    by: str = ""
    wish: str = ""

    @property
    def place(self) -> tuple[str, int]:
        return self.command, self.status


@dataclass(frozen=True, slots=True)
class Record:
    """All the oldest first. `used` are tools other than commands that did something, `seen` what was said of the
    terminal ("" nothing); `whole`: nothing of the conversation was left out of memory."""

    deeds: tuple[Deed, ...] = ()
    refused: tuple[Deed, ...] = ()
    asked: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    seen: str = ""
    refused_last: bool = False  # the newest proposal was refused, and nothing ran since
    whole: bool = True

    @property
    def known(self) -> tuple[Deed, ...]:
        """What a question may name: what ran, and what was proposed and refused."""
        return (*self.deeds, *self.refused)


def record(messages: Sequence[ChatMessage]) -> Record:
    """The record up to the last question, which is not in it."""
    here: list[Deed] = []
    refused: list[Deed] = []
    asked: list[str] = []
    used: list[str] = []
    seen, last = "", False
    then: list[tuple[str, int]] = []  # what the terminal showed when the newest proposal was refused
    shown: list[tuple[str, int]] = []
    calls: dict[str, ToolCall] = {}
    for message in messages:
        calls |= {call.id: call for call in message.tool_calls}
        if message.role == "user":
            question, context = split(message.content)
            here += (Deed(one.command, one.status, one.output, one.seconds, PERSON) for one in message.ran)
            last = last and not message.ran
            asked.append(question.strip())
            shown = [one.place for one in _captured(context)]
            seen = found[1] if (found := _SEEN.search(context)) else seen
        call = calls.get(message.tool_call_id) if message.role == "tool" else None
        if call is None:
            continue
        last = message.content.startswith(_REFUSED)
        if last:
            refused.append(Deed(_named(call), by=REFUSED, wish=asked[-1] if asked else ""))
            then = shown
        elif deed := _ran(call, message.content):
            here.append(replace(deed, wish=asked[-1] if asked else ""))
        else:
            used.append(_named(call))
    newest = messages[-1] if messages else ChatMessage("user")
    since = len(newest.ran) if newest.role == "user" else 0
    deeds = _with_terminal(here[: len(here) - since], _context(messages), here[len(here) - since :])
    whole = not any(
        message.content == LEFT_OUT or message.content.startswith(SUMMARY) or _STUB.fullmatch(message.content)
        for message in messages
    )
    last = (
        last and shown == then[len(then) - len(shown) :]
    )  # else something was run at the outer prompt since
    return Record(tuple(deeds), tuple(refused), tuple(asked[:-1]), tuple(used), seen, last, whole)


def _context(messages: Sequence[ChatMessage]) -> str:
    return next((split(one.content)[1] for one in reversed(messages) if one.role == "user"), "")


def _with_terminal(before: Sequence[Deed], context: str, since: Sequence[Deed]) -> list[Deed]:
    """What ran in this conversation `before` the last question, what the terminal showed with it, and what ran `since`
    that was captured. What both tell of counts once."""
    known = {one.place for one in since}
    captured = [one for one in _captured(context) if one.place not in known]
    there = {one.place for one in captured}
    return [*(one for one in before if one.place not in there), *captured, *since]


def _captured(context: str) -> Iterator[Deed]:
    screen = _SCREEN.search(context)
    for found in _ON_SCREEN.finditer(screen[1]) if screen else ():
        rows = [row[1:].removeprefix(" ") for row in found["output"].splitlines()]
        yield Deed(found["command"], int(found["status"] or -1), "\n".join(rows))
    for found in _SAID.finditer(context):
        yield Deed(found["command"], int(found["status"] or -1), found["output"])


def _ran(call: ToolCall, result: str) -> Deed | None:
    outcome = read(result) if call.name == "run_command" else None
    if outcome is None:
        return None
    return Deed(outcome.changed or command_of(call), outcome.status, outcome.output, outcome.seconds, TERMA)


def _named(call: ToolCall) -> str:
    """A call as a person knows it: its command, else the tool with what it was given."""
    return command_of(call) or f"{call.name} {call.arguments[:200]}"


def command_of(call: ToolCall) -> str:
    try:
        value = json.loads(call.arguments)
    except ValueError:
        return ""
    return str(value.get("command", "")) if isinstance(value, dict) else ""
