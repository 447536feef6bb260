"""Tool calls put together from their fragments: the first has id and name, the others pieces of the arguments."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from terma.chat import ToolCall, ToolCallDelta


class _Slot:
    def __init__(self) -> None:
        self.id = self.name = self.arguments = ""


class ToolCalls:
    """`add` fragments in any order of calls; `take` the whole calls once, when the answer ends."""

    def __init__(self) -> None:
        self._slots: list[_Slot] = []
        self._at: dict[int, _Slot] = {}  # the newest call under an index

    def add(self, fragment: Mapping[str, Any]) -> ToolCallDelta:
        """One element of `delta.tool_calls` or `message.tool_calls`, as a piece of its call. What has no sense is
        passed over."""
        function = fragment.get("function")
        function = function if isinstance(function, Mapping) else {}
        call_id, name = _text(fragment.get("id")), _text(function.get("name"))
        slot = self._slot(fragment.get("index"), call_id, name)
        slot.id = slot.id or call_id
        slot.name = slot.name or name  # some servers repeat it with every fragment
        arguments = function.get("arguments")
        if isinstance(arguments, Mapping):  # the object itself instead of its JSON
            arguments = json.dumps(arguments, ensure_ascii=False)
        piece = _text(arguments)
        slot.arguments += piece
        return ToolCallDelta(self._slots.index(slot), slot.name, piece)

    def take(self) -> list[ToolCall]:
        """The calls, in the order in which they began. Those without a name are dropped: nothing can be called."""
        slots, self._slots, self._at = self._slots, [], {}
        return [
            ToolCall(slot.id or f"call_{number}", slot.name, slot.arguments.strip() or "{}")
            for number, slot in enumerate(slots)
            if slot.name
        ]

    def _slot(self, index: object, call_id: str, name: str) -> _Slot:
        if isinstance(index, int) and not isinstance(index, bool):
            known = self._at.get(index)
            # Ollama gives every call the index 0: another id is another call
            if known is None or (call_id and known.id and call_id != known.id):
                known = self._at[index] = self._new()
            return known
        same = next((slot for slot in self._slots if call_id and slot.id == call_id), None)
        if same is not None:
            return same
        if self._slots and not call_id and not (name and _whole(self._slots[-1].arguments)):
            return self._slots[-1]
        return self._new()

    def _new(self) -> _Slot:
        self._slots.append(_Slot())
        return self._slots[-1]


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _whole(arguments: str) -> bool:
    try:
        json.loads(arguments)
    except ValueError:
        return False
    return True
