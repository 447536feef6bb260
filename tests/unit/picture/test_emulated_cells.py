"""What an emulator hands over to be drawn: characters, widths, colours, and which rows changed."""

from __future__ import annotations

import pytest

from terma.picture.cells import BLANK, Cell, Style
from terma.sessions import emulators


def made(kind):
    try:
        return kind(20, 4)
    except ImportError:
        pytest.skip(f"{kind.__name__} is not installed (the extra [screen])")


@pytest.fixture(params=[emulators.Ghostty, emulators.Pyte], ids=["ghostty", "pyte"])
def screen(request):
    return made(request.param)


def first(screen, count: int) -> list[Cell]:
    return list(screen.grid().rows[0][:count])


def test_text_stands_cell_by_cell_with_its_style(screen):
    screen.feed(b"a\x1b[1;31mb\x1b[0;4;38;2;1;2;3mc\x1b[0;7;44md\x1b[0;3;97me")
    assert first(screen, 6) == [
        Cell("a"),
        Cell("b", Style(1, bold=True)),
        Cell("c", Style((1, 2, 3), underline=True)),
        Cell("d", Style(None, 4, reverse=True)),
        Cell("e", Style(15, italic=True)),
        BLANK,
    ]


def test_what_is_wide_takes_two_cells(screen):
    screen.feed("漢x".encode())
    assert first(screen, 3) == [Cell("漢", wide=True), Cell(""), Cell("x")]


def test_combining_marks_stay_with_their_letter():
    screen = made(emulators.Ghostty)
    screen.feed("ae\u0301".encode())
    assert first(screen, 2) == [Cell("a"), Cell("e\u0301")]


def test_a_line_erased_in_a_colour_keeps_it(screen):
    screen.feed(b"\x1b[44m\x1b[K")
    assert {cell.style.background for cell in screen.grid().rows[0]} == {4}


def test_dim_and_hidden_text_is_known_as_such():
    screen = made(emulators.Ghostty)
    screen.feed(b"\x1b[2md\x1b[0;8mh")
    assert first(screen, 2) == [Cell("d", Style(dim=True)), Cell("h", Style(hidden=True))]


def test_cursor_and_reverse_video_are_told(screen):
    screen.feed(b"\r\n  ")
    assert (screen.grid().cursor, screen.grid().inverted) == ((1, 2), False)
    screen.feed(b"\x1b[?25l\x1b[?5h")
    assert (screen.grid().cursor, screen.grid().inverted) == (None, True)
    screen.feed(b"\x1b[?25h\x1b[?5l")
    assert (screen.grid().cursor, screen.grid().inverted) == ((1, 2), False)


def test_rows_that_did_not_change_are_the_same_objects():
    screen = made(emulators.Ghostty)
    screen.feed(b"one\r\ntwo\r\nthree")
    before = screen.grid().rows
    screen.feed(b"\x1b[1;1Hx")
    after = screen.grid().rows
    changed = [number for number, row in enumerate(after) if row is not before[number]]
    assert 0 in changed and 3 not in changed
    assert after[0][0] == Cell("x")
    again = screen.grid().rows
    assert all(one is other for one, other in zip(again, after, strict=True))


def test_a_new_size_is_a_new_grid():
    screen = made(emulators.Ghostty)
    screen.feed(b"hello")
    screen.grid()
    screen.resize(30, 6)
    grid = screen.grid()
    assert len(grid.rows) == 6 and {len(row) for row in grid.rows} == {30}
    assert "".join(cell.text for cell in grid.rows[0]).startswith("hello")
