"""@FILE in a question: the file comes along, within bounds, without secrets, and never one that is private."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from terma.repl.setup.mentions import MAX_FILES, mentioned


@pytest.fixture
def work(tmp_path: Path) -> Path:
    (tmp_path / "notes.txt").write_text("what was noted")
    (tmp_path / "a long name.md").write_text("long")
    (tmp_path / ".env").write_text("KEY=1")
    (tmp_path / "id_rsa").write_text("key")
    (tmp_path / "innocent").symlink_to(tmp_path / "id_rsa")
    (tmp_path / "picture").write_bytes(b"\0\1\2")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "fifo")
    return tmp_path


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("what does @notes.txt say?", ["notes.txt"]),
        ("read @notes.txt, please", ["notes.txt"]),
        ("see (and compare) @./notes.txt and @notes.txt", ["./notes.txt"]),
        ('look at @"a long name.md"', ["a long name.md"]),
        (r"look at @a\ long\ name.md.", ["a long name.md"]),
        ("@notes.txt @a\\ long\\ name.md", ["notes.txt", "a long name.md"]),
        ("compare both (@notes.txt, @./notes.txt)", ["notes.txt"]),
        ("what is wrong here (@notes.txt)?", ["notes.txt"]),
        ("open `@notes.txt`, <@notes.txt>, [@notes.txt] or '@notes.txt'", ["notes.txt"]),
        ("both (@notes.txt,@a\\ long\\ name.md)?", ["notes.txt", "a long name.md"]),
        ("[@none.txt,@notes.txt]", ["notes.txt"]),
        ("mail me@notes.txt", []),
        ("ask @someone about @folder and @fifo and @", []),
        ("no file here", []),
    ],
)
def test_which_files_come_along(work: Path, question: str, names: list[str]) -> None:
    assert [one.name for one in mentioned(question, str(work), True).given] == names


@pytest.mark.parametrize("name", [".env", "id_rsa", "innocent"])
def test_what_is_private_stays_and_that_is_said(work: Path, name: str) -> None:
    found = mentioned(f"look at @{name}", str(work), True)
    assert found.given == ()
    assert found.said == (f"@{name} is not told to the model: its name says that it holds secrets",)


def test_the_settings_decide(work: Path) -> None:
    found = mentioned("look at @notes.txt", str(work), False)
    assert found.given == ()
    assert found.said == ("@notes.txt is not told to the model: privacy.files = false",)


def test_what_is_no_text_is_not_told(work: Path) -> None:
    assert mentioned("@picture", str(work), True).said == (
        "@picture is not told to the model: it is no text",
    )


def test_there_are_bounds_and_secrets_go(work: Path) -> None:
    known = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
    for number in range(MAX_FILES + 1):
        (work / f"f{number}").write_text(f"{number} {known}\n" + "".join(f"line {n}\n" for n in range(9000)))
    found = mentioned(" ".join(f"@f{number}" for number in range(MAX_FILES + 1)), str(work), True)
    assert len(found.given) == MAX_FILES
    assert all(len(str(one)) < 13_000 and known not in str(one) for one in found.given)
    assert found.said[0] == f"@f{MAX_FILES} is not told to the model: {MAX_FILES} files at most"
