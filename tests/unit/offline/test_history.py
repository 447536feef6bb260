"""Which past commands a sentence names."""

from __future__ import annotations

from pathlib import Path

import pytest

from terma.offline.draft import Context
from terma.offline.history import MAX_LOOKED_AT, MAX_OFFERED, candidates, is_secret
from terma.offline.sentence import Sentence


def named(words: str, *history: str) -> list[str]:
    return [draft.command for draft in candidates(Sentence.parse(words), Context(history=history))]


def test_the_newest_of_the_commands_that_fit_comes_first() -> None:
    assert named("ffmpeg intro.mp4", "ffmpeg -i intro.mp4 a.gif", "ls", "ffmpeg -i intro.mp4 b.gif") == [
        "ffmpeg -i intro.mp4 b.gif",
        "ffmpeg -i intro.mp4 a.gif",
    ]


def test_a_command_that_lacks_one_word_is_not_meant() -> None:
    assert named("run deploy production again", "./deploy.sh staging") == []


def test_the_newest_commands_alone_are_looked_at() -> None:
    others = ["ls"] * (MAX_LOOKED_AT - 1)
    assert named("ffmpeg intro.mp4", "ffmpeg -i intro.mp4 a.gif", *others) == ["ffmpeg -i intro.mp4 a.gif"]
    assert named("ffmpeg intro.mp4", "ffmpeg -i intro.mp4 a.gif", "ls", *others) == []


def test_no_more_than_a_few_are_offered_and_each_once() -> None:
    many = [f"ffmpeg -i intro.mp4 {name}.gif" for name in "abcdef"]
    assert named("ffmpeg intro.mp4", *many, *many) == many[: -MAX_OFFERED - 1 : -1]


def test_one_common_word_names_nothing() -> None:
    assert named("list files", "ls -la files", "echo list of files > x") == []


@pytest.mark.parametrize(
    "command",
    ["sshpass -p x ssh a@b", "curl -u bob:pw https://x.example", "export GITHUB_TOKEN=ghp_abcdefghijklmnop"],
)
def test_a_command_with_a_password_is_a_secret(command: str) -> None:
    assert is_secret(command)


@pytest.mark.parametrize(
    "command", ["git commit -m 'fix parser'", "docker compose up -d", "ssh-keygen -t ed25519"]
)
def test_an_everyday_command_is_no_secret(command: str) -> None:
    assert not is_secret(command)


def test_words_that_were_entered_as_a_command_are_none(tmp_path: Path) -> None:
    """They stand in the history as they were typed, and behind "command not found" they are said again."""
    (tmp_path / "backup").touch(0o755)
    history = ("extract backup.tar.gz please", "backup old.tar.gz /srv")
    context = Context(history=history, path=str(tmp_path))
    for words, past in (
        ("extract backup.tar.gz", []),
        ("extract backup.tar.gz again", [history[0]]),
        ("backup old.tar.gz", [history[1]]),
    ):
        assert [draft.command for draft in candidates(Sentence.parse(words), context)] == past
