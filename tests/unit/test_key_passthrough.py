"""Ctrl+T goes back to its former owner for a command alone, and never for a sentence."""

from __future__ import annotations

import asyncio
import os
from dataclasses import replace

import pytest

from terma.agent import key_passthrough
from terma.agent.key_passthrough import divert
from terma.config import Settings
from terma.errors import UsageError
from terma.types import Query

PATH = os.environ.get("PATH", os.defpath)


def answer(words: str, attempt: int = 0, route: bool = True, **fields: str) -> tuple[str, ...] | None:
    settings = Settings()
    settings = replace(settings, suggestions=replace(settings.suggestions, route=route))
    return asyncio.run(divert(Query(words=words, path=PATH, cwd="/tmp", attempt=attempt), fields, settings))


@pytest.mark.parametrize("line", ["ls -la src/", "vim", "git status", "cat /etc/hosts | wc -l", "cd .."])
def test_a_command_goes_to_what_had_the_key(line: str) -> None:
    assert answer(line, displaced="1") == ("done", "displaced")


def test_where_nothing_had_the_key_it_is_said() -> None:
    with pytest.raises(UsageError, match="that is a command already"):
        answer("ls -la", displaced="")


def test_where_nothing_had_the_key_a_shell_that_shows_explanations_gets_one() -> None:
    assert answer("ls -la", displaced="", explain="1") == ("done", "explained")
    assert answer("ls -la", displaced="1", explain="1") == ("done", "displaced")


def test_a_command_that_is_to_be_changed_is_answered() -> None:
    assert answer("ls -la # newest first", displaced="1") is None
    assert answer("ls -la  # newest first", displaced="", explain="1") is None


def test_a_function_of_the_shell_is_a_command() -> None:
    assert answer("mkcd /tmp/there", displaced="", explain="1") is None
    assert answer("mkcd /tmp/there", displaced="", explain="1", functions="mkcd") == ("done", "explained")


def test_a_shell_that_knows_no_such_reply_never_gets_it() -> None:
    assert answer("ls -la") is None


def test_the_next_candidate_is_asked_for_as_ever() -> None:
    assert answer("ls -la", attempt=1, displaced="1") is None


def test_it_can_be_turned_off() -> None:
    assert answer("ls -la", route=False, displaced="1") is None


@pytest.mark.parametrize(
    "line",
    ["make me a sandwich", "find large files", "git why", "sort", "time flies", "list it", "case 9 now",
     "ls -la\nwhat does this print", "列出所有文件", "kill it", "docker how do I stop it"],
)  # fmt: skip
def test_what_could_be_a_sentence_is_translated(line: str) -> None:
    assert answer(line, displaced="1") is None


def test_a_disk_that_hangs_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def hang(query: Query, functions: frozenset[str]) -> bool:
        asyncio.run(asyncio.sleep(0.3))
        return True

    monkeypatch.setattr(key_passthrough, "SECONDS", 0.01)
    monkeypatch.setattr(key_passthrough, "_is_command", hang)
    assert answer("ls -la", displaced="1") is None
