"""The terminal emulators there are wheels for, each in the form of screen.Emulator, imported when first made.

pyghostty (Apache-2.0, the terminal of Ghostty) is right on everything that was tried and draws 30 MB a second. pyte
(LGPL, so never a dependency: used where a person has installed it) needs guarding: it has no alternate screen, and
some private sequences make it raise.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from terma.picture.cells import Grid

_ALTERNATE = (1049, 1047, 47)
_SWITCH = re.compile(rb"\x1b\[\?(?:\d+;)*(?:1049|1047|47)(?:;\d+)*([hl])")
_PRIVATE_SGR = re.compile(rb"\x1b\[[<=>?][\d;:]*m")


class Ghostty:
    """libghostty-vt."""

    def __init__(self, columns: int, rows: int) -> None:
        """Raises ImportError where it is not installed, or there is none for this machine."""
        try:
            import pyghostty  # type: ignore[import-not-found,import-untyped,unused-ignore]
        except OSError as error:
            raise ImportError(str(error)) from error
        self._terminal: Any = pyghostty.Terminal(columns, rows, scrollback=0)
        self._grid: Any = None

    def feed(self, data: bytes) -> None:
        self._terminal.feed(data)

    def resize(self, columns: int, rows: int) -> None:
        self._terminal.resize(columns, rows)

    def rows(self) -> list[str]:
        height = self._terminal.size[1]
        rows = [row.rstrip() for row in self._terminal.text().split("\n")][:height]
        return rows + [""] * (height - len(rows))

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

    def redraw(self) -> bytes:
        return redraw(self.rows(), self.cursor())


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

    def cursor(self) -> tuple[int, int]:
        cursor = self._screens[self._at].cursor
        return cursor.y, cursor.x

    def alternate(self) -> bool:
        return bool(self._at)

    def grid(self) -> Grid:
        from terma.sessions.grid import pyte_grid

        return pyte_grid(self._screens[self._at])

    def redraw(self) -> bytes:
        return redraw(self.rows(), self.cursor())


def redraw(rows: list[str], cursor: tuple[int, int]) -> bytes:
    """What makes another terminal show these rows."""
    text = "\x1b[2J\x1b[H" + "\r\n".join(rows) + f"\x1b[{cursor[0] + 1};{cursor[1] + 1}H"
    return text.encode("utf-8", "replace")
