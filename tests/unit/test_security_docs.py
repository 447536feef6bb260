"""Each defence that docs/security.md and docs/privacy.md name is shown by a test that is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tests

ROOT = Path(tests.__file__).parent.parent
TEXT = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
PRIVACY = (ROOT / "docs" / "privacy.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"(tests/[\w/]+\.py)::(\w+)", TEXT + PRIVACY)))
FILES = sorted(set(re.findall(r"`(tests/[\w/]+\.py)`", TEXT + PRIVACY)))
THREATS = (
    "Output that gives orders",
    "A hostile repository",
    "A hostile model",
    "Other users of the machine",
    "The environment of a directory",
    "A stolen laptop",
    "A compromised local server",
)


@pytest.mark.parametrize(("file", "name"), NAMED)
def test_a_test_that_is_named_exists(file: str, name: str) -> None:
    assert re.search(rf"^(async )?def {name}\(", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("file", FILES)
def test_a_file_of_tests_that_is_named_exists(file: str) -> None:
    assert (ROOT / file).is_file()


def test_each_way_in_which_something_leaves_has_a_test() -> None:
    rows = PRIVACY.split("| you do |", 1)[1].split("\n\n", 1)[0].splitlines()[2:]
    assert rows and all("tests/" in row or "the same" in row for row in rows)


@pytest.mark.parametrize("threat", THREATS)
def test_each_threat_has_its_defences_and_what_shows_them(threat: str) -> None:
    section = TEXT.split(f"## {threat}\n", 1)[1].split("\n## ", 1)[0]
    assert section.count("::") >= 2
