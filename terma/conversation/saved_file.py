"""The file of a saved conversation, read with care: it may be damaged, or a newer terma's."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from terma.chat import ChatMessage
from terma.conversation.memory import Totals
from terma.errors import TermaError

VERSION = 1
MAX_BYTES = 16 * 2**20  # of a file that is read


@dataclass(frozen=True, slots=True)
class Content:
    """What a file holds. Times are in seconds since the epoch."""

    messages: tuple[ChatMessage, ...]
    earlier: tuple[tuple[ChatMessage, ...], ...] = ()
    totals: Totals = field(default_factory=Totals)
    title: str = ""
    model: str = ""
    cwd: str = ""
    shell: str = ""
    created: float = 0.0
    updated: float = 0.0


def read(file: Path) -> Content:
    """Raises TermaError, with what to do, when it is damaged or of a newer terma."""
    value = _value(file)
    return Content(
        messages=tuple(_message(turn, file) for turn in value["messages"]),
        earlier=_earlier(value.get("earlier"), file),
        totals=_totals(value.get("totals")),
        title=_string(value, "title"),
        model=_string(value, "model"),
        cwd=_string(value, "cwd"),
        shell=_string(value, "shell"),
        created=_number(value, "created"),
        updated=_number(value, "updated"),
    )


def _earlier(value: Any, file: Path) -> tuple[tuple[ChatMessage, ...], ...]:
    """Turns that summaries stand for; nothing where an older terma wrote the file."""
    found = value if isinstance(value, list) else []
    if not all(isinstance(turns, list) and all(isinstance(turn, dict) for turn in turns) for turns in found):
        raise _damaged(file, "what was summarised is out of shape")
    return tuple(tuple(_message(turn, file) for turn in turns) for turns in found)


def _totals(value: Any) -> Totals:
    if not isinstance(value, dict):
        return Totals()
    known = {one.name for one in fields(Totals)}
    numbers: dict[str, Any] = {key: _number(value, key) for key in value if key in known}
    return Totals(**{key: number if key == "cost" else int(number) for key, number in numbers.items()})


def _value(file: Path) -> dict[str, Any]:
    try:
        if file.stat().st_size > MAX_BYTES:
            raise _damaged(file, "it is too large")
        value = json.loads(file.read_bytes())
    except OSError as error:
        raise TermaError(f"cannot read {file}: {error.strerror}", "check its owner and mode") from error
    except (ValueError, RecursionError) as error:
        raise _damaged(file, "it is no JSON") from error
    if not isinstance(value, dict) or not isinstance(value.get("messages"), list):
        raise _damaged(file, "it holds no messages")
    if not isinstance(value.get("version"), int) or value["version"] > VERSION:
        raise TermaError(f"{file.name} was written by a newer terma", "update terma to go on with it")
    if not all(isinstance(turn, dict) for turn in value["messages"]):
        raise _damaged(file, "it holds no messages")
    return value


def _message(turn: dict[str, Any], file: Path) -> ChatMessage:
    try:
        message = ChatMessage.of(turn)
    except ValueError as error:
        raise _damaged(file, str(error)) from error
    if message.role == "system":
        raise _damaged(file, "a message has no role 'system'")
    return message


def _damaged(file: Path, why: str) -> TermaError:
    return TermaError(
        f"the saved conversation {file.stem} is damaged: {why}", f"look at it, or remove it: {file}"
    )


def _string(value: dict[str, Any], key: str) -> str:
    found = value.get(key)
    return found if isinstance(found, str) else ""


def _number(value: dict[str, Any], key: str) -> float:
    found = value.get(key)
    return float(found) if isinstance(found, int | float) and abs(found) < 1e15 else 0.0
