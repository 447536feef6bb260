"""A line that is being typed, cut as readline cuts it before it asks a completion."""

from __future__ import annotations

import pytest

from terma.repl.prompt.shell_tab.split import BREAKS, split


@pytest.mark.parametrize(
    ("line", "text", "words", "length"),
    [
        ("git chec", "git chec", ("git", "chec"), 4),
        ("git ", "git ", ("git", ""), 0),
        ("ls | grep -", "grep -", ("grep", "-"), 1),
        ("a; b && git log --onel", "git log --onel", ("git", "log", "--onel"), 6),
        ("echo 'a | b' c", "echo 'a | b' c", ("echo", "'a | b'", "c"), 1),
        ("cat a\\ l", "cat a\\ l", ("cat", "a\\ l"), 4),
        ("A=1 B=2 git che", "git che", ("git", "che"), 3),
        ("git log --format=me", "git log --format=me", ("git", "log", "--format", "=", "me"), 2),
        ("git log --format=", "git log --format=", ("git", "log", "--format", "=", ""), 0),
        ("scp a host:/et", "scp a host:/et", ("scp", "a", "host", ":", "/et"), 3),
        ("echo x > fi", "echo x > fi", ("echo", "x", ">", "fi"), 2),
        ("", "", ("",), 0),
    ],
)
def test_as_bash_cuts_it(line: str, text: str, words: tuple[str, ...], length: int) -> None:
    found = split(line, BREAKS)
    assert (found.text, found.words, found.length) == (text, words, length)


def test_other_shells_cut_at_blanks_alone() -> None:
    assert split("git log --format=me").words == ("git", "log", "--format=me")
