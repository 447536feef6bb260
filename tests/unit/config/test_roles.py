"""Roles are markdown files; a user's wins over ours, and a broken one is told with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from terma.config import roles
from terma.errors import ConfigError, UsageError


def test_the_shipped_roles_can_be_read():
    assert set(roles.names(None)) >= {"assistant", "debug", "shell", "why"}
    for name in roles.names(None):
        role = roles.load(name, None)
        assert role.text and role.description and role.shipped


def test_a_file_of_the_same_name_wins(tmp_path: Path):
    (tmp_path / "shell.md").write_text("---\nmodel: mine\ntemperature: 0.5\ntools: [a, b]\n---\nBe brief.\n")
    role = roles.load("shell", tmp_path)
    assert (role.text, role.model, role.temperature, role.tools) == ("Be brief.", "mine", 0.5, ("a", "b"))
    assert not role.shipped


def test_without_front_matter_the_whole_file_is_the_role(tmp_path: Path):
    (tmp_path / "poet.md").write_text("Answer in verse.\n\n---\n")
    assert roles.load("poet", tmp_path).text.startswith("Answer in verse.")
    assert "poet" in roles.names(tmp_path)


@pytest.mark.parametrize("name", ["nope", "../shell", "", "a/b", ".hidden"])
def test_an_unknown_role_lists_the_known_ones(name: str, tmp_path: Path):
    with pytest.raises(UsageError) as caught:
        roles.load(name, tmp_path)
    assert "assistant" in caught.value.hint


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("---\ncolour: red\n---\nx\n", ":2: no role has 'colour'"),
        ("---\nmodel: x\nno end", ":1: the part between"),
        ("---\ntemperature: hot\n---\nx\n", "expected a number from 0 to 2"),
        ("---\nmodel: x\n---\n\n", "says nothing"),
    ],
)
def test_a_broken_role_is_told(text: str, words: str, tmp_path: Path):
    (tmp_path / "bad.md").write_text(text)
    with pytest.raises(ConfigError, match=words):
        roles.load("bad", tmp_path)
