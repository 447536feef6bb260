"""JSON in a model's text, whole or cut off: where it opens, where it closes, which records it holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from terma.chat import Command
from terma.conversation.loose_json import Cut, read

MAX_COMMANDS = 16
LISTS = ("commands", "command_list")
NAMES = ("command", "cmd")
NOTES = ("description", "explanation", "desc")
WRAPPERS = ("arguments", "parameters", "input", "function", "properties", "result", "response")


def balanced(text: str) -> bool:
    """Whether the object that `text` is was written to its end: reading on, nothing more would belong to it."""
    return read(text + "\x00")[1] <= len(text)


def records(value: Any, depth: int = 0) -> Iterator[tuple[Any, bool]]:
    """Each thing that stands for a command, with whether it is written to its end."""
    if depth > 6:
        return
    if isinstance(value, list):
        for number, item in enumerate(value):
            whole = number + 1 < len(value) or not isinstance(item, str)
            if isinstance(item, str) and depth and not isinstance(item, Cut):
                yield item, whole
            elif isinstance(item, Mapping | list):
                yield from records(item, depth + 1)
    elif isinstance(value, Mapping):
        keyed = {str(key).lower(): item for key, item in value.items()}
        if any(isinstance(keyed.get(name), str) for name in NAMES):
            yield keyed, getattr(value, "closed", True)
            return
        for name in (*LISTS, *NAMES, *WRAPPERS):
            inner = keyed.get(name)
            if isinstance(inner, str) and name in WRAPPERS and inner.lstrip()[:1] in ("{", "["):
                inner = read(inner.lstrip())[0]  # JSON in a string, as tool calls have it
            if isinstance(inner, str) and name in LISTS and not isinstance(inner, Cut):
                inner = [inner]
            if isinstance(inner, Mapping | list):
                yield from records(inner, depth + 1)


def _command(record: Any) -> Command | None:
    if isinstance(record, str):
        return Command(record.strip()) if record.strip() else None
    name = next((record[key] for key in NAMES if isinstance(record.get(key), str)), "")
    if isinstance(name, Cut) or not name.strip():
        return None
    note = next((record[key] for key in NOTES if isinstance(record.get(key), str)), "")
    return Command(name.strip(), note.strip())


def whole_commands(value: Any) -> list[Command]:
    return [made for record, _ in records(value) if (made := _command(record)) is not None]


def begun(value: Any) -> list[Command]:
    """The commands of an object that goes on: those whose own end is written."""
    return [made for record, whole in records(value) if whole and (made := _command(record)) is not None]


def unique(commands: list[Command]) -> list[Command]:
    return list({command.command: command for command in reversed(commands)}.values())[::-1][:MAX_COMMANDS]
