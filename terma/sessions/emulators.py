"""The terminal emulators there are wheels for, each in the form of screen.Emulator, imported when first made.

pyghostty (Apache-2.0, the terminal of Ghostty) is right on everything that was tried and draws 26 MB a second. pyte
(LGPL, so never a dependency: used where a person has installed it) needs guarding: it has no alternate screen, and
some private sequences make it raise.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from terma.picture.cells import Style
from terma.sessions.styled import Run, parse

if TYPE_CHECKING:
    from terma.picture.cells import Grid

_ALTERNATE = (1049, 1047, 47)
_SWITCH = re.compile(rb"\x1b\[\?(?:\d+;)*(?:1049|1047|47)(?:;\d+)*([hl])")
_PRIVATE_SGR = re.compile(rb"\x1b\[[<=>?][\d;:]*m")
_KEPT = 1000  # lines above the screen: with fewer pyghostty scrolls at a seventh of the speed


class Ghostty:
    """libghostty-vt."""

    def __init__(self, columns: int, rows: int) -> None:
        """Raises ImportError where it is not installed, or there is none for this machine."""
        try:
            import pyghostty  # type: ignore[import-not-found,import-untyped,unused-ignore]
        except OSError as error:
            raise ImportError(str(error)) from error
        self._library: Any = pyghostty.core
        self._terminal: Any = pyghostty.Terminal(columns, rows, scrollback=_KEPT)
        self._grid: Any = None

    def feed(self, data: bytes) -> None:
        self._terminal.feed(data)

    def resize(self, columns: int, rows: int) -> None:
        self._terminal.resize(columns, rows)

    def rows(self) -> list[str]:
        height = self._terminal.size[1]
        rows = [row.rstrip() for row in self._terminal.text().split("\n")][:height]
        return rows + [""] * (height - len(rows))

    def cells(self) -> list[list[Run]]:
        height = self._terminal.size[1]
        rows = parse(self._formatted())[:height]
        return rows + [[] for _ in range(height - len(rows))]

    def above(self, rows: int) -> tuple[str, int]:
        kept = 0 if self.alternate() else int(self._terminal.get("scrollback_rows", "size_t"))
        back = max(min(rows, kept), 0)
        return self._formatted("screen", kept - back), back

    def _formatted(self, tag: str = "active", top: int = 0) -> str:
        """The screen with SGR sequences, by the library itself: a thousand times faster than cell by cell."""
        core, terminal = self._library, self._terminal
        columns, rows = terminal.size
        selection = core.init_sized("GhosttySelection")
        selection.start = terminal.ref(0, top, tag)[0]
        selection.end = terminal.ref(columns - 1, top + rows - 1, tag)[0]
        options = core.init_sized("GhosttyTerminalSelectionFormatOptions")
        options.emit = core.lib.GHOSTTY_FORMATTER_FORMAT_VT
        options.unwrap, options.trim, options.selection = False, False, selection
        call = core.lib.ghostty_terminal_selection_format_buf
        return str(core.read_buf(lambda data, size, used: call(terminal._t[0], options[0], data, size, used)))

    def cursor(self) -> tuple[int, int]:
        column, row = self._terminal.cursor
        return row, column

    def alternate(self) -> bool:
        return any(self._terminal.mode(mode) for mode in _ALTERNATE)

    def grid(self) -> Grid:
        if self._grid is None:
            from terma.sessions.grid import GhosttyGrid

            self._grid = GhosttyGrid(self._terminal)
        return self._grid.read()  # type: ignore[no-any-return]

    def mode(self, number: int) -> int:
        try:
            return 1 if self._terminal.mode(number) else 2
        except self._library.GhosttyError:
            return 0


class Pyte:
    """pyte, with the alternate screen that it lacks."""

    def __init__(self, columns: int, rows: int) -> None:
        """Raises ImportError where it is not installed."""
        import pyte  # type: ignore[import-not-found,import-untyped,unused-ignore]

        self._screens = [pyte.Screen(columns, rows), pyte.Screen(columns, rows)]
        self._streams = [pyte.ByteStream(screen) for screen in self._screens]
        self._at = 0

    def feed(self, data: bytes) -> None:
        at = 0
        for found in _SWITCH.finditer(data):
            self._draw(data[at : found.start()])
            self._at = int(found[1] == b"h")
            if self._at:
                self._screens[1].reset()
            at = found.end()
        self._draw(data[at:])

    def _draw(self, data: bytes) -> None:
        try:
            self._streams[self._at].feed(_PRIVATE_SGR.sub(b"", data))
        except Exception:  # its parser is then in a state of its own: what follows is drawn by a new one
            import pyte

            self._streams[self._at] = pyte.ByteStream(self._screens[self._at])

    def resize(self, columns: int, rows: int) -> None:
        for screen in self._screens:
            screen.resize(rows, columns)

    def rows(self) -> list[str]:
        return [row.rstrip() for row in self._screens[self._at].display]

    def cells(self) -> list[list[Run]]:
        screen = self._screens[self._at]
        return [
            [Run(char.data, _style(char)) for char in (row[column] for column in range(screen.columns))]
            for row in (screen.buffer[number] for number in range(screen.lines))
        ]

    def above(self, rows: int) -> tuple[str, int]:
        """It keeps no history."""
        return "", 0

    def cursor(self) -> tuple[int, int]:
        cursor = self._screens[self._at].cursor
        return cursor.y, cursor.x

    def alternate(self) -> bool:
        return bool(self._at)

    def grid(self) -> Grid:
        from terma.sessions.grid import pyte_grid

        return pyte_grid(self._screens[self._at])

    def mode(self, number: int) -> int:
        return 1 if number << 5 in self._screens[self._at].mode else 2


def _style(char: Any) -> Style:
    return Style(
        _named(char.fg),
        _named(char.bg),
        bold=char.bold,
        italic=char.italics,
        underline=char.underscore,
        blink=char.blink,
        reverse=char.reverse,
        strike=char.strikethrough,
    )


def _named(colour: str) -> int | tuple[int, int, int] | None:
    names = ("black", "red", "green", "brown", "blue", "magenta", "cyan", "white")
    if colour in names:
        return names.index(colour)
    if colour.startswith("bright"):
        return (
            8 + names.index(colour.removeprefix("bright")) if colour.removeprefix("bright") in names else None
        )
    if re.fullmatch("[0-9a-fA-F]{6}", colour):
        return int(colour[:2], 16), int(colour[2:4], 16), int(colour[4:], 16)
    return None
