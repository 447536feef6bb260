"""What docs/conversation.md shows is run, and what it lists is what there is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from terma.repl.prompt.slash import COMMANDS
from tests.conftest import Home
from tests.e2e.test_readme import Example, examples, matches, outputs

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "conversation.md").read_text(encoding="utf-8")
ROLES = (DOCS / "roles.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "example", [*examples(TEXT), *examples(ROLES)], ids=lambda example: f"line {example.line}"
)
def test_an_example_does_what_the_page_says(home: Home, example: Example) -> None:
    for (command, promised), given in zip(example.steps, outputs(example, home), strict=True):
        assert matches(promised, given), f"$ {command}\n{given}"


def test_the_page_lists_every_slash_command_as_the_help_does() -> None:
    rows = dict(re.findall(r"^\| `/(\w+)(?: \[\w+\])?` \| (.+) \|$", TEXT, re.MULTILINE))
    assert rows == {command.name: command.about for command in COMMANDS}


def test_the_page_names_every_event() -> None:
    from terma import dialogue

    named = set(re.findall(r"`(\w+)`", TEXT.partition("## For scripts")[2]))
    kinds = [kind.__name__ for kind in dialogue.Event.__args__]  # type: ignore[attr-defined]
    assert {re.sub(r"(?<!^)(?=[A-Z])", "_", kind).lower() for kind in kinds} <= named
