"""What docs/privacy.md says of what leaves the machine is shown by tests that are there, row by row."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tests

ROOT = Path(tests.__file__).parent.parent
TEXT = (ROOT / "docs" / "privacy.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", TEXT)))
FRONT_ENDS = (
    "Ctrl+T on",
    "Ctrl+T again",
    "`?why`",
    '`terma "question"`',
    "`terma chat`",
    "`terma eyes`",
    "MCP",
)
SECTION = TEXT.split("## When something leaves\n", 1)[1].split("\n## ", 1)[0]


@pytest.mark.parametrize(("file", "name"), NAMED)
def test_a_test_that_is_named_exists(file: str, name: str) -> None:
    assert re.search(rf"^(async )?def {name}\(", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("front_end", FRONT_ENDS)
def test_each_way_out_says_what_is_sent_and_what_shows_it(front_end: str) -> None:
    row = next(line for line in SECTION.splitlines() if line.startswith(f"| {front_end}"))
    assert "::" in row or row.endswith("the same |")
