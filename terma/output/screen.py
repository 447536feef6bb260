"""A screen that forgets nothing: a cursor moves in the lines that can still be reached, the rest is text already.

How much of a line or of the screen a move reaches follows ECMA-48 and xterm's control sequences. The number of
lines is often unknown; then relative moves reach `REACH` lines back, and absolute ones count from the top of a
screen as small as what was seen allows."""

from __future__ import annotations

from terma.output import unfinished
from terma.output.cells import TAB, Cells, mark, mend, split, width

REACH = 300  # lines above the cursor that may still change
GUESSED_LINES = 24
UNKNOWN_WIDTH = 1024  # longer lines are stored in parts, and joined in the text
MAX_WIDTH = 4096


class Row:
    """One line of the screen. `follows`: it goes on where the line above was full."""

    __slots__ = ("cells", "follows")

    def __init__(self, cells: Cells = "") -> None:
        self.cells = cells
        self.follows = False


class Screen:
    """`columns` and `lines` in cells, 0 when unknown. `spare` bounds the blanks that moves may make, so that the
    text stays within a constant factor of what was printed."""

    def __init__(self, columns: int, lines: int, spare: int = 65_536) -> None:
        self.width = min(max(columns, 2), MAX_WIDTH) if columns > 0 else UNKNOWN_WIDTH
        self.fixed = lines > 0
        self.height = min(lines, REACH) if lines > 0 else GUESSED_LINES
        self.keep = self.height if lines > 0 else REACH
        self.rows = [Row()]
        self.row = self.column = 0
        self.region: tuple[int, int] | None = None  # first and last line that scroll, counted from home
        self._saved = (0, 0)
        self._spare = spare
        self._done: list[str] = []
        self.forgot = False  # whether what had left it was dropped since `taken` was called
        self.last = ""  # the character just printed, "" after anything else
        self._returned: tuple[Row, Cells] | None = None  # a row behind whose blanks the cursor went back

    @property
    def home(self) -> int:
        """The index in `rows` of the screen's first line."""
        return max(0, len(self.rows) - self.height)

    def taken(self, end: bool = False) -> str:
        """What can no longer change, and was not taken before: one line a line, long ones joined again. `end`: nothing
        more comes."""
        if end:
            self._retire(len(self.rows))
        done, self._done, self.forgot = "".join(self._done), [], False
        return done

    def grow(self, characters: int) -> None:
        """So many are going to be printed: moves may make as many blanks."""
        self._spare += characters

    # Writing

    def write(self, text: str) -> None:
        """Put `text`, not empty, which holds LF and TAB and no other control; a LF starts a new line."""
        self.last = text[-1]
        if "\n" not in text:
            self._put(text)
            return
        first, *rest = text.split("\n")
        self._put(first)
        if len(rest) > self.keep and self.region is None and self.row == len(self.rows) - 1:
            self._retire(len(self.rows))
            self._done.extend(line + "\n" for line in rest[: -self.keep])
            del rest[: -self.keep]
            self.rows, self.row, self.column = [Row()], 0, 0
            self._put(rest.pop(0))
        for line in rest:
            self.column = 0
            self.down()
            self._put(line)

    def repeat(self, count: int) -> None:
        """Put the character just printed `count` more times."""
        if self.last not in "\n\t":
            self._put(self.last * self._afford(min(count, self.width)))

    def _put(self, text: str) -> None:
        if "\t" in text:
            first, *rest = text.split("\t")
            self._print(first)
            for part in rest:
                self._tab()
                self._print(part)
        elif text:
            self._print(text)

    def _print(self, text: str) -> None:
        if not text:
            return
        cells, at = split(text), 0
        row = self.rows[self.row]
        if not isinstance(cells, str) and 0 < self.column <= len(row.cells) and not width(text[0]):
            row.cells = list(row.cells)
            mark(row.cells, self.column, cells.pop(0))
        end = self.column + len(cells)
        if (
            isinstance(cells, str)
            and isinstance(row.cells, str)
            and self.column <= len(row.cells)
            and end <= self.width
        ):
            row.cells = (
                row.cells[: self.column] + cells + row.cells[end:]
            )  # what follows, for the common case
            self.column = end
            return
        while at < len(cells):
            if self.column >= self.width:
                self.column = 0
                self.down()
                self.rows[self.row].follows = True
            end = at + self.width - self.column
            if end < len(cells) and not cells[end]:  # a wide character does not fit: it goes to the next line
                end -= 1
            self.column = self.edit(self.column, self.column + len(cells[at:end]), cells[at:end])
            if end < len(cells):
                self.column = self.width
            at = end

    def _tab(self) -> None:
        stop = min((self.column // TAB + 1) * TAB, self.width - 1)
        row = self.rows[self.row]
        if len(row.cells) <= self.column < stop:
            self.edit(self.column, stop, ["\t", *[""] * (stop - self.column - 1)])
        self.column = max(self.column, stop)

    def edit(self, start: int, end: int, part: Cells) -> int:
        """Replace the cells from `start` to `end` of the cursor's line; the column after `part`."""
        row = self.rows[self.row]
        gap = start - len(row.cells)
        if gap > 0:
            blanks = " " * self._afford(gap)
            start -= gap - len(blanks)
            end -= gap - len(blanks)
            row.cells = row.cells + (blanks if isinstance(row.cells, str) else list(blanks))  # type: ignore[operator]
        if isinstance(row.cells, str) and isinstance(part, str):
            row.cells = (row.cells[:start] + part + row.cells[end:])[: self.width]
        else:
            cells = list(row.cells)
            mend(cells, start)
            mend(cells, end)
            cells[start:end] = part
            row.cells = cells[: self.width]
        return start + len(part)

    def _afford(self, blanks: int) -> int:
        granted = min(blanks, max(self._spare, 1))
        self._spare -= granted
        return granted

    # Moving

    def at(self) -> int:
        """The cursor's column; a line that was just filled leaves it on the last one."""
        return min(self.column, self.width - 1)

    def move(self, row: int, column: int) -> None:
        """Go to a line (an index of `rows`) and column; what is off the screen is its nearest edge."""
        lowest = max(len(self.rows), self.home + self.height) - 1
        self.row = min(max(row, 0), lowest)
        self.column = min(max(column, 0), self.width - 1)
        while len(self.rows) <= self.row:
            self.rows.append(Row())

    def expect(self, line: int) -> None:
        """A program names `line` (from 1): a screen of unknown size is at least that long."""
        if not self.fixed and line <= REACH:
            self.height = max(self.height, line)

    def back(self) -> None:
        """The first column; behind what zsh draws where a line was left unfinished, that of the next line."""
        row, before = self.rows[self.row], self._returned
        self._returned = None
        if before is not None and before[0] is row:
            if end := unfinished.end_of_output(before[1], row.cells, self.column):
                row.cells = before[1][:end]
                self.down()
        elif self.width == UNKNOWN_WIDTH and unfinished.may_follow(row.cells, self.column):
            self._returned = row, row.cells
        self.column = 0

    def down(self) -> None:
        """The next line, same column; at the end of the screen or of the scrolling lines everything goes up."""
        if self.region and self.row == self.home + self.region[1]:
            self.scroll(1)
        elif self.row == len(self.rows) - 1:
            self.rows.append(Row())
            self.row += 1
            self._retire(len(self.rows) - self.keep)
        else:
            self.row += 1

    def up(self) -> None:
        """The line above; at the top everything goes down."""
        top, _ = self.margins()
        if self.row == top:
            self.insert_lines(1, top)
        else:
            self.row = max(self.row - 1, 0)

    def margins(self) -> tuple[int, int]:
        """First and last index of the lines that scroll."""
        first, last = self.region or (0, self.height - 1)
        home = self.home
        return home + first, home + last

    def scroll(self, count: int) -> None:
        """Scroll up: what leaves at the top of the screen stays in the text, what leaves a region below it goes."""
        top, bottom = self.margins()
        count = self._afford(min(count, bottom - top + 1))
        self._fill(bottom)
        if top > self.home:
            self.delete_lines(count, top)
            return
        self.rows[bottom + 1 : bottom + 1] = [Row() for _ in range(count)]
        self.row += count
        self._retire(len(self.rows) - self.keep)

    def insert_lines(self, count: int, at: int) -> None:
        """Blank lines before line `at`; as many leave at the end of the lines that scroll."""
        top, bottom = self.margins()
        if top <= at <= bottom:
            count = self._afford(min(count, bottom - at + 1))
            self.rows[at:at] = [Row() for _ in range(count)]
            del self.rows[bottom + 1 : bottom + 1 + count]

    def delete_lines(self, count: int, at: int) -> None:
        """Line `at` and the next ones go, and blank ones come in at the end of the lines that scroll."""
        top, bottom = self.margins()
        if top <= at <= bottom:
            self._fill(bottom)
            count = self._afford(min(count, bottom - at + 1))
            self.rows[bottom + 1 : bottom + 1] = [Row() for _ in range(count)]
            del self.rows[at : at + count]

    def save(self) -> None:
        """Remember the cursor's place on the screen."""
        self._saved = (self.row - self.home, self.column)

    def restore(self) -> None:
        """Back to the remembered place."""
        self.move(self.home + self._saved[0], self._saved[1])

    # Erasing

    def blank(self, first: int, last: int) -> None:
        """Empty the lines from index `first` to before `last`."""
        for row in self.rows[max(first, 0) : last]:
            row.cells, row.follows = "", False

    def forget(self) -> None:
        """Drop what has left the screen, as a terminal asked to clear its scrollback."""
        self._done.clear()
        self.forgot = True
        gone = min(self.home, self.row)
        del self.rows[:gone]
        self.row -= gone

    def _fill(self, bottom: int) -> None:
        while len(self.rows) <= bottom:
            self.rows.append(Row())

    def _retire(self, count: int) -> None:
        """Make text of the first `count` lines."""
        if count <= 0:
            return
        for index, row in enumerate(self.rows[:count]):
            after = self.rows[index + 1] if index + 1 < len(self.rows) else None
            goes_on = after is not None and after.follows and len(row.cells) >= self.width - 1
            self._done.append("".join(row.cells) + ("" if goes_on else "\n"))
        del self.rows[:count]
        self.row -= count
