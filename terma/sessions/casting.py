"""Recordings of what a session shows, as asciicast files (version 2, docs.asciinema.org/manual/asciicast/v2; version 3,
as asciinema 3 writes it, is played as well).

What is written is drawn anew, row by row, from the screen without its secrets: a stream cuts them, a screen does not.
So a recording holds text, colours and places of the cursor, and nothing else that a terminal obeys; what others have
recorded is drawn on a screen of ours first, and played the same way.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from terma.errors import UsageError
from terma.redact import redact
from terma.sessions import pictures, styled
from terma.text import one_line

_LARGEST = 1000  # columns or rows
_LONGEST = 4 * 1024 * 1024  # characters of one line of a file


@dataclass(slots=True)
class Drawing:
    """What makes a terminal show one screen after the other: only the rows that are new."""

    _rows: list[str] = field(default_factory=list)
    _end: str = ""

    def update(self, rows: list[str], row: int, column: int, shown: bool) -> str:
        """`rows` hold text and colours; the cursor stands at `row` and `column` (from 0). "" where nothing is new."""
        begin = "" if self._rows else "\x1b[2J"
        blank = [""] * max(len(rows), len(self._rows))
        before, now = [*self._rows, *blank][: len(blank)], [*rows, *blank][: len(blank)]
        new = [
            f"\x1b[{at + 1};1H\x1b[0m\x1b[2K{text}"
            for at, (old, text) in enumerate(zip(before, now, strict=True))
            if old != text
        ]
        end = f"\x1b[{row + 1};{column + 1}H\x1b[?25{'h' if shown else 'l'}"
        changed = bool(new) or end != self._end
        self._rows, self._end = list(rows), end
        return begin + "".join(new) + end if changed else ""


class Recording:
    """Writes one to `file`. Times are seconds since its begin."""

    def __init__(self, file: TextIO, first: Mapping[str, Any], name: str, began: float) -> None:
        self._file = file
        self._size = (first["columns"], first["rows"])
        self._drawing = Drawing()
        self._line(
            {
                "version": 2,
                "width": first["columns"],
                "height": first["rows"],
                "timestamp": int(began),
                "title": one_line(redact(f"{name} {first.get('title', '')}".strip()).text, 80),
                "env": {"TERM": "xterm-256color"},
            }
        )

    def show(self, seconds: float, result: Mapping[str, Any]) -> None:
        """The next screen: a snapshot with its cells."""
        size = (result["columns"], result["rows"])
        if size != self._size:
            self._size, self._drawing = size, Drawing()
            self._line([round(seconds, 6), "r", f"{size[0]}x{size[1]}"])
        lines = pictures.hidden(
            pictures.lines_of(result),
            size[0],
            lambda text: redact(text).secrets.values(),
            str(result.get("above", "")),
        )
        place = (result["cursor_row"], result["cursor_column"], result.get("cursor_shown", True))
        if drawn := self._drawing.update(styled.ansi(lines).split("\n"), *place):
            self._line([round(seconds, 6), "o", drawn])

    def _line(self, value: Any) -> None:
        self._file.write(json.dumps(value, ensure_ascii=False) + "\n")
        self._file.flush()


def played(path: Path, columns: int = 0, rows: int = 0) -> Iterator[tuple[float, str, str]]:
    """(seconds since the begin, what shows the next screen, its text) for each screen of a recording, whoever made it;
    of one that is larger than `columns` and `rows` the corner. Raises UsageError for a file that is none."""
    from terma.sessions.screen import Live

    events = _events(path)
    head = next(events)
    live, drawing = Live(*_size(path, *head)), Drawing()
    for seconds, kind, data in events:
        if kind == "r":
            width, _, height = data.partition("x")
            live.resize(*_size(path, int(width or 0), int(height or 0)))
            continue
        if kind != "o":
            continue
        live.feed(data.encode("utf-8", "replace"))
        picture = live.picture(cells=True)
        shown = [_clipped(line, columns or live.columns) for line in styled.parse(picture["ansi"])]
        text = styled.ansi(shown[: rows or live.lines]).split("\n")
        row, column = min(picture["cursor_row"], len(text)), min(picture["cursor_column"], live.columns)
        yield seconds, drawing.update(text, row, column, picture["cursor_shown"]), picture["screen"]


def _clipped(line: list[styled.Run], columns: int) -> list[styled.Run]:
    kept = []
    for run in line:
        text = pictures.narrowed(run.text, columns)
        kept.append(styled.Run(text, run.style))
        columns -= pictures.width_of(text)
    return kept


def _events(path: Path) -> Iterator[Any]:
    """Columns and rows, then the events, with seconds since the begin. A file that was cut off ends there."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            head = json.loads(file.readline(_LONGEST))
            size, between = _head(head)
            yield size
            longest, before, at = float(head.get("idle_time_limit") or math.inf), 0.0, 0.0
            while line := file.readline(_LONGEST):
                if line.startswith("#") or not (line.endswith("\n") or _whole(line)):
                    continue
                seconds, kind, data = json.loads(line)
                rest, before = float(seconds) - (0.0 if between else before), float(seconds)
                at += min(max(rest, 0.0), longest)
                yield at, str(kind), str(data)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error
    except (AttributeError, ValueError, TypeError, RecursionError) as error:
        raise UsageError(
            f"{path} is no recording", "asciicast, version 2 or 3: what terma session record writes"
        ) from error


def _head(head: Any) -> tuple[tuple[Any, Any], bool]:
    """Columns and rows, and whether times are those since the event before. Raises ValueError, AttributeError."""
    if head.get("version") == 2:
        return (head.get("width"), head.get("height")), False
    if head.get("version") == 3:
        return (head.get("term").get("cols"), head.get("term").get("rows")), True
    raise ValueError


def _whole(line: str) -> bool:
    """Whether it is JSON, though nothing ends it."""
    try:
        json.loads(line)
    except ValueError:
        return False
    return True


def _size(path: Path, width: Any, height: Any) -> tuple[int, int]:
    for number in (width, height):
        if not isinstance(number, int) or not 0 < number <= _LARGEST:
            raise UsageError(f"{path} is no recording", f"a screen of 1 to {_LARGEST} columns and rows")
    return width, height
