"""The calls of one turn: read from a tool call or from JSON in the text, checked, and told apart from repetitions."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from terma.chat import ChatMessage, Command, ToolCall
from terma.conversation.loose_json import read
from terma.conversation.words import fenced
from terma.dialogue import Tool
from terma.errors import UsageError

RUN = "run_command"
MAX_ARGUMENTS = 256 * 1024  # characters
REPEATS = 2  # how often the very same call may come in a row; then the model is told instead


def arguments(call: ToolCall, tool: Tool) -> dict[str, Any]:
    """The arguments of a call. Raises UsageError, in words for the model, when they are not what the schema wants.

    What is not quite JSON is read loosely where nothing is missing at its end: a cut command may do harm."""
    text = call.arguments.strip() or "{}"
    if len(text) > MAX_ARGUMENTS:
        raise UsageError("the arguments are too long")
    try:
        value = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        value, end = read(text) if text[:1] == "{" else (None, 0)
        if not isinstance(value, dict) or end < len(text) or not text.endswith("}"):
            raise UsageError("the arguments are not a JSON object") from None
    if not isinstance(value, dict):
        raise UsageError("the arguments are not a JSON object")
    _check(value, tool.spec.parameters)
    return {key: item for key, item in value.items() if item is not None}


def _check(value: Mapping[str, Any], schema: Mapping[str, Any]) -> None:
    properties = schema.get("properties", {})
    missing = [name for name in schema.get("required", ()) if value.get(name) is None]
    if missing:
        raise UsageError(f"the argument {missing[0]!r} is missing")
    unknown = [name for name in value if name not in properties]
    if unknown and schema.get("additionalProperties") is False:
        raise UsageError(f"there is no argument {unknown[0]!r}; there are: {', '.join(properties)}")
    for name, item in value.items():
        wanted = properties.get(name, {})
        if item is not None and not _fits(item, wanted.get("type", "")):
            raise UsageError(f"the argument {name!r} must be of type {wanted['type']}")
        if "enum" in wanted and item is not None and item not in wanted["enum"]:
            raise UsageError(f"the argument {name!r} must be one of: {', '.join(map(str, wanted['enum']))}")


def _fits(value: Any, kind: str) -> bool:
    if kind in ("integer", "number"):
        return isinstance(value, int | float) and not isinstance(value, bool)
    types: dict[str, type | tuple[type, ...]] = {
        "string": str,
        "boolean": bool,
        "array": list,
        "object": dict,
    }
    return isinstance(value, types.get(kind, object))


def from_commands(commands: Sequence[Command]) -> list[ToolCall]:
    """Commands out of a model's text as the calls that a model with tools would have made, still without ids."""
    values = ({"command": one.command, "description": one.description} for one in commands)
    return [ToolCall("", RUN, json.dumps(value, ensure_ascii=False)) for value in values]


def without_tools(messages: Sequence[ChatMessage]) -> tuple[ChatMessage, ...]:
    """The turns for a model that knows no tools: its calls as the JSON that it wrote, their results as data told by
    the person's side; two such messages in a row are one, for servers that want the roles in turn."""
    names = {call.id: _shown(call) for message in messages for call in message.tool_calls}
    plain: list[ChatMessage] = []
    for message in messages:
        role, text = message.role, message.content
        if role == "tool":
            role = "user"
            text = f"Result of {names.get(message.tool_call_id, 'a command')}\n{fenced(text)}".rstrip()
        elif message.tool_calls:
            text = f"{text}\n\n{_as_json(message.tool_calls)}".strip()
        if plain and plain[-1].role == role != "system":
            plain[-1] = ChatMessage(role, f"{plain[-1].content}\n\n{text}")
        else:
            plain.append(ChatMessage(role, text))
    return tuple(plain)


def _as_json(calls: Sequence[ToolCall]) -> str:
    said = []
    for call in calls:
        value = read(call.arguments)[0] if call.arguments.lstrip()[:1] == "{" else {}
        known = value if isinstance(value, dict) else {}
        command = known.get("command") if call.name == RUN else f"({call.name})"
        said.append({"command": str(command or ""), "description": str(known.get("description") or "")})
    return json.dumps({"commands": said}, ensure_ascii=False)


def _shown(call: ToolCall) -> str:
    value = read(call.arguments)[0] if call.arguments.lstrip()[:1] == "{" else {}
    command = value.get("command") if isinstance(value, dict) else None
    return f"`{command}`" if isinstance(command, str) else call.name


@dataclass
class Guard:
    """Notices a model that makes the same call over and over."""

    last: tuple[str, str] = ("", "")
    count: int = 0
    stopped: int = 0
    refused: set[tuple[str, str]] = field(default_factory=set)

    def objection(self, name: str, values: Mapping[str, Any]) -> str:
        """What the model is told instead of another try; "" when the call may be proposed."""
        key = (name, json.dumps({k: v for k, v in values.items() if k != "description"}, sort_keys=True))
        self.count = self.count + 1 if key == self.last else 1
        self.last = key
        if key in self.refused:
            self.stopped += 1
            return "not run: the person has rejected exactly this. Do something else, or answer in words."
        if self.count > REPEATS:
            self.stopped += 1
            return f"not run: this very call was made {REPEATS} times in a row. Use its result, or do something else."
        return ""

    def rejected(self) -> None:
        """The call that was looked at last was rejected."""
        self.refused.add(self.last)
