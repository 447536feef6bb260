"""Finds `{"commands": [{"command", "description"}]}` in the words of a model that was given tools: a habit that many
prompts have taught, and that would else be shown as JSON and never run.

Stricter than the protocol of models without tools: an answer about somebody's JSON file stays an answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from terma.chat import Command, ToolCall
from terma.conversation.calls import from_commands
from terma.conversation.json_commands import (
    Reading,
    closed,
    ending_begun,
    fence_before,
    from_text,
    without_ending,
)
from terma.conversation.loose_json import read

MAX_HELD = 64 * 1024  # code points of one object; what is longer is text
_OPENING = '{"commands":['
_KEYS = {"command", "cmd", "description", "explanation", "desc"}


@dataclass
class TextCalls:
    """Reads an answer as it streams. Prose comes out at once; an object that may be one of commands is held until its
    end is known, and comes out as prose where it is something else. `calls` holds what was proposed."""

    calls: list[ToolCall] = field(default_factory=list)
    _held: str = ""
    _from: int = 0  # no object opens before this index of the held text
    _line: str = ""  # what went out already of the line with which the held text begins

    def feed(self, text: str) -> Reading:
        """What is certain after `text`."""
        self._held += text
        return Reading(self._go(last=False))

    def close(self) -> Reading:
        """The rest."""
        return Reading(self._go(last=True))

    def _go(self, last: bool) -> str:
        while (at := _opening(self._held, self._from)) >= 0:
            if self._quoted(at):
                self._from = at + 1
                continue
            value, end = read(self._held, at)
            over = end < len(self._held) or closed(self._held[at:end])
            if not (over or last) and end - at <= MAX_HELD and _may_become(value):
                return self._let_go(fence_before(self._held, at))
            commands = from_text(self._held[at:end]) if _proposes(value) else []
            if not commands:
                self._from = at + 1
                continue
            if not last and ending_begun(self._held[end:]):
                return self._let_go(fence_before(self._held, at))
            self._take(at, end, commands)
        if last:
            return self._let_go(len(self._held))
        return self._let_go(fence_before(self._held, len(self._held)))

    def _take(self, at: int, end: int, commands: list[Command]) -> None:
        """Cut the object out, with its fence and what closes it."""
        rest, _ = without_ending(self._held[end:], True)
        start = fence_before(self._held, at)
        self._held, self._from = self._held[:start] + rest, start
        self.calls += from_commands(commands)

    def _quoted(self, at: int) -> bool:
        """Whether what stands there is code within a sentence: told, and not proposed."""
        line = (self._line + self._held[:at]).rpartition("\n")[2]
        return line.count("`") % 2 == 1 and bool(line.strip(" \t`"))

    def _let_go(self, until: int) -> str:
        prose, self._held = self._held[:until], self._held[until:]
        self._line = (self._line + prose).rpartition("\n")[2]
        self._from = max(self._from - until, 0)
        return prose


def _opening(text: str, start: int) -> int:
    """Where an object of commands opens, or may be on its way at the end of the text; -1 for nowhere."""
    for found in re.finditer(r"\{", text[start:]):
        at = start + found.start()
        head = re.sub(r"\s", "", text[at : at + 200]).replace("'", '"')[: len(_OPENING)]
        if head == _OPENING or (len(head) < len(_OPENING) and _OPENING.startswith(head)):
            return at
    return -1


def _may_become(value: Any) -> bool:
    """Whether what is there of an object can still be one of commands."""
    if not isinstance(value, Mapping):
        return True
    items = value.get("commands")
    whole = items[:-1] if isinstance(items, list) else []
    return len(value) <= 1 and all(map(_command, whole))


def _proposes(value: Any) -> bool:
    items = value.get("commands") if isinstance(value, Mapping) else None
    return isinstance(items, list) and len(value) == 1 and bool(items) and all(map(_command, items))


def _command(item: Any) -> bool:
    """Whether it says a command and what that is for, and nothing else: an editor's manifest has other keys."""
    return isinstance(item, Mapping) and "command" in item and set(item) <= _KEYS
