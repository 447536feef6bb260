"""Pictures of terminal cells: what is in them, and that only what changed is drawn."""

from __future__ import annotations

import numpy as np
import pytest

from terma.errors import UsageError
from terma.picture import fallback
from terma.picture.cells import BLANK, PLAIN, Cell, Grid, Style, grid_of
from terma.picture.colours import PALETTE, Theme
from terma.picture.painter import PADDING, Painter

THEME = Theme()


@pytest.fixture(scope="module")
def drawn():
    """A picture of a grid of its own painter."""

    def draw(grid: Grid, columns: int = 20, rows: int = 4):
        return Painter(columns, rows).paint(grid).copy()

    return draw


def cell(picture, row: int, column: int, cells: int = 1):
    font = Painter(1, 1).font
    top, left = PADDING + row * font.height, PADDING + column * font.width
    return picture[top : top + font.height, left : left + font.width * cells]


def row_of(*cells: Cell, columns: int = 20) -> Grid:
    return Grid(((*cells, *[BLANK] * (columns - len(cells))),))


def colours(part) -> set[tuple[int, int, int]]:
    """As red, green, blue."""
    return {tuple(int(one) for one in pixel[::-1]) for pixel in part.reshape(-1, 3)}


def test_a_letter_is_drawn_in_its_cell_and_nowhere_else(drawn):
    picture = drawn(grid_of("\n A", 20, 4))
    letter = cell(picture, 1, 1).copy()
    assert THEME.foreground in colours(letter)
    cell(picture, 1, 1)[:] = THEME.background[::-1]
    assert colours(picture) == {THEME.background}


def test_what_is_bold_has_more_ink_and_what_is_dim_less_light(drawn):
    plain, bold, dim = (
        drawn(row_of(Cell("M", style))).astype(int).sum()
        for style in (PLAIN, Style(bold=True), Style(dim=True))
    )
    assert bold > plain > dim


def test_italic_and_underline_look_different(drawn):
    plain, italic, under = (
        drawn(row_of(Cell("M", style))) for style in (PLAIN, Style(italic=True), Style(underline=True))
    )
    assert (plain != italic).any() and (plain != under).any()
    assert THEME.foreground in colours(cell(under, 0, 0)[-4:])


@pytest.mark.parametrize(
    ("style", "ink", "ground"),
    [
        (Style(foreground=1, background=4), PALETTE[1], PALETTE[4]),
        (Style(foreground=(1, 2, 3), background=(250, 251, 252)), (1, 2, 3), (250, 251, 252)),
        (Style(foreground=196, reverse=True), THEME.background, (255, 0, 0)),
        (Style(foreground=232), (8, 8, 8), THEME.background),
    ],
)
def test_colours_are_those_of_the_style(drawn, style, ink, ground):
    seen = colours(cell(drawn(row_of(Cell("█", style), Cell(" ", style))), 0, 0, 2))
    assert {ink, ground} <= seen


def test_hidden_text_is_not_in_the_picture(drawn):
    assert np.array_equal(drawn(row_of(Cell("X", Style(hidden=True)))), drawn(row_of()))


def test_the_cursor_turns_its_cell_around_and_leaves_no_trace():
    painter = Painter(20, 4)
    grid = grid_of("abc", 20, 4)
    without = painter.paint(grid).copy()
    at = painter.paint(Grid(grid.rows, (0, 1))).copy()
    assert THEME.foreground in colours(cell(at, 0, 1)[:2])
    assert np.array_equal(painter.paint(Grid(grid.rows, (2, 5)))[:30], without[:30])
    assert np.array_equal(painter.paint(grid), without)


def test_reverse_video_turns_the_whole_picture_around_padding_too():
    painter = Painter(20, 4)
    grid = grid_of("abc", 20, 4)
    plain = painter.paint(grid).copy()
    turned = painter.paint(Grid(grid.rows, inverted=True)).copy()
    assert colours(plain[:PADDING]) == {THEME.background}
    assert colours(turned[:PADDING]) == {THEME.foreground}
    assert np.array_equal(painter.paint(grid), plain)


def test_what_no_font_has_is_a_box_of_its_width(drawn, monkeypatch):
    monkeypatch.setattr(fallback, "candidates", lambda character: [])
    wide = drawn(row_of(Cell("漢", wide=True), Cell("")))
    narrow = drawn(row_of(Cell("\u0f00")))
    boxes = cell(wide, 0, 0, 2), cell(narrow, 0, 0)
    for box in boxes:
        assert THEME.foreground in colours(box)
        middle = box[box.shape[0] // 2, 3:-3]
        assert colours(middle[None]) == {THEME.background}
    assert np.array_equal(wide, drawn(row_of(Cell("字", wide=True), Cell(""))))


def test_marks_stand_on_their_letter(drawn):
    assert (drawn(row_of(Cell("e\u0301"))) != drawn(row_of(Cell("e")))).any()


def test_only_rows_that_changed_are_drawn(monkeypatch):
    painter = Painter(20, 4)
    grid = grid_of("one\ntwo\nthree", 20, 4)
    painter.paint(grid)
    drawn: list[int] = []
    real = painter._paint_row
    monkeypatch.setattr(
        painter, "_paint_row", lambda number, *rest: (drawn.append(number), real(number, *rest))
    )
    rows = list(grid.rows)
    rows[1] = (Cell("T"), *rows[1][1:])
    painter.paint(Grid(tuple(rows)))
    painter.paint(Grid(tuple(rows), (3, 0)))
    painter.paint(Grid(tuple(tuple(row) for row in rows), (3, 0)))
    assert drawn == [1, 3]


def test_more_glyphs_than_are_kept_are_still_drawn_right():
    painter, fresh = Painter(80, 2), Painter(80, 2)
    for number in range(0, 90):
        row = tuple(Cell("M", Style(foreground=(number, column, 7))) for column in range(80))
        picture = painter.paint(Grid((row,)))
    assert np.array_equal(picture, fresh.paint(Grid((row,))))


def test_a_font_that_is_none_is_said_in_a_line(place):
    (place / "font.ttf").write_text("no font")
    with pytest.raises(UsageError, match="no font that can be read"):
        Painter(20, 4, font=place / "font.ttf")


def test_the_fonts_licence_comes_with_it():
    import fontpkg_jetbrains_mono as package

    assert "SIL Open Font License" in (package.ROOT / "LICENSE").read_text(encoding="utf-8")
