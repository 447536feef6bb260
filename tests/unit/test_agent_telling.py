"""The explanation that shells ask for: rows in a window's bounds, told with the asking shell's own names."""

from __future__ import annotations

import asyncio
import os

import pytest

from terma.agent.telling import WORDS, room, told
from terma.errors import UsageError
from xontrib_terma.telling import is_python


def frames(line: str, **fields: str) -> list[tuple[str, ...]]:
    asked = {"buffer": line, "path": os.environ.get("PATH", os.defpath), "cwd": "/", "shell": "bash"} | fields

    async def gather() -> list[tuple[str, ...]]:
        return [frame async for frame in told(asked)]

    return asyncio.run(gather())


def rows(line: str, **fields: str) -> list[str]:
    found = frames(line, **fields)
    assert found[-1] == ("done", "explained")
    return [frame[2] for frame in found[:-1]]


def test_the_row_that_carries_the_risk_has_its_level() -> None:
    assert [frame[1] for frame in frames("rm -r build")[:-1]] == ["", "high", "", "high"]


@pytest.mark.parametrize("columns", [44, 80])
def test_no_row_is_wider_than_the_window_nor_are_there_more_than_it_holds(columns: int) -> None:
    found = rows("tar -czf a.tgz --exclude=b c d | tee x | wc -l > y", columns=str(columns), lines="10")
    assert len(found) <= 10 - 3
    assert max(map(len, found)) < columns
    assert "more: terma explain" in found[-1] or "more: terma explain" in found[-2]


def test_a_line_that_takes_more_of_the_window_leaves_less() -> None:
    fields = {"columns": "40", "lines": "24"}
    assert room(fields, "x" * 200) < room(fields, "x" * 20) < 24


def test_aliases_and_functions_of_the_shell_are_told() -> None:
    assert "alias for ls -l" in rows("ll /", named="ll=ls -l")[0]
    assert "function of your shell" in rows("mkcd /tmp/x", functions="mkcd")[0]


def test_words_are_not_explained_as_a_command() -> None:
    assert rows("which of my files are the largest?") == [WORDS]


def test_an_empty_line_has_nothing_to_explain() -> None:
    with pytest.raises(UsageError):
        frames("  ")


@pytest.mark.parametrize(
    ("line", "python"),
    [("ls -l", False), ("x = 3", True), ("print(4)", True), ("len", True), ("tar -xzf a.tgz", False),
     ("y + 1", True), ("import os", True), ("du -sh", False), ("git", False), ("1 + 1", True)],
)  # fmt: skip
def test_xonsh_lines_that_are_python_are_known(line: str, python: bool) -> None:
    assert is_python({"y": 1}, line) is python
