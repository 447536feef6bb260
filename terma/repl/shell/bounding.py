"""Shows the first and the last lines of a command's output, and a key the rest: `conversation.display_lines`.

Who has to answer sees all that stands before the question: a program that waits for input, that reads single keys or
that takes the whole screen ends the bound, and what it prints from then on is counted anew.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from terma.output import plain
from terma.repl.display.live import cut
from terma.repl.shell.modes import Modes
from terma.text import one_line, strip_ansi

KEY, KEY_NAME = b"\x0f", "Ctrl+O"
KEPT = 1024 * 1024  # bytes that wait to be shown: the last ones
_OFTEN = 0.1  # seconds between two drawings of the row that counts
_LATEST = 400  # bytes of the last line that are looked at for that row
_MOVES = re.compile(rb"\x1b(?:\[(?:(?P<up>\d*)[AF]|\d*(?:;\d*)?[Hf]|[23]?J|\?(?P<whole>1049|1047|47)h)|c|M)")
_BACK = re.compile(rb"\x1b\[\?(?:1049|1047|47)l")
_LINES = re.compile(rb"[^\n]*\n|[^\n]+")
_CUT = re.compile(rb"\x1b(?:\[[0-?]{0,12})?\Z")


class Bounding:
    """`lines` of it are shown, the first third as they come. `write` is the terminal, `columns` how wide that is;
    `keys` says whether the program reads single keys. `draws`: rows can be drawn anew; `dim`: in another colour."""

    def __init__(
        self,
        lines: int,
        write: Callable[[bytes], None],
        columns: Callable[[], int],
        keys: Callable[[], bool],
        draws: bool = True,
        dim: bool = True,
    ) -> None:
        self.rest = b""  # what of the output was not shown, to its end, in rows for a terminal
        self._first = (lines + 2) // 3
        self._last = lines - self._first
        self._write, self._columns, self._keys = write, columns, keys
        self._draws, self._dim = draws, dim
        self._shown = 0  # lines of it
        self._held: bytearray | None = None
        self._count = self._gone = 0  # lines that are held, and those that were more than could be
        self._whole = False  # the program has the whole screen
        self._all = False  # the key was pressed
        self._cut = b""  # a sequence whose end is still to come
        self._drawn_at, self._stale = 0.0, False

    @property
    def holding(self) -> bool:
        """Whether there is more than is shown."""
        return self._held is not None

    def feed(self, data: bytes) -> None:
        """Take what the command printed."""
        data, self._cut = self._cut + data, b""
        if cut := _CUT.search(data[-16:]):
            data, self._cut = data[: len(data) - len(cut[0])], cut[0]
        if self._held is not None and self._keys():
            self._anew()
        while data:
            data = self._passed(data) if self._held is None else self._kept(data)

    def turn(self) -> None:
        """It is the person's turn: the end of what was held is shown, and the next lines are counted anew."""
        self._anew()
        self._flush()

    def all(self) -> None:
        """Show everything, from here to the end of the command."""
        self._all = True
        if self._held is not None:
            held, self._held = bytes(self._held), None
            self._row("")
            self._write(self._said() + for_terminal(held))

    def close(self) -> None:
        """The command has ended."""
        self._reveal()
        self._flush()

    def _anew(self) -> None:
        self._reveal()
        self._shown = 0

    def _flush(self) -> None:
        self._write(self._cut)
        self._cut = b""

    def _passed(self, data: bytes) -> bytes:
        """Write of `data` what may be shown as it is; what is left of it."""
        if self._whole:
            back = _BACK.search(data)
            end = back.end() if back else len(data)
            self._whole, self._shown = back is None, 0
            self._write(data[:end])
            return data[end:]
        if self._all or self._keys():
            self._write(data)
            return b""
        move = _MOVES.search(data)
        end = move.start() if move else len(data)
        at = 0
        while self._shown < self._first and (found := data.find(b"\n", at, end)) >= 0:
            at, self._shown = found + 1, self._shown + 1
        if self._shown >= self._first and at < end:
            self._write(data[:at])
            self._held, self._count, self._gone = bytearray(), 0, 0
            return data[at:]
        if move is None:
            self._write(data)
            return b""
        self._write(data[: move.end()])
        self._moved(move)
        return data[move.end() :]

    def _moved(self, move: re.Match[bytes]) -> None:
        """Lines that are drawn anew are no new lines."""
        if move["whole"]:
            self._whole = True
        elif move["up"] is not None:
            self._shown = max(self._shown - int(move["up"] or b"1"), 0)
        else:
            self._shown = 0

    def _kept(self, data: bytes) -> bytes:
        """Hold `data`; what of it is to be shown."""
        assert self._held is not None
        whole = next((move for move in _MOVES.finditer(data) if move["whole"]), None)
        end = whole.start() if whole else len(data)
        self._held += data[:end]
        self._count += data.count(b"\n", 0, end)
        if (over := len(self._held) - KEPT) > 0:
            over = self._held.find(b"\n", over) + 1 or over
            self._gone += self._held.count(b"\n", 0, over)
            del self._held[:over]
        if whole:
            self._anew()
            return data[end:]
        self._stale = True
        self.tick()
        return b""

    def tick(self) -> None:
        """Draw the row that counts where there is news: called now and then, also when nothing comes."""
        now = time.monotonic()
        if self._held is None or not (self._stale and self._count) or now - self._drawn_at < _OFTEN:
            return
        self._drawn_at, self._stale = now, False
        latest = strip_ansi(bytes(self._held[-_LATEST:]).decode("utf-8", "replace")).split("\n")
        self._row(f"{self._words()}: {one_line(next(filter(str.strip, reversed(latest)), ''))}")

    def _reveal(self) -> None:
        """The last lines of what is held, below a row that counts the others; all of it where it is no more."""
        if self._held is None:
            return
        held, self._held = bytes(self._held), None
        rows = for_terminal(held)
        lines = _LINES.findall(rows)
        hidden = len(lines) - self._last
        if hidden + self._gone <= 1:  # a row that says so would be no shorter
            self._row("")
            self._write(rows)
            return
        modes = Modes()
        modes.feed(rows)
        self.rest = self._said() + rows + modes.undo()
        self._count = hidden + self._gone
        self._row(self._words(), drawn=True)
        self._write(b"\r\n" + b"".join(lines[hidden:]))

    def _said(self) -> bytes:
        return f"[{self._gone:,} lines were not kept]\r\n".encode() if self._gone else b""

    def _words(self) -> str:
        return f"… {self._count:,} line{'s' * (self._count != 1)} more, {KEY_NAME} shows them"

    def _row(self, text: str, drawn: bool = False) -> None:
        """The row in the place of what is not shown; "" takes it away."""
        if not (self._draws or drawn):
            return
        shown = cut(text, max(self._columns() - 1, 10))
        row = f"\x1b[0;2m{shown}\x1b[0m" if shown and self._dim else shown
        self._write((f"\r\x1b[K{row}" if self._draws else row).encode())


def for_terminal(output: bytes) -> bytes:
    """Rows that can be written below others: as they are, or as they looked where the program moved about in them."""
    if _MOVES.search(output) is None:
        return output
    return plain(output.decode("utf-8", "replace")).replace("\n", "\r\n").encode() + b"\r\n"
