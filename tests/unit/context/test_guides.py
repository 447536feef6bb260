"""AGENTS.md and the like: the nearest one up to the repository's root, within bounds and without secrets."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from terma.context.guides import NAMES, TOLD, guide


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A repository with a folder in it, and a file above it that is none of its business."""
    (tmp_path / "AGENTS.md").write_text("above")
    work = tmp_path / "work"
    (work / ".git").mkdir(parents=True)
    (work / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (work / "src" / "deep").mkdir(parents=True)
    return work


@pytest.mark.parametrize("name", NAMES)
def test_it_is_found_from_below_and_named_as_seen_from_there(tree: Path, name: str) -> None:
    file = tree / name
    file.parent.mkdir(exist_ok=True)
    file.write_text("run make check")
    found = guide(str(tree / "src" / "deep"))
    assert found is not None
    assert (found.name, found.text) == (f"../../{name}", "run make check")
    assert "notes of this repository" in str(found)


def test_the_nearest_one_counts(tree: Path) -> None:
    (tree / "AGENTS.md").write_text("far")
    (tree / "src" / "CLAUDE.md").write_text("near")
    found = guide(str(tree / "src"))
    assert found is not None
    assert (found.name, found.text) == ("CLAUDE.md", "near")


def test_nothing_beyond_the_root_is_read(tree: Path) -> None:
    assert guide(str(tree / "src")) is None
    (tree / "src" / "AGENTS.md").symlink_to(tree.parent / "AGENTS.md")
    assert guide(str(tree / "src")) is None


def test_outside_of_a_repository_only_the_directory_itself(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text("here")
    below = tmp_path / "below"
    below.mkdir()
    assert guide(str(below)) is None
    assert guide(str(tmp_path)) is not None
    assert guide("relative") is None


def test_secrets_go_and_what_is_long_is_cut(tree: Path) -> None:
    known = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
    (tree / "AGENTS.md").write_text(
        f"token: {known}\n" + "a line that differs: %s\n" * 2000 % (*range(2000),)
    )
    found = guide(str(tree))
    assert found is not None
    assert known not in found.text
    assert len(found.text) <= TOLD


def test_a_fifo_holds_nobody_up(tree: Path) -> None:
    os.mkfifo(tree / "AGENTS.md")
    assert guide(str(tree)) is None
