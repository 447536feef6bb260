"""Markdown comes out styled, wrapped and clean, and the same in whatever pieces it came."""

from __future__ import annotations

from itertools import cycle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from terma.suggest.markdown import Renderer, Span

SAMPLE = """# What went wrong
`git push` failed: the branch **main** has no upstream on `origin`, and nobody said where it should go.

- first item with `code --flag value` in it and a tail that wraps under its own text
2. number, [the docs](https://example.org/push) and a ** b, __init__.py

```sh
git push -u origin main
  kept   as it is
```
> quoted
"""


def render(text: str, columns: int = 0) -> list[Span]:
    """All of a text that is whole."""
    renderer = Renderer(columns)
    return [*renderer.feed(text), *renderer.close()]


def text_of(spans: list[Span]) -> str:
    return "".join(span.text for span in spans)


def styled(spans: list[Span]) -> list[tuple[str, str]]:
    """Character by character: how the spans are cut does not matter."""
    return [(span.style, char) for span in spans for char in span.text]


def in_style(spans: list[Span], style: str) -> list[str]:
    return [span.text for span in spans if span.style == style]


def test_marks_become_styles():
    spans = render(SAMPLE, 80)
    assert in_style(spans, "head") == ["What went wrong"]
    assert in_style(spans, "bold") == ["main"]
    assert "git push" in in_style(spans, "code")
    assert "  git push -u origin main\n    kept   as it is\n" in in_style(spans, "code")
    assert "• first item" in text_of(spans)
    assert "the docs (https://example.org/push)" in text_of(spans)


@pytest.mark.parametrize(
    "text", ["a ** b", "__init__.py", "2 * 3 * 4", "snake_case_name", "a `` b", "#!/bin/sh"]
)
def test_what_is_no_mark_stays(text: str):
    assert text_of(render(text)).replace("`", "").split() == text.replace("`", "").split()


def test_rows_end_before_the_edge_and_items_hang():
    rows = text_of(render("- " + "word " * 40, 40)).splitlines()
    assert all(len(row) < 40 for row in rows)
    assert rows[0].startswith("• word")
    assert all(row.startswith("  word") for row in rows[1:])


def test_wide_characters_count_as_two():
    rows = text_of(render("世界 " * 30, 40)).splitlines()
    assert max(map(len, rows)) <= 26


@given(st.lists(st.integers(1, 17), min_size=1, max_size=60), st.sampled_from([0, 24, 50, 80]))
def test_whatever_the_pieces_the_result_is_the_same(sizes: list[int], columns: int):
    renderer, spans, at = Renderer(columns), [], 0
    for size in cycle(sizes):
        spans += renderer.feed(SAMPLE[at : at + size])
        at += size
        if at >= len(SAMPLE):
            break
    spans += renderer.close()
    assert styled(spans) == styled(render(SAMPLE, columns))


@given(st.text(alphabet="ab `*_#-[]()>1.\n\t\x1b\x07\u202e", max_size=200))
def test_any_text_comes_out_without_controls_and_ends_its_line(text: str):
    shown = text_of(render(text))
    assert not set(shown) & {"\x1b", "\x07", "\u202e", "\r"}
    assert not shown or shown.endswith("\n")


def test_words_are_shown_before_their_line_is_whole():
    renderer = Renderer(80)
    assert text_of(renderer.feed("The branch has no up")) == "The branch has no"
    assert text_of(renderer.feed("stream on origin")) == " upstream on"


def test_what_a_program_printed_breaks_between_words_and_code_stays_as_it_is() -> None:
    line = "frob: cannot open the file that was named there"
    renderer = Renderer(30)
    shown = "".join(span.text for span in [*renderer.feed(f"```output\n{line}\n```\n"), *renderer.close()])
    assert shown == "  frob: cannot open the file\n    that was named there\n"
    renderer = Renderer(30)
    shown = "".join(span.text for span in [*renderer.feed(f"```sh\n{line}\n```\n"), *renderer.close()])
    assert shown == f"  {line}\n"
