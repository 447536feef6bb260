"""A long output's beginning and end, whatever the program does with the terminal meanwhile."""

from __future__ import annotations

import pytest

from terma.output import plain
from terma.repl.shell.bounding import Bounding


class Stand:
    """A Bounding of nine lines, and what the terminal shows. `raw`: the program reads single keys."""

    def __init__(self) -> None:
        self.data, self.raw = b"", False
        self.bound = Bounding(9, self.write, lambda: 60, lambda: self.raw)

    def write(self, data: bytes) -> None:
        self.data += data

    def feed(self, data: bytes, size: int) -> None:
        for at in range(0, len(data), size):
            self.bound.feed(data[at : at + size])

    @property
    def rows(self) -> list[str]:
        return plain(self.data.decode(), 60, 400).split("\n")


def lines(first: int, last: int) -> bytes:
    return b"".join(b"%d\r\n" % number for number in range(first, last + 1))


PIECES = pytest.mark.parametrize("size", (1, 3, 4096))


@PIECES
def test_the_first_third_and_the_end(size: int) -> None:
    stand = Stand()
    stand.feed(lines(1, 50), size)
    stand.bound.close()
    gap = "… 41 lines more, Ctrl+O shows them"
    assert stand.rows == ["1", "2", "3", gap, *map(str, range(45, 51))]
    assert stand.bound.rest == lines(4, 50)


@PIECES
@pytest.mark.parametrize("last", (3, 9, 10))
def test_what_a_row_would_not_shorten_is_whole(size: int, last: int) -> None:
    stand = Stand()
    stand.feed(lines(1, last), size)
    stand.bound.close()
    assert stand.rows == [str(number) for number in range(1, last + 1)]
    assert not stand.bound.rest


@PIECES
def test_lines_that_are_drawn_anew_are_no_more_lines(size: int) -> None:
    stand = Stand()
    report = b"".join(b"\x1b[2A\r\x1b[Kone %d\r\n\x1b[Ktwo %d\r\n" % (n, n) for n in range(100))
    stand.feed(b"one\r\ntwo\r\n" + report, size)
    assert not stand.bound.holding
    assert stand.rows == ["one 99", "two 99"]


@PIECES
def test_what_was_drawn_anew_behind_the_bound_is_told_as_it_looked(size: int) -> None:
    stand = Stand()
    stand.feed(lines(1, 20) + b"".join(b"\x1b[A\r\x1b[K%d %%\r\n" % n for n in range(100)), size)
    stand.bound.close()
    assert stand.rows[:3] + stand.rows[4:] == ["1", "2", "3", "15", "16", "17", "18", "19", "99 %"]


@PIECES
def test_the_whole_screen_is_the_program_s(size: int) -> None:
    stand = Stand()
    stand.feed(lines(1, 30), size)
    drawn = b"\x1b[?1049h\x1b[H" + lines(100, 160) + b"\x1b[?1049l"
    stand.feed(drawn, size)
    assert drawn in stand.data
    stand.feed(lines(1, 3), size)
    assert not stand.bound.holding, "what it prints behind that is counted anew"


def test_who_reads_single_keys_is_not_bounded() -> None:
    stand = Stand()
    stand.feed(lines(1, 30), 4096)
    stand.raw = True
    stand.feed(b"pick one" + lines(1, 20), 4096)
    assert stand.data.endswith(lines(26, 30) + b"pick one" + lines(1, 20))


def test_the_key_shows_all_that_comes() -> None:
    stand = Stand()
    stand.feed(lines(1, 30), 4096)
    stand.bound.all()
    stand.feed(lines(31, 60), 4096)
    stand.bound.close()
    assert stand.rows == [str(number) for number in range(1, 61)]
    assert not stand.bound.rest


def test_more_than_is_kept_is_said() -> None:
    stand = Stand()
    stand.feed(lines(1, 400_000), 65536)
    stand.bound.close()
    assert len(stand.bound.rest) < 1_100_000
    said, first = stand.bound.rest.split(b"\r\n")[:2]
    assert said.decode() == f"[{int(first) - 4:,} lines were not kept]"
    assert "… 399,991 lines more, Ctrl+O shows them" in stand.rows
