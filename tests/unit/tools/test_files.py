"""Reading and searching files: within bounds, text alone, and what is nobody's business is asked about."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from terma.dialogue import Proposal
from terma.errors import TermaError, UsageError
from terma.tools.read_file import PLUGIN as READ
from terma.tools.search_files import PLUGIN as SEARCH
from tests.unit.conversation.scripted import FakeShell, Screen, World


class Here(FakeShell):
    def __init__(self, cwd: Path) -> None:
        super().__init__()
        self._cwd = str(cwd)

    @property
    def cwd(self) -> str:
        return self._cwd


@pytest.fixture
def world(tmp_path: Path) -> World:
    (tmp_path / "work").mkdir()
    return World(Here(tmp_path / "work"), Screen())


@pytest.fixture
def work(world: World, tmp_path: Path) -> Path:
    return tmp_path / "work"


def propose(tool: Any, world: World, **arguments: Any) -> Proposal:
    made: Proposal = tool.propose("c1", arguments, world)
    return made


def do(tool: Any, world: World, **arguments: Any) -> str:
    async def go() -> str:
        text, ran = await tool.call(propose(tool, world, **arguments), world)
        assert ran is None
        return str(text)

    return asyncio.run(go())


def test_a_file_is_read_with_its_lines_counted(world, work):
    (work / "a.txt").write_text("one\ntwo\nthree\n")
    assert do(READ, world, path="a.txt") == f"{work}/a.txt: lines 1 to 3 of 3\none\ntwo\nthree\n"
    assert do(READ, world, path="a.txt", start=2, lines=1) == f"{work}/a.txt: lines 2 to 2 of 3\ntwo\n"
    assert "no line 9; it has 3" in do(READ, world, path="a.txt", start=9)


def test_a_long_file_is_read_in_parts(world, work):
    (work / "a.txt").write_text("".join(f"line {n}\n" for n in range(1, 5001)))
    text = do(READ, world, path="a.txt", start=4000)
    assert "lines 4000 to 4399 of 5000" in text
    (work / "wide.txt").write_text("x" * 10_000_000)
    wide = do(READ, world, path="wide.txt")
    assert len(wide) < 50_000 and wide.endswith("\n… cut after 40000 characters")
    (work / "empty").touch()
    assert "is empty" in do(READ, world, path="empty")


def test_what_is_no_file_of_text_is_refused(world, work):
    (work / "image.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0")
    (work / "folder").mkdir()
    os.mkfifo(work / "pipe")
    for name in ("image.png", "folder", "pipe", "missing"):
        with pytest.raises(TermaError) as error:
            do(READ, world, path=name)
        assert name in error.value.message
    with pytest.raises(TermaError):
        do(READ, world, path="/dev/zero")


@pytest.mark.parametrize(
    "path",
    [
        "../other.txt",
        "/etc/passwd",
        "~/notes",
        ".env",
        ".ssh/id_ed25519",
        "deploy/.env.production",
        "server.pem",
        "secrets.yaml",
        "id_rsa",
        "db_password.txt",
        "terraform.tfvars",
        "link",
    ],
)
def test_what_is_outside_or_secret_is_never_low_risk(world, work, tmp_path, path):
    (tmp_path / "other.txt").write_text("x")
    (work / "link").symlink_to(tmp_path / "other.txt")
    proposal = propose(READ, world, path=path)
    assert proposal.risk.level == "medium"
    assert proposal.risk.reasons


@pytest.mark.parametrize("path", ["a.txt", "src/main.py", "./x/../a.txt", "tokenizer.py", "keyboard.md"])
def test_what_lies_below_the_working_directory_is_low_risk(world, path):
    assert propose(READ, world, path=path).risk.level == "low"


def test_a_link_that_was_swapped_after_the_decision_is_not_followed(world, work, tmp_path):
    (tmp_path / "other.txt").write_text("secret")
    (work / "a.txt").write_text("fine")
    proposal = propose(READ, world, path="a.txt")
    (work / "a.txt").unlink()
    (work / "a.txt").symlink_to(tmp_path / "other.txt")
    with pytest.raises(TermaError):
        asyncio.run(READ.call(proposal, world))


@pytest.mark.parametrize("path", ["", " ", "a\0b", "a\x1b[31mb", "x" * 5000, "a\u202eb"])
def test_a_path_that_cannot_be_shown_is_refused(world, path):
    with pytest.raises(UsageError):
        propose(READ, world, path=path)


def test_files_are_listed_by_name_and_lines_found(world, work):
    (work / "src").mkdir()
    (work / "src" / "main.py").write_text("def main():\n    return 1\n")
    (work / "README.md").write_text("# main\n")
    assert do(SEARCH, world, glob="*.py").splitlines()[0] == "src/main.py"
    found = do(SEARCH, world, pattern=r"def \w+")
    assert found.splitlines()[0] == "src/main.py:1: def main():"
    assert len(do(SEARCH, world, pattern="MAIN", ignore_case=True).splitlines()) == 3
    assert "(no results" in do(SEARCH, world, pattern="nothing")
    assert "src/main.py:2" in do(SEARCH, world, pattern="return", path="src/main.py")


def test_what_git_ignores_is_hidden_or_binary_is_left_out(world, work):
    (work / ".gitignore").write_text("# no\nbuild/\n*.log\n!keep.log\n/top.txt\ndocs/**/x.txt\n\n[broken\n")
    for name in (
        "build/a.txt",
        "a.log",
        "keep.log",
        "top.txt",
        "sub/top.txt",
        "docs/a/b/x.txt",
        "docs/y.txt",
    ):
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        (work / name).write_text("needle\n")
    for name in (".hidden", ".git/config", "node_modules/a.js"):
        (work / name).parent.mkdir(exist_ok=True)
        (work / name).write_text("needle\n")
    (work / "blob").write_bytes(b"\0needle")
    (work / "sub" / ".gitignore").write_text("!a.log\n")
    (work / "sub" / "a.log").write_text("needle\n")
    lines = do(SEARCH, world, pattern="needle").splitlines()[:-1]
    assert {line.partition(":")[0] for line in lines} == {
        "keep.log",
        "sub/top.txt",
        "docs/y.txt",
        "sub/a.log",
    }


def test_results_have_a_bound_and_say_so(world, work):
    (work / "a.txt").write_text("x\n" * 1000)
    text = do(SEARCH, world, pattern="x", max=10)
    assert len(text.splitlines()) == 11
    assert "there may be more" in text


def test_an_expression_made_to_hang_costs_its_own_process_alone(world, work, monkeypatch):
    monkeypatch.setattr("terma.tools.search_files.SECONDS", 1.0)
    (work / "a.txt").write_text("a" * 5000 + "b\n")
    beats = 0

    async def go() -> None:
        nonlocal beats

        async def beat() -> None:
            nonlocal beats
            while True:
                await asyncio.sleep(0.05)
                beats += 1

        beating = asyncio.create_task(beat())
        with pytest.raises(TermaError, match="longer than"):
            await SEARCH.call(propose(SEARCH, world, pattern="(a+)+$"), world)
        beating.cancel()

    asyncio.run(go())
    assert beats > 3


def test_cancelling_a_search_ends_its_process(world, work, monkeypatch):
    monkeypatch.setattr("terma.tools.search_files.SECONDS", 10_000.0)  # it does not end by itself
    (work / "a.txt").write_text("a" * 5000 + "b\n")

    async def go() -> None:
        task = asyncio.create_task(SEARCH.call(propose(SEARCH, world, pattern="(a+)+$"), world))
        await asyncio.sleep(0.3)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(go())


@pytest.mark.parametrize("pattern", ["(", "*a", "x" * 600, "(?P<a>"])
def test_a_wrong_expression_is_told_before_anything_starts(world, pattern):
    with pytest.raises(UsageError):
        propose(SEARCH, world, pattern=pattern)


def test_a_place_outside_is_asked_about(world):
    assert propose(SEARCH, world, pattern="x", path="/etc").risk.level == "medium"
    assert propose(SEARCH, world, pattern="x", path=".git").risk.level == "medium"
    assert propose(SEARCH, world, pattern="x").risk.level == "low"
