"""However an answer arrives, the screen holds it once, whole, as if it had been drawn in one go."""

from __future__ import annotations

import asyncio
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from terma.chat import Usage
from terma.dialogue import (
    Closed,
    Decided,
    Decision,
    Noted,
    Piece,
    Proposal,
    Ran,
    Said,
    ToolAnswered,
    Used,
    Waiting,
)
from terma.repl.display.blocks import Blocks
from terma.repl.display.drawing import Drawing
from terma.repl.display.render import TerminalView
from tests.unit.repl.test_live import Paper

SGR = re.compile(r"\x1b\[[\d;]*m")
TEXT = """# A heading

A paragraph with **bold** words, `code`, 中文 and a line that is far too long for a narrow screen to hold at once.

- one
- two

  more of two
- three

```python
def f():
    return "a line of code that is longer than the screen is wide, so it is folded"
```

| a | b |
|---|---|
| 1 | 2 |

> The end.
"""


def whole(text: str, columns: int) -> list[str]:
    """What it should look like."""
    blocks, drawing, rows = Blocks(), Drawing(), []
    for block in [*blocks.feed(text), *blocks.close()]:
        rows += [""] if rows and not block.joined else []
        rows += drawing.markdown(block.text, columns)
    return [SGR.sub("", row).rstrip() for row in rows]


async def say(view: TerminalView, text: str, sizes: list[int], pauses: bool) -> None:
    view.begin()
    view.show(Waiting())
    at = 0
    for size in sizes:
        view.show(Piece(text[at : at + size]))
        at += size
        if pauses:
            await asyncio.sleep(0.045)  # a frame: what is open is drawn
    view.show(Piece(text[at:]))
    view.show(Used(Usage(10, 20), 1.0))
    view.show(Said(text))
    view.show(Closed("answered"))
    await view.drained()


@settings(deadline=None, max_examples=25)
@given(
    sizes=st.lists(st.integers(1, 60), max_size=6),
    columns=st.integers(24, 70),
    lines=st.integers(3, 12),
    pauses=st.booleans(),
)
def test_the_screen_holds_the_answer_once(sizes: list[int], columns: int, lines: int, pauses: bool) -> None:
    paper = Paper(columns, lines)
    asyncio.run(say(TerminalView(paper.live), TEXT, sizes, pauses))
    assert paper.shown == whole(TEXT, columns - 1)


def test_what_is_open_is_seen_before_it_ends_with_the_spinner_beneath() -> None:
    paper = Paper(60, 10)
    seen: list[list[str]] = []

    async def work() -> None:
        view = TerminalView(paper.live)
        view.show(Waiting())
        view.show(Piece("The first wor"))
        while not any("The first wor" in row for row in paper.shown):  # noqa: ASYNC110 - a frame has no event
            await asyncio.sleep(0.01)
        seen.append(paper.shown)
        view.show(Piece("ds.\n\nAnd mo"))
        view.stop()

    asyncio.run(work())
    assert re.match(r"\S \d+\.\d s", seen[0][-1])
    assert paper.shown == ["The first wor"]
    assert not any(re.match(r"\S \d+\.\d s", row) for row in paper.shown)


def test_stopping_leaves_what_came_and_nothing_else() -> None:
    paper = Paper(60, 10)

    async def work() -> None:
        view = TerminalView(paper.live)
        view.show(Waiting())
        view.show(Piece("Some words that nobody ended"))
        while "Some words" not in paper.raw:  # noqa: ASYNC110 - a frame has no event
            await asyncio.sleep(0.01)
        view.stop()
        view.show(Noted("afterwards"))
        await view.drained()

    asyncio.run(work())
    assert paper.shown == ["Some words that nobody ended", "afterwards"]


@pytest.mark.parametrize("columns", [24, 60])
def test_remarks_and_results_stand_between(columns: int) -> None:
    paper = Paper(columns, 10)
    proposal = Proposal("1", "run_command", "ls")

    async def work() -> None:
        view = TerminalView(paper.live)
        await say(view, "One.", [], False)
        view.show(Decided(proposal, Decision("approve", by="before")))
        view.show(ToolAnswered("run_command", "x", ran=Ran("ls", "x", 3)))
        await view.drained()
        await say(view, "Two.", [], False)

    asyncio.run(work())
    assert paper.shown == ["One.", "approved before: ls", "exit status 3", "Two."]
