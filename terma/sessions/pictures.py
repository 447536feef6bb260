"""A snapshot of a screen in the form that was asked for: text, text with its colours, or a PNG picture.

Drawn by whoever asks, and not by the agent: what draws pictures is large.
"""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from terma.errors import UsageError
from terma.sessions.styled import Run, ansi, parse

if TYPE_CHECKING:
    from terma.picture.cells import Grid

_NAMED = 8  # characters
Lines = list[list[Run]]


def lines_of(result: Mapping[str, Any]) -> Lines:
    """What the agent sent for form=ansi or png, as runs; a row for each of the screen."""
    lines = parse(result["data"].decode("utf-8", "replace"))[: result["rows"]]
    return lines + [[] for _ in range(result["rows"] - len(lines))]


def text_of(lines: Iterable[Iterable[Run]]) -> str:
    """The rows without their looks, and without blanks at their ends."""
    return "\n".join("".join(run.text for run in line).rstrip() for line in lines).rstrip("\n")


def hidden(lines: Lines, columns: int, secrets_in: Callable[[str], Iterable[str]], above: str = "") -> Lines:
    """The same with stars for what `secrets_in` finds, also where the terminal wrapped it or it begins in the rows
    `above` the screen."""
    rows = [*above.splitlines(), *("".join(run.text for run in line) for line in lines)]
    joined, starts = "", []
    for row in rows:
        starts.append(len(joined))
        joined += row if len(row.rstrip()) >= columns else row + "\n"
    starts = starts[len(rows) - len(lines) :]
    covered: set[int] = set()
    for secret in secrets_in(joined):
        at = joined.find(secret)
        while secret and at >= 0:
            covered.update(range(at, at + len(secret)))
            at = joined.find(secret, at + 1)
    return [_starred(line, start, covered) for line, start in zip(lines, starts, strict=True)]


def _starred(line: list[Run], at: int, covered: set[int]) -> list[Run]:
    runs = []
    for run in line:
        text = "".join("*" * _width(char) if at + n in covered else char for n, char in enumerate(run.text))
        runs.append(Run(text, run.style))
        at += len(run.text)
    return runs


def coloured(lines: Lines) -> str:
    """The rows as text with colours, safe to print."""
    return ansi(lines).rstrip("\n")


class Picture(NamedTuple):
    """A PNG file, and what is to be said of it: "" where it shows all."""

    png: bytes
    note: str


def drawn(lines: Lines, result: Mapping[str, Any]) -> Picture:
    """The screen as a picture. Raises UsageError where what draws it is not installed."""
    try:
        from PIL import Image  # type: ignore[import-not-found,import-untyped,unused-ignore]

        from terma.picture.painter import Painter
    except ImportError as error:
        raise UsageError(
            f"pictures need the package {error.name}", "pip install 'xontrib-terma[target]', or --form ansi"
        ) from error
    painter = Painter(result["columns"], result["rows"])
    picture = painter.paint(_grid(lines, result))
    file = io.BytesIO()
    Image.fromarray(picture[:, :, ::-1]).save(file, "PNG")
    return Picture(file.getvalue(), _lacking(painter.font.lacking))


def _lacking(characters: set[str]) -> str:
    if not characters:
        return ""
    some = "".join(sorted(characters)[:_NAMED])
    more = f" and {len(characters) - _NAMED} more" * (len(characters) > _NAMED)
    return f"drawn as boxes, since no font here has them: {some}{more}; the screen as text has them"


def _grid(lines: Lines, result: Mapping[str, Any]) -> Grid:
    from terma.picture.cells import BLANK, Cell, Grid

    rows = []
    for line in lines:
        cells: list[Cell] = []
        for run in line:
            for char in run.text:
                width = _width(char)
                if not width and cells:
                    cells[-1] = cells[-1]._replace(text=cells[-1].text + char)
                    continue
                cells.append(Cell(char, run.style, width == 2))
                cells += [Cell("", run.style)] * (width - 1)
        rows.append(tuple(cells) + (BLANK,) * (result["columns"] - len(cells)))
    cursor = (result["cursor_row"], result["cursor_column"]) if result.get("cursor_shown", True) else None
    return Grid(tuple(rows), cursor)


def _width(char: str) -> int:
    """Columns that a character takes."""
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def width_of(text: str) -> int:
    """Columns that `text` takes."""
    return sum(map(_width, text))


def narrowed(text: str, columns: int) -> str:
    """As much of `text` as `columns` hold."""
    taken = 0
    for at, char in enumerate(text):
        taken += _width(char)
        if taken > columns:
            return text[:at]
    return text
