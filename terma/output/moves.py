"""What the sequences that move a cursor or take text away do to a screen: by ECMA-48 and xterm's control sequences."""

from __future__ import annotations

import re
from collections.abc import Callable

from terma.output.screen import Screen

_MOVE = re.compile(
    "(?:\x1b\\[|\x9b)([0-?]*)([ -/]*)([@-~])?|\x1b([ -/]*[0-~])?|([\r\x08\x0b\x0c\x84\x85\x8d])"
)
# DEC special graphics: what ESC ( 0 turns the characters from ` to ~ into.
_GRAPHICS = str.maketrans("`abcdefghijklmnopqrstuvwxyz{|}~", "◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·")


def obey(screen: Screen, text: str, graphics: bool) -> bool:
    """Write `text`, without what leaves nothing, on `screen`. `graphics`: letters are line drawing; whether they are
    behind it."""
    at = 0
    for match in _MOVE.finditer(text):
        start = match.start()
        if start > at:
            part = text[at:start]
            screen.write(part.translate(_GRAPHICS) if graphics else part)
        elif at:
            screen.last = ""
        at = match.end()
        numbers, between, final, escape, control = match.groups()
        if final:
            act = _CSI.get(final)
            if act and not between:
                act(screen, _numbers(numbers))
        elif control:
            _CONTROL[control](screen)
        elif escape in _ESCAPE:
            _ESCAPE[escape](screen)
        elif escape and escape[0] == "(":
            graphics = escape == "(0"
    if at < len(text):
        screen.write(text[at:].translate(_GRAPHICS) if graphics else text[at:])
    elif at:
        screen.last = ""
    return graphics


def _numbers(text: str) -> list[int]:
    """The parameters of a sequence, each at most 9999 and 0 where it is missing; never empty."""
    return [min(int(part[:5]), 9999) if part.isdigit() else 0 for part in text.split(";")[:4]]


def _back(screen: Screen) -> None:
    screen.column = max(screen.at() - 1, 0)


def _next_line(screen: Screen) -> None:
    screen.column = 0
    screen.down()


def _vertical(direction: int, *, first_column: bool = False) -> Callable[[Screen, list[int]], None]:
    def move(screen: Screen, numbers: list[int]) -> None:
        screen.move(screen.row + direction * (numbers[0] or 1), 0 if first_column else screen.column)

    return move


def _horizontal(direction: int) -> Callable[[Screen, list[int]], None]:
    def move(screen: Screen, numbers: list[int]) -> None:
        screen.move(screen.row, screen.at() + direction * (numbers[0] or 1))

    return move


def _column(screen: Screen, numbers: list[int]) -> None:
    screen.move(screen.row, (numbers[0] or 1) - 1)


def _line(screen: Screen, numbers: list[int]) -> None:
    screen.expect(numbers[0])
    screen.move(screen.home + (numbers[0] or 1) - 1, screen.column)


def _place(screen: Screen, numbers: list[int]) -> None:
    _line(screen, numbers)
    _column(screen, numbers[1:] or [1])


def _tabs(direction: int) -> Callable[[Screen, list[int]], None]:
    def move(screen: Screen, numbers: list[int]) -> None:
        stop = screen.at() if direction > 0 else screen.at() + 7
        screen.move(screen.row, (stop // 8 + direction * (numbers[0] or 1)) * 8)

    return move


def _erase_line(screen: Screen, numbers: list[int]) -> None:
    column = screen.column  # past the end of a line just filled: then nothing is taken from it
    row = screen.rows[screen.row]
    if numbers[0] == 0:
        if column < len(row.cells):
            screen.edit(column, len(row.cells), "")
    elif numbers[0] == 1:
        screen.edit(0, column + 1, " " * min(column + 1, len(row.cells)))
    elif numbers[0] == 2:
        row.cells = ""
    if numbers[0] != 1 and not row.cells:
        row.follows = False


def _erase_screen(screen: Screen, numbers: list[int]) -> None:
    if numbers[0] == 0:
        _erase_line(screen, [0])
        screen.blank(screen.row + 1, len(screen.rows))
    elif numbers[0] == 1:
        _erase_line(screen, [1])
        screen.blank(screen.home, screen.row)
    elif numbers[0] == 2:
        screen.blank(screen.home, len(screen.rows))
    elif numbers[0] == 3:
        screen.forget()


def _erase_characters(screen: Screen, numbers: list[int]) -> None:
    column = screen.column
    end = min(column + (numbers[0] or 1), len(screen.rows[screen.row].cells))
    if end > column:
        screen.edit(column, end, " " * (end - column))


def _insert_characters(screen: Screen, numbers: list[int]) -> None:
    column = screen.column
    if column < len(screen.rows[screen.row].cells):
        screen.edit(column, column, " " * min(numbers[0] or 1, screen.width - column))


def _delete_characters(screen: Screen, numbers: list[int]) -> None:
    column = screen.column
    if column < len(screen.rows[screen.row].cells):
        screen.edit(column, column + (numbers[0] or 1), "")


def _region(screen: Screen, numbers: list[int]) -> None:
    first, last = numbers[0] or 1, (numbers[1:] or [0])[0]
    screen.expect(last)
    last = min(last or screen.height, screen.height)
    screen.region = (first - 1, last - 1) if first < last and (first, last) != (1, screen.height) else None
    screen.move(screen.home + screen.height - 1, 0)  # from here on the screen is as long as it is high
    screen.move(screen.home, 0)


def _reset(screen: Screen) -> None:
    screen.region = None
    screen.blank(screen.home, len(screen.rows))
    screen.move(screen.home, 0)


_CSI: dict[str, Callable[[Screen, list[int]], None]] = {
    "@": _insert_characters,
    "A": _vertical(-1),
    "B": _vertical(1),
    "C": _horizontal(1),
    "D": _horizontal(-1),
    "E": _vertical(1, first_column=True),
    "F": _vertical(-1, first_column=True),
    "G": _column,
    "H": _place,
    "I": _tabs(1),
    "J": _erase_screen,
    "K": _erase_line,
    "L": lambda screen, numbers: screen.insert_lines(numbers[0] or 1, screen.row),
    "M": lambda screen, numbers: screen.delete_lines(numbers[0] or 1, screen.row),
    "P": _delete_characters,
    "S": lambda screen, numbers: screen.scroll(numbers[0] or 1),
    "T": lambda screen, numbers: screen.insert_lines(numbers[0] or 1, screen.margins()[0]),
    "X": _erase_characters,
    "Z": _tabs(-1),
    "`": _column,
    "a": _horizontal(1),
    "b": lambda screen, numbers: screen.repeat(numbers[0] or 1),
    "d": _line,
    "e": _vertical(1),
    "f": _place,
    "r": _region,
    "s": lambda screen, numbers: screen.save(),
    "u": lambda screen, numbers: screen.restore(),
}
_ESCAPE: dict[str, Callable[[Screen], None]] = {
    "7": Screen.save,
    "8": Screen.restore,
    "D": Screen.down,
    "E": _next_line,
    "M": Screen.up,
    "c": _reset,
}
_CONTROL: dict[str, Callable[[Screen], None]] = {
    "\r": Screen.back,
    "\x08": _back,
    "\x0b": Screen.down,
    "\x0c": Screen.down,
    "\x84": Screen.down,
    "\x85": _next_line,
    "\x8d": Screen.up,
}
