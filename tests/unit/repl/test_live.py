"""Rows that are drawn anew in place leave on the screen what was drawn last, and nothing of what was before."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from terma.output import plain
from terma.repl.display.live import Live, cells, cut, tail

ROW = st.text(alphabet="ab 中é", max_size=30).map(lambda text: text.rstrip())
STEP = st.one_of(
    st.tuples(st.just("draw"), st.lists(ROW, max_size=8)),
    st.tuples(st.just("print"), st.lists(ROW.filter(bool), min_size=1, max_size=3)),
    st.tuples(st.just("clear"), st.just([])),
)


class Paper:
    """Takes what is written, and shows it as a terminal of this size would."""

    def __init__(self, columns: int = 20, lines: int = 6) -> None:
        self.size = (columns, lines)
        self.raw = ""
        self.live = Live(self.write, lambda: self.size)

    def write(self, text: str) -> None:
        self.raw += text

    @property
    def shown(self) -> list[str]:
        text = plain(self.raw.replace("\r\n", "\n"), *self.size)
        return [line.rstrip() for line in text.rstrip("\n").split("\n")]


@settings(deadline=None)
@given(st.lists(STEP, max_size=12))
def test_the_screen_holds_what_was_printed_and_the_last_rows(steps: list[tuple[str, list[str]]]) -> None:
    paper = Paper()
    printed: list[str] = []
    drawn: list[str] = []
    for what, rows in steps:
        if what == "draw":
            paper.live.draw(rows)
            drawn = [cut(row, paper.live.columns).rstrip() for row in rows[-paper.live.room :]]
        elif what == "print":
            short = [cut(row, paper.live.columns).rstrip() for row in rows]
            paper.live.print("\n".join(short) + "\n")
            printed += short
            drawn = []
        else:
            paper.live.clear()
            drawn = []
    wanted = "\n".join([*printed, *drawn]).rstrip("\n").split("\n")
    assert paper.shown == wanted


def test_rows_that_stay_are_not_written_again() -> None:
    paper = Paper()
    paper.live.draw(["first", "second"])
    paper.raw = ""
    paper.live.draw(["first", "second"])
    assert paper.raw == ""
    paper.live.draw(["first", "other"])
    assert "first" not in paper.raw
    assert "other" in paper.raw


def test_no_row_is_wider_and_no_drawing_taller_than_the_terminal() -> None:
    paper = Paper(columns=12, lines=4)
    paper.live.draw(["中" * 40, *(str(number) for number in range(9))])
    assert paper.shown == ["6", "7", "8"]
    paper.live.draw(["中" * 40])
    assert cells(paper.shown[0]) <= 11


def test_a_terminal_that_became_narrower_is_left_as_clean() -> None:
    paper = Paper(columns=20)
    paper.live.print("above\n")
    paper.live.draw(["x" * 15, "y"])
    paper.raw = "above\n" + "x" * 10 + "\n" + "x" * 5 + "\ny"  # as the terminal wraps it anew
    paper.size = (10, 6)
    paper.live.draw(["small"])
    assert paper.shown == ["above", "small"]


def test_codes_are_kept_when_a_row_is_cut() -> None:
    assert cut("\x1b[1mabcdef\x1b[0m", 3) == "\x1b[1mabc\x1b[0m"


def test_of_what_is_typed_the_end_is_seen() -> None:
    assert tail("short", 10) == "short"
    assert tail("a long line", 6) == "… line"
    assert cells(tail("中" * 9, 6)) <= 6
    assert tail("ab", 0) == "…"
