"""Patterns that are compiled late are patterns all the same, and none of ours is broken."""

from __future__ import annotations

import importlib
import re as standard
from collections.abc import Iterator
from pathlib import Path

import pytest

import terma
from terma import regex as re

PACKAGE = Path(terma.__file__).parent


def late(value: object) -> Iterator[re.LatePattern]:
    """The late patterns in what a module has under a name."""
    if isinstance(value, re.LatePattern):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from late(one)
    elif isinstance(value, tuple | list):
        for one in value:
            yield from late(one)


def test_a_late_pattern_does_what_a_pattern_does() -> None:
    words = re.compile(r"(?P<first>\w)\w*", re.IGNORECASE)
    found = words.match("Some words")
    assert found is not None and found["first"] == "S"
    assert words.findall("a bc") == ["a", "b"] and words.sub("-", "a bc") == "- -"
    assert words.pattern == r"(?P<first>\w)\w*" and words.groups == 1 and words.flags & standard.IGNORECASE


def test_it_is_compiled_at_its_first_use_and_then_says_what_is_wrong() -> None:
    broken = re.compile("(")
    with pytest.raises(standard.error):
        broken.search("x")


def test_every_pattern_of_ours_can_be_compiled() -> None:
    seen = 0
    for path in sorted(PACKAGE.rglob("*.py")):
        if "import regex as re" not in path.read_text(encoding="utf-8"):
            continue
        module = importlib.import_module(".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts))
        for pattern in late(list(vars(module).values())):
            assert pattern.groups >= 0
            seen += 1
    assert seen > 300
