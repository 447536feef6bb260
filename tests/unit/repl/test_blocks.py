"""Markdown is cut into blocks the same way, in whatever pieces it comes."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from terma.repl.display.blocks import LONGEST, Block, Blocks

TEXT = """# Head
One paragraph
of two lines.

- an item
- another

  with a paragraph of its own
- a third
> a quote

```sh
ls -l

echo "# no heading"
```
The end"""


def cut(text: str, sizes: list[int]) -> list[Block]:
    blocks = Blocks()
    found: list[Block] = []
    at = 0
    for size in sizes:
        found += blocks.feed(text[at : at + size])
        at += size
    found += blocks.feed(text[at:])
    return found + blocks.close()


def test_blocks_end_where_markdown_ends_them() -> None:
    assert [block.text for block in cut(TEXT, [])] == [
        "# Head",
        "One paragraph\nof two lines.",
        "- an item\n- another\n\n  with a paragraph of its own\n- a third\n> a quote",
        '```sh\nls -l\n\necho "# no heading"\n```',
        "The end",
    ]


@settings(deadline=None)
@given(st.lists(st.integers(1, 30), max_size=20))
def test_pieces_make_no_difference(sizes: list[int]) -> None:
    assert cut(TEXT, sizes) == cut(TEXT, [])


@settings(deadline=None)
@given(st.text(alphabet="ab `#-*>\n~1.|", max_size=80), st.lists(st.integers(1, 9), max_size=12))
def test_no_word_is_lost_and_pieces_make_no_difference(text: str, sizes: list[int]) -> None:
    found = cut(text, sizes)
    assert found == cut(text, [])
    letters = [char for char in text if char in "ab1"]
    assert [char for block in found for char in block.text if char in "ab1"] == letters


def test_what_is_open_is_shown_before_it_ends() -> None:
    blocks = Blocks()
    assert blocks.feed("done\n\n```py\nprint(") == [Block("done")]
    assert blocks.open == Block("```py\nprint(")
    assert blocks.feed("1)\n```\n") == [Block("```py\nprint(1)\n```")]
    assert blocks.open is None


def test_a_long_piece_of_code_is_cut_and_goes_on_as_code() -> None:
    lines = [f"line {number}" for number in range(LONGEST * 2)]
    found = cut("```sh\n" + "\n".join(lines) + "\n```\nend", [])
    assert len(found) > 2
    assert all(block.text.startswith("```sh\n") and block.text.endswith("\n```") for block in found[:-1])
    assert [block.joined for block in found] == [False] + [True] * (len(found) - 2) + [False]
    said = [line for block in found[:-1] for line in block.text.split("\n")[1:-1]]
    assert said == lines


def test_a_long_list_is_cut_between_its_items() -> None:
    items = [f"{number}. item" for number in range(1, LONGEST * 2)]
    found = cut("\n".join(items), [])
    assert len(found) == 2
    assert found[1].joined
    assert "\n".join(block.text for block in found).split("\n") == items
