"""The cells of an emulator with their colours, for a picture: what `Emulator.grid` gives.

Ghostty says which rows changed since it was asked last; the others are handed over as the same objects again, so that
nobody draws them twice.
"""

from __future__ import annotations

import unicodedata
from typing import Any

from terma.picture.cells import BLANK, Cell, Colour, Grid, Row, Style

_REVERSE_VIDEO = 5  # DECSCNM
_LONGEST_CELL = 16  # code points: a character and its marks


class GhosttyGrid:
    """The rows of one pyghostty.Terminal, through the render state of libghostty-vt."""

    def __init__(self, terminal: Any) -> None:
        from pyghostty import ffi, lib  # type: ignore[import-not-found,import-untyped,unused-ignore]

        self._terminal, self._ffi, self._lib = terminal, ffi, lib
        self._state = self._made("GhosttyRenderState*", lib.ghostty_render_state_new)
        self._iterator = self._made(
            "GhosttyRenderStateRowIterator*", lib.ghostty_render_state_row_iterator_new
        )
        self._cells = self._made("GhosttyRenderStateRowCells*", lib.ghostty_render_state_row_cells_new)
        self._length, self._number = ffi.new("uint32_t*"), ffi.new("uint16_t*")
        self._codes = ffi.new(f"uint32_t[{_LONGEST_CELL}]")
        self._raw, self._width = ffi.new("GhosttyCell*"), ffi.new("GhosttyCellWide*")
        self._tag, self._index = ffi.new("GhosttyCellContentTag*"), ffi.new("GhosttyColorPaletteIndex*")
        self._rgb, self._style = ffi.new("GhosttyColorRgb*"), ffi.new("GhosttyStyle*")
        self._style.size = ffi.sizeof("GhosttyStyle")
        self._rows: list[Row] = []

    def _made(self, kind: str, make: Any) -> Any:
        made = self._ffi.new(kind)
        self._call(make(self._ffi.NULL, made))
        return made

    def _call(self, result: int) -> None:
        if result:
            raise RuntimeError(f"libghostty-vt: error {result}")

    def read(self) -> Grid:
        """What the terminal shows now."""
        lib, state = self._lib, self._state[0]
        self._call(lib.ghostty_render_state_update(state, self._terminal._t[0]))
        columns, rows = self._terminal.size
        dirty = self._ffi.new("GhosttyRenderStateDirty*")
        self._call(lib.ghostty_render_state_get(state, lib.GHOSTTY_RENDER_STATE_DATA_DIRTY, dirty))
        whole = dirty[0] == lib.GHOSTTY_RENDER_STATE_DIRTY_FULL or len(self._rows) != rows
        if whole or dirty[0] != lib.GHOSTTY_RENDER_STATE_DIRTY_FALSE:
            self._read_rows(columns, rows, whole)
        self._call(lib.ghostty_render_state_clean(state))
        return Grid(tuple(self._rows), self._cursor(), bool(self._terminal.mode(_REVERSE_VIDEO)))

    def _read_rows(self, columns: int, rows: int, whole: bool) -> None:
        lib, state, iterator = self._lib, self._state[0], self._iterator
        if whole:
            self._rows = [(BLANK,) * columns] * rows
        data = lib.GHOSTTY_RENDER_STATE_DATA_ROW_ITERATOR
        self._call(lib.ghostty_render_state_get(state, data, iterator))
        changed = self._ffi.new("bool*")
        number = 0
        while lib.ghostty_render_state_row_iterator_next(iterator[0]) and number < rows:
            self._call(
                lib.ghostty_render_state_row_get(
                    iterator[0], lib.GHOSTTY_RENDER_STATE_ROW_DATA_DIRTY, changed
                )
            )
            if whole or changed[0]:
                self._rows[number] = self._read_row()
            number += 1

    def _read_row(self) -> Row:
        lib, cells, raw = self._lib, self._cells, self._raw
        data = lib.GHOSTTY_RENDER_STATE_ROW_DATA_CELLS
        self._call(lib.ghostty_render_state_row_get(self._iterator[0], data, cells))
        row: list[Cell] = []
        known: dict[int, Cell] = {0: BLANK}  # a cell that was never written is 0
        styles: dict[int, Style] = {}  # numbers mean the same style within one row alone
        cell, wanted = cells[0], lib.GHOSTTY_RENDER_STATE_ROW_CELLS_DATA_RAW
        following, get = lib.ghostty_render_state_row_cells_next, lib.ghostty_render_state_row_cells_get
        while following(cell):
            get(cell, wanted, raw)
            packed = raw[0]
            found = known.get(packed)
            if found is None:
                found, simple = self._read_cell(cell, packed, styles)
                if simple:
                    known[packed] = found
            row.append(found)
        return tuple(row)

    def _read_cell(self, cell: Any, packed: int, styles: dict[int, Style]) -> tuple[Cell, bool]:
        """One cell, and whether all of it stands in `packed`: combining marks do not."""
        lib, get = self._lib, self._lib.ghostty_cell_get
        get(packed, lib.GHOSTTY_CELL_DATA_STYLE_ID, self._number)
        style = styles.get(self._number[0])
        if style is None:
            lib.ghostty_render_state_row_cells_get(
                cell, lib.GHOSTTY_RENDER_STATE_ROW_CELLS_DATA_STYLE, self._style
            )
            style = styles[self._number[0]] = _style(lib, self._style)
        get(packed, lib.GHOSTTY_CELL_DATA_WIDE, self._width)
        get(packed, lib.GHOSTTY_CELL_DATA_CONTENT_TAG, self._tag)
        wide = self._width[0] == lib.GHOSTTY_CELL_WIDE_WIDE
        if self._width[0] == lib.GHOSTTY_CELL_WIDE_SPACER_TAIL:
            return Cell("", style), True
        if self._tag[0] == lib.GHOSTTY_CELL_CONTENT_CODEPOINT:
            get(packed, lib.GHOSTTY_CELL_DATA_CODEPOINT, self._length)
            return Cell(chr(self._length[0] or 32), style, wide), True
        if self._tag[0] == lib.GHOSTTY_CELL_CONTENT_CODEPOINT_GRAPHEME:
            return Cell(self._grapheme(cell), style, wide), False
        return Cell(" ", style._replace(background=self._painted_ground(packed))), True

    def _grapheme(self, cell: Any) -> str:
        lib, get = self._lib, self._lib.ghostty_render_state_row_cells_get
        get(cell, lib.GHOSTTY_RENDER_STATE_ROW_CELLS_DATA_GRAPHEMES_LEN, self._length)
        if not 0 < self._length[0] <= _LONGEST_CELL:
            return "\ufffd"
        get(cell, lib.GHOSTTY_RENDER_STATE_ROW_CELLS_DATA_GRAPHEMES_BUF, self._codes)
        return "".join(map(chr, self._codes[0 : self._length[0]]))

    def _painted_ground(self, packed: int) -> Colour:
        """The colour of a cell that was erased with one, which is no part of its style."""
        lib = self._lib
        if self._tag[0] == lib.GHOSTTY_CELL_CONTENT_BG_COLOR_PALETTE:
            lib.ghostty_cell_get(packed, lib.GHOSTTY_CELL_DATA_COLOR_PALETTE, self._index)
            return int(self._index[0])
        lib.ghostty_cell_get(packed, lib.GHOSTTY_CELL_DATA_COLOR_RGB, self._rgb)
        return self._rgb.r, self._rgb.g, self._rgb.b

    def _cursor(self) -> tuple[int, int] | None:
        lib = self._lib
        shown = self._ffi.new("bool*")
        lib.ghostty_render_state_get(self._state[0], lib.GHOSTTY_RENDER_STATE_DATA_CURSOR_VISIBLE, shown)
        if not shown[0]:
            return None
        column, row = self._terminal.cursor
        return row, column


def _style(lib: Any, style: Any) -> Style:
    return Style(
        _colour(lib, style.fg_color),
        _colour(lib, style.bg_color),
        style.bold,
        style.faint,
        style.italic,
        bool(style.underline),
        style.inverse,
        style.invisible,
    )


def _colour(lib: Any, colour: Any) -> Colour:
    if colour.tag == lib.GHOSTTY_STYLE_COLOR_PALETTE:
        return int(colour.value.palette)
    if colour.tag == lib.GHOSTTY_STYLE_COLOR_RGB:
        return colour.value.rgb.r, colour.value.rgb.g, colour.value.rgb.b
    return None


_PYTE_COLOURS = "black red green brown blue magenta cyan white".split()


def pyte_grid(screen: Any) -> Grid:
    """What a pyte.Screen shows."""
    rows = []
    for number in range(screen.lines):
        line = screen.buffer[number]
        rows.append(tuple(_pyte_cell(line[column]) for column in range(screen.columns)))
    cursor = None if screen.cursor.hidden else (screen.cursor.y, screen.cursor.x)
    return Grid(tuple(rows), cursor, (_REVERSE_VIDEO << 5) in screen.mode)


def _pyte_cell(char: Any) -> Cell:
    style = Style(
        _pyte_colour(char.fg),
        _pyte_colour(char.bg),
        bold=char.bold,
        italic=char.italics,
        underline=char.underscore,
        reverse=char.reverse,
    )
    return Cell(char.data, style, unicodedata.east_asian_width(char.data[:1] or " ") in "WF")


def _pyte_colour(name: str) -> Colour:
    if name in _PYTE_COLOURS:
        return _PYTE_COLOURS.index(name)
    plain = name.removeprefix("bright")
    if plain in _PYTE_COLOURS:
        return _PYTE_COLOURS.index(plain) + 8
    try:
        return int(name[0:2], 16), int(name[2:4], 16), int(name[4:6], 16)
    except ValueError:
        return None
