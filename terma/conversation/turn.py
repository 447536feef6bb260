"""One request to the model, as it streams: words to the person, calls to be decided on, and what was used."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Sequence, Set
from contextlib import aclosing
from dataclasses import dataclass, field

from terma.chat import (
    ChatMessage,
    Finish,
    ModelError,
    ReasoningDelta,
    TextDelta,
    ToolCall,
    ToolCallDelta,
    ToolSpec,
    Usage,
)
from terma.conversation.calls import RUN, from_commands, without_tools
from terma.conversation.json_commands import CommandReader, Reading
from terma.conversation.loose_json import read
from terma.conversation.secrets import Secrets
from terma.conversation.text_calls import TextCalls
from terma.conversation.words import JSON_RULES
from terma.dialogue import Model, Noted, Piece, Said, Used, View, Waiting
from terma.text import one_line
from terma.types import Note

MAX_SAID = 200_000  # code points of one answer; no person reads more
MAX_CALLS = 16
_OPENERS = ("<tool_call>", "<function_call>", "```json", "```", "")
_HEAD = 300  # characters of an object in which the name of a tool must stand, for it to be a call


@dataclass
class Turn:
    """What came. `words` are what memory keeps (placeholders and all), without JSON of calls."""

    words: str = ""
    calls: tuple[ToolCall, ...] = ()
    thought: bool = False
    finish: Finish = field(default_factory=Finish)
    cut: bool = False  # inside a call: the model's answer ended before the call did

    @property
    def empty(self) -> bool:
        return not self.words.strip() and not self.calls


@dataclass
class Request:
    """One turn under way. `turn` grows, and holds what came when this was cancelled or failed."""

    model: Model
    tools: Sequence[ToolSpec]
    secrets: Secrets
    view: View
    number: int = 0
    taken: Set[str] = frozenset()  # the ids of calls before
    in_text: bool = False  # calls come as JSON in the text
    turn: Turn = field(default_factory=Turn)

    def __post_init__(self) -> None:
        self._spoken = self.secrets.spoken()
        self._reader: CommandReader | LooseCalls
        names = {tool.name for tool in self.tools}
        self._reader = CommandReader() if self.in_text else LooseCalls(names)
        self._spelled = TextCalls() if self._may_run and not self.in_text else None
        self._calls: list[ToolCall] = []
        self._under_way: set[int] = set()
        self._began = time.monotonic()

    async def run(self, messages: Sequence[ChatMessage]) -> Turn:
        """Ask. Raises ModelError; what came before it, or before a cancellation, stands in `turn`."""
        if self.in_text:
            sent = without_tools(_instructed(messages) if self._may_run else messages)
            events = self.model.chat(sent, ())
        else:
            events = self.model.chat(messages, self.tools)
        self.view.show(Waiting(whom=one_line(self.model.name)))
        try:
            async with aclosing(events) as coming:
                async for event in coming:
                    self._take(event)
            self._end(interrupted=False)
        except BaseException:
            self._end(interrupted=True)
            raise
        return self.turn

    @property
    def _may_run(self) -> bool:
        return any(tool.name == RUN for tool in self.tools)

    def _take(self, event: object) -> None:
        match event:
            case TextDelta(text):
                self._hear(self._reader.feed(text))
                if len(self.turn.words) > MAX_SAID:
                    raise ModelError("bad_response", "the answer never ends", "ask again")
            case ReasoningDelta(text):
                self.turn.thought = self.turn.thought or bool(text.strip())
            case ToolCallDelta(number):
                self._under_way.add(number)
            case ToolCall():
                self._calls.append(event)
            case Note(text):
                self.view.show(Noted(one_line(text)))
            case Usage():
                self.view.show(Used(event, time.monotonic() - self._began))
            case Finish():
                self.turn.finish = event

    def _hear(self, reading: Reading, last: bool = False) -> None:
        if self._spelled is not None:
            prose = self._spelled.feed(reading.prose).prose
            reading = Reading(prose + (self._spelled.close().prose if last else ""))
        self.turn.words += reading.prose
        if piece := self._spoken.feed(reading.prose):
            self.view.show(Piece(piece))
        if reading.commands and self._may_run:
            self._calls += from_commands(reading.commands)

    def _end(self, interrupted: bool) -> None:
        """Complete the turn with what is certain. Of an interrupted one no call is kept: nothing was decided."""
        turn = self.turn
        self._hear(self._reader.close(), last=True)
        if isinstance(self._reader, LooseCalls) and not self._calls:
            self._calls += self._reader.calls or (self._spelled.calls if self._spelled else [])
        if piece := self._spoken.flush():
            self.view.show(Piece(piece))
        turn.cut = len(self._calls) < len(self._under_way)
        turn.calls = () if interrupted else _apart(self._calls[:MAX_CALLS], self.number, self.taken)
        if self._spoken.given.strip():
            self.view.show(Said(self._spoken.given.strip("\n"), interrupted))


def _instructed(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """With the protocol told in the system text."""
    if messages and messages[0].role == "system":
        return [ChatMessage("system", f"{messages[0].content}\n\n{JSON_RULES}"), *messages[1:]]
    return [ChatMessage("system", JSON_RULES), *messages]


def _apart(calls: Sequence[ToolCall], turn: int, taken: Set[str]) -> tuple[ToolCall, ...]:
    """Calls with an id each: servers leave them out, or give one twice, in one turn or in every turn."""
    seen = set(taken)
    made = []
    for number, call in enumerate(calls):
        name = call.id if call.id and call.id not in seen else f"call_{turn}_{number}"
        while name in seen:
            name += "x"
        seen.add(name)
        made.append(ToolCall(name, call.name, call.arguments))
    return tuple(made)


class LooseCalls:
    """A model that was given tools and writes its call into the text all the same: nothing but a JSON object, perhaps
    in a fence or a tag. The text is held while it may be one."""

    def __init__(self, names: set[str]) -> None:
        self._names = names
        self._held: str | None = ""
        self.calls: list[ToolCall] = []

    def feed(self, text: str) -> Reading:
        if self._held is None:
            return Reading(text)
        self._held += text
        return Reading() if self._may_be_call(self._held.lstrip()) else self._let_go()

    def _may_be_call(self, text: str) -> bool:
        if len(text) > _HEAD and not any(f'"{name}"' in text for name in self._names):
            return False
        if any(opener.startswith(text) for opener in _OPENERS):
            return True
        behind = next(text.removeprefix(opener) for opener in _OPENERS if text.startswith(opener)).lstrip()
        return bool(re.match(r"\{|\[\s*(?:\{|\Z)|\Z", behind))

    def close(self) -> Reading:
        if self._held is None:
            return Reading()
        start = re.search(r"[\[{]", self._held)
        value = read(self._held, start.start())[0] if start else None
        for one in value if isinstance(value, list) else [value]:
            if not isinstance(one, dict) or one.get("name") not in self._names:
                break
            given = one.get("arguments", one.get("parameters"))
            if not isinstance(given, dict):
                break
            self.calls.append(ToolCall("", str(one["name"]), json.dumps(given, ensure_ascii=False)))
        if self.calls:
            self._held = None
            return Reading()
        return self._let_go()

    def _let_go(self) -> Reading:
        held, self._held = self._held or "", None
        return Reading(held)
