"""Draws a grid of cells: each glyph once, each row only when it changed.

The glyphs lie in one array, so that a row is drawn by picking from it: 80 × 24 cells take some 3 ms, one changed line
0.25 ms.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from terma.picture.cells import BLANK, Cell, Grid, Row
from terma.picture.colours import Theme
from terma.picture.font import Font

PADDING = 8  # pixels around the cells
_MOST_GLYPHS = 6000
_Key = tuple[
    Cell, bool, int
]  # the cell, whether ink and ground change places, and which half of a wide character


class Painter:
    """A screen of a fixed size and its picture. Not for several threads at once."""

    def __init__(
        self,
        columns: int = 80,
        rows: int = 24,
        size: int = 20,
        font: Path | None = None,
        theme: Theme | None = None,
    ) -> None:
        """`size` is of the letters, in pixels. Raises UsageError for a font that is not there."""
        self.columns, self.rows = columns, rows
        self.font, self.theme = Font(size, font), theme or Theme()
        height, width = rows * self.font.height + 2 * PADDING, columns * self.font.width + 2 * PADDING
        self._picture = np.empty((height, width, 3), np.uint8)
        self._masks: dict[tuple[str, bool, bool, bool, int], NDArray[np.uint8]] = {}
        self._atlas: NDArray[np.uint8]
        self._forget_glyphs()
        self._drawn: list[tuple[Row, int | None] | None] = [None] * rows
        self._inverted: bool | None = None

    def paint(self, grid: Grid) -> NDArray[np.uint8]:
        """The picture: rows, columns, 3 (blue, green, red). The same array each time, so copy what you keep."""
        if grid.inverted != self._inverted:
            self._inverted = grid.inverted
            ink, ground = self.theme.foreground, self.theme.background
            self._picture[:] = (ink if grid.inverted else ground)[::-1]
            self._drawn = [None] * self.rows
        cursor_row, cursor_column = grid.cursor or (-1, -1)
        for number, row in enumerate(grid.rows[: self.rows]):
            cursor = cursor_column if number == cursor_row else None
            drawn = self._drawn[number]
            if drawn is None or drawn[1] != cursor or (drawn[0] is not row and drawn[0] != row):
                self._paint_row(number, row, cursor)
                self._drawn[number] = (row, cursor)
        return self._picture

    def _paint_row(self, number: int, row: Row, cursor: int | None) -> None:
        height, width = self.font.height, self.font.width
        indices = self._indices(row, cursor)
        strip = self._atlas[indices].transpose(1, 0, 2, 3).reshape(height, self.columns * width, 3)
        top = PADDING + number * height
        self._picture[top : top + height, PADDING : PADDING + self.columns * width] = strip

    def _indices(self, row: Row, cursor: int | None) -> list[int]:
        if len(self._places) > _MOST_GLYPHS:
            self._forget_glyphs()
        inverted, places = bool(self._inverted), self._places
        cells = row[: self.columns] + (BLANK,) * (self.columns - len(row))
        found = []
        under_cursor = _span(cells, cursor)
        for column, cell in enumerate(cells):
            key: _Key
            if not cell.text and column and cells[column - 1].wide:
                key = (cells[column - 1], inverted != (column in under_cursor), 1)
            else:
                key = (cell, inverted != (column in under_cursor), 0)
            place = places.get(key)
            found.append(self._add(key) if place is None else place)
        return found

    def _add(self, key: _Key) -> int:
        """Draw the glyph of `key` into the atlas; its place there."""
        cell, swap, half = key
        style, width = cell.style, self.font.width
        cells = 2 if cell.wide else 1
        text = " " if style.hidden else cell.text
        shape = (text, style.bold, style.italic, style.underline, cells)
        mask = self._masks.get(shape)
        if mask is None:
            mask = self.font.mask(
                text, bold=style.bold, italic=style.italic, underline=style.underline, cells=cells
            )
            self._masks[shape] = mask
        ink, ground = (np.array(one[::-1], np.float32) for one in self.theme.of(style, swap=swap))
        weight = mask[:, half * width : (half + 1) * width, None].astype(np.float32) / 255
        place = len(self._places)
        if place == len(self._atlas):
            self._atlas = np.concatenate([self._atlas, np.empty_like(self._atlas)])
        self._atlas[place] = np.rint(ground + (ink - ground) * weight)
        self._places[key] = place
        return place

    def _forget_glyphs(self) -> None:
        """A program that paints in all colours would fill the memory."""
        self._places: dict[_Key, int] = {}
        self._atlas = np.empty((256, self.font.height, self.font.width, 3), np.uint8)
        self._masks.clear()


def _span(cells: Row, cursor: int | None) -> tuple[int, ...]:
    """The columns that the cursor covers: both of a wide character."""
    if cursor is None:
        return ()
    if 0 <= cursor < len(cells) and cells[cursor].wide:
        return (cursor, cursor + 1)
    return (cursor,)
