"""Folders that are here are taken with what is in them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from terma.offline.draft import Context
from terma.offline.engine import Engine
from terma.offline.whole import whole
from terma.types import Query

HERE = Context(_names={"build": True, "src": True, "notes": False, "out": True})


@pytest.mark.parametrize(
    ("command", "becomes"),
    [
        ("rm build", "rm -r build"),
        ("rm -f build/", "rm -r -f build/"),
        ("rm notes build", "rm -r notes build"),
        ("sudo rm build", "sudo rm -r build"),
        ("cp src new", "cp -r src new"),
        ("cp src new && rm build", "cp -r src new && rm -r build"),
        ("scp src web1:/srv", "scp -r src web1:/srv"),
        ("zip src.zip src", "zip -r src.zip src"),
        ("grep -n foo src", "grep -r -n foo src"),
        ("grep build notes", "grep build notes"),
        ("grep -e foo src", "grep -e foo src"),
        ("rm notes", "rm notes"),
        ("rm -r build", "rm -r build"),
        ("rm -rf build", "rm -rf build"),
        ("rm -d build", "rm -d build"),
        ("cp -a src new", "cp -a src new"),
        ("cp notes out", "cp notes out"),
        ("cp -t out notes", "cp -t out notes"),
        ("rm build/*", "rm build/*"),
        ("rm gone", "rm gone"),
        ("mv build old", "mv build old"),
        ("echo rm build", "echo rm build"),
        ("rm 'build", "rm 'build"),
    ],
)
def test_a_folder_that_is_here_is_taken_with_what_is_in_it(command: str, becomes: str) -> None:
    assert whole(command, HERE) == becomes


@pytest.mark.parametrize(
    ("words", "command"),
    [("delete build9", "rm -r build9"), ("delete notes", "rm notes"), ("rm build9 please", "rm -r build9")],
)
def test_who_names_a_folder_means_all_of_it(words: str, command: str, tmp_path: Path) -> None:
    (tmp_path / "build9" / "x").mkdir(parents=True)
    (tmp_path / "notes").touch()
    query = Query(words=words, cwd=str(tmp_path), path=os.environ["PATH"])
    assert [one.command for one in Engine.load().answer(query, limit=1)] == [command]
