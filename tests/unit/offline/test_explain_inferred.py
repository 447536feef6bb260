"""Without a captured output: what the command, its status and the folder allow to say, and no more."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from terma.offline.explain import Explanation, Failure, explain


def why(command: str, status: int, cwd: Path) -> Explanation:
    return explain(Failure(command, status, "", str(cwd), path="/usr/bin:/bin"))


def first(found: Explanation) -> str:
    return found.fixes[0].command if found.fixes else ""


@pytest.mark.parametrize(
    ("command", "status", "fix", "words"),
    [
        ('echo "unclosed', 2, 'echo "unclosed"', "quote"),
        ("echo it's fine", 2, 'echo "it\'s fine"', "quote"),
        ("for i in 1 2 do echo $i; done", 2, "for i in 1 2; do echo $i; done", "; or a new line"),
        ("if [ -f x ] then ls; fi", 2, "if [ -f x ]; then ls; fi", "then"),
        ("ls | | wc", 2, "ls | wc", "row"),
        ("while true; do ls", 2, "", "done"),
        ("ls >", 2, "", "redirection"),
        ("x = 5", 127, "x=5", "assignment"),
        ("[1 -eq 1 ] && ls", 127, "[ 1 -eq 1 ] && ls", "blank"),
        ("cd porject && ls", 1, "cd project && ls", "does not exist"),
        ("cat projct/notes.txt | wc", 1, "cat project/notes.txt | wc", "project/notes.txt"),
        ("./run.sh", 126, "chmod +x ./run.sh && ./run.sh", "not executable"),
        ("cat absent", 1, "", "absent does not exist"),
        ("wc < absent", 1, "", "absent does not exist"),
    ],
)
def test_what_must_have_been_is_inferred_and_said_so(
    tmp_path: Path, command: str, status: int, fix: str, words: str
) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "notes.txt").touch()
    (tmp_path / "run.sh").touch(mode=0o644)
    found = why(command, status, tmp_path)
    assert first(found) == fix
    assert words in found.text
    assert "No output was captured" in found.text


def test_a_branch_without_upstream_is_read_from_the_repository(tmp_path: Path) -> None:
    for words in (["init", "-q", "-b", "topic"], ["remote", "add", "origin", "../r.git"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    found = why("git push", 128, tmp_path)
    assert first(found) == "git push --set-upstream origin topic"
    with (tmp_path / ".git" / "config").open("a") as config:
        config.write('[branch "topic"]\n\tremote = origin\n\tmerge = refs/heads/topic\n')
    assert first(why("git push", 128, tmp_path)) == ""


@pytest.mark.parametrize(
    ("command", "status"), [("make", 2), ("./x", 137), ("sleep 9", 130), ("true", 0), ("cat f", 141)]
)
def test_nothing_is_made_up(tmp_path: Path, command: str, status: int) -> None:
    assert why(command, status, tmp_path).fixes == ()


def test_with_output_nothing_is_inferred(tmp_path: Path) -> None:
    found = explain(Failure("cat absent", 1, "some words of its own", str(tmp_path)))
    assert "No output was captured" not in found.text
