"""The calibration card: text that a target prints and a camera learns its letters from.

One stream of characters fills the screen and more, wrapped by the terminal itself, so nothing need be known of its
size: the last line of the stream stands on the screen's last line, whatever stands above. Each run of 96 holds every
printable ASCII character (the blank twice) in an order of its own, since letters that always had the same neighbours
would be known by them; it has one style, and the styles take turns.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FIRST, KINDS = 32, 95  # printable ASCII
RUN = 96
LENGTH = RUN * 160  # characters: more than 200 columns by 60 rows, and whole lines of 80
STYLES = "0 1 7 0 31 1 32 7 33 0 1;34 35 7 36 1 0 1;32 7 1;31 0".split()  # SGR parameters, one a run


@dataclass(frozen=True, slots=True)
class Sample:
    """What stands in one cell of the card: a character in a style of STYLES."""

    character: str
    style: str


def command(page: int = 0) -> str:
    """The line, for any POSIX shell with awk, that prints a page and then waits for Enter with the card in view."""
    end = LENGTH + page * RUN
    return (
        f'clear;awk \'BEGIN{{n=split("{" ".join(STYLES)}",s," ");for(i={page * RUN};i<{end};i++){{'
        f"r=int(i/{RUN});j=i%{RUN}+1;"
        f'if(j==1)printf"\\033[0;%sm",s[r%n+1];'
        f'printf"%c",{FIRST}+((1+r*29%{RUN})*j%{RUN + 1}-1)%{KINDS}}}printf"\\033[0m"}}\';read x'
    )


def sample(index: int) -> Sample:
    """The stream's character at `index`."""
    run, place = divmod(index, RUN)
    # a multiplication modulo the prime behind RUN puts 1..RUN in another order for each factor
    number = (1 + run * 29 % RUN) * (place + 1) % (RUN + 1) - 1
    return Sample(chr(FIRST + number % KINDS), STYLES[run % len(STYLES)])


def shown(columns: int, rows: int, page: int = 0) -> list[list[Sample | None]]:
    """What stands in each cell of a screen of that size; None behind the end and where the cursor stands."""
    lines = -(-LENGTH // columns)
    first = lines - rows
    return [[_at((first + row) * columns + column, page) for column in range(columns)] for row in range(rows)]


def reverse(columns: int, rows: int, page: int = 0) -> NDArray[np.float32]:
    """1 where the card is in reverse video, else 0: rows by columns."""
    first = -(-LENGTH // columns) - rows
    runs = (first * columns + np.arange(rows * columns)) // RUN + page
    return np.array([style == "7" for style in STYLES], np.float32)[runs % len(STYLES)].reshape(rows, columns)


def _at(index: int, page: int) -> Sample | None:
    # the cursor stands behind the last character, or on it where that ends a line
    return sample(index + page * RUN) if 0 <= index < LENGTH - 1 else None
