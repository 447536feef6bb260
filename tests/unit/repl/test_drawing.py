"""What is drawn is what was said: no control reaches the terminal, and a command is shown to the last character."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from terma.repl.display.drawing import Drawing, visible
from terma.repl.display.live import cells

SGR = re.compile(r"\x1b\[[\d;]*m")


def bare(rows: list[str]) -> list[str]:
    return [SGR.sub("", row) for row in rows]


@pytest.fixture(scope="module")
def drawing() -> Drawing:
    return Drawing(colours=True)


@pytest.fixture(scope="module")
def colourless() -> Drawing:
    return Drawing(colours=False)


@settings(deadline=None)
@given(command=st.text(max_size=120))
@example(command="rm -rf twenty-six.character and")  # a blank at a fold
def test_a_command_is_shown_whole_and_exactly(drawing: Drawing, command: str) -> None:
    rows = bare(drawing.command(command, 30))
    assert all(row[:2] in ("│ ", "┆ ") for row in rows)
    lines: list[str] = []
    for row in rows:
        if row.startswith("│ "):
            lines.append(row[2:])
        else:
            lines[-1] += row[2:]
    assert "\n".join(lines) == visible(command)[0]


@settings(deadline=None)
@given(text=st.text(max_size=200))
def test_nothing_that_a_terminal_obeys_is_drawn(drawing: Drawing, text: str) -> None:
    for row in [*drawing.markdown(text, 40), *drawing.command(text, 40), *drawing.text(text, "dim", 40)]:
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", SGR.sub("", row))


@settings(deadline=None)
@given(text=st.text(alphabet="ab中é |-\n`*#>1.", max_size=200), columns=st.integers(24, 60))
def test_no_row_is_wider_than_the_terminal(drawing: Drawing, text: str, columns: int) -> None:
    for row in [*drawing.markdown(text, columns), *drawing.command(text, columns)]:
        assert cells(row) <= columns, row


def test_what_nobody_sees_in_a_command_is_spelled_out() -> None:
    command = "echo \x1b[2K\u202e\tx  \nls"
    assert visible(command)[0] == "echo \\x1b[2K\\u202e\\tx··\nls"


def test_a_reference_in_markdown_cannot_smuggle_a_character(drawing: Drawing) -> None:
    assert bare(drawing.markdown("a&#8238;b &#x202e;c", 40)) == ["ab c"]


def test_markdown_of_every_day(drawing: Drawing) -> None:
    text = "# Head\n\n**bold** and `code`, [a link](https://x.y/z)\n\n```sh\nls -l  # all\n```"
    assert [row.rstrip() for row in bare(drawing.markdown(text, 60)) if row.strip()] == [
        "Head",
        "bold and code, a link (https://x.y/z)",
        "  ls -l  # all",
    ]


def test_no_colour_means_none(colourless: Drawing) -> None:
    rows = [*colourless.markdown("`code` **b**", 40), *colourless.command("ls | wc", 40)]
    assert not any("\x1b" in row for row in rows)


def test_no_color_takes_the_colours_and_leaves_bold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    drawing = Drawing()
    said = "".join([*drawing.markdown("`code` **b**", 40), *drawing.command("ls 'x' | wc", 40)])
    assert not re.search(r"\x1b\[[\d;]*(?:3\d|4\d|9\d|10\d)", said)
    assert not drawing.coloured
