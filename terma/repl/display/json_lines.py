"""A conversation for programs: every event a line of JSON, in the order in which they happened."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from terma.dialogue import Event

_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")


class JsonView:
    """{"event": "piece", "text": "…"}: the name of the class in terma.dialogue in small letters, and its fields."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write

    def show(self, event: Event) -> None:
        self._write(as_line(event))

    async def drained(self) -> None:
        """All of it is written at once."""

    def stop(self) -> None:
        """Nothing is under way between two lines."""


def as_line(event: Event) -> str:
    """One event as a line, with its newline."""
    name = _CAPITAL.sub("_", type(event).__name__).lower()
    fields: dict[str, Any] = {"event": name} | asdict(event)
    return json.dumps(fields, ensure_ascii=False, default=str) + "\n"
