"""How a command is run as root on this machine: by sudo, where there is none by su, and by root as it stands."""

from __future__ import annotations

import re

from terma.offline.explain import reach
from terma.offline.explain.case import Case
from terma.offline.explain.commands import commands_of
from terma.offline.explain.line import Word, words_of


def as_root(case: Case, fix: str) -> str:
    """`fix` with `su -c 'COMMAND'` for each `sudo COMMAND` in it, where sudo is not installed and su is. A sudo with
    options of its own stays: su takes others. For root, without a sudo that nobody typed."""
    if "sudo " not in fix:
        return fix
    if reach.is_root():
        return _by_root(case, fix) if case.failure.here else fix
    if case.installed("sudo") or not case.installed("su"):
        return fix
    words = words_of(fix)
    starts = [word for word in words if word.value == "sudo" and _begins(words, word)]
    for sudo in reversed(starts):
        mine = [word for word in words if word.part == sudo.part and word.start > sudo.start]
        if not mine or mine[0].value.startswith("-"):
            return fix
        kept = [word for word in mine if not word.after]
        text = fix[mine[0].start : kept[-1].end]
        if len(commands_of(text, case.failure.shell)) != 1:
            return fix
        fix = f"{fix[: sudo.start]}su -c {_one_word(text)}{fix[kept[-1].end :]}"
    return fix


def named_as_here(case: Case, text: str) -> str:
    """`text` with su for the sudo that it tells to use, where sudo is not installed and nobody typed it."""
    if case.installed("sudo") or any(word.value == "sudo" for word in case.words):
        return text
    return re.sub(r"\b([Rr]un it) with sudo\b", r"\1 as root, with su", text).replace("(sudo)", "(su)")


def _by_root(case: Case, fix: str) -> str:
    """`fix` without each `sudo` that the failed command does not have. One with options of its own stays: it may name
    another user."""
    if any(word.value == "sudo" for word in case.words):
        return fix
    words = words_of(fix)
    for index, word in reversed([*enumerate(words[:-1])]):
        following = words[index + 1]
        if word.value == "sudo" and _begins(words, word) and not following.value.startswith("-"):
            fix = fix[: word.start] + fix[following.start :]
    return fix


def _begins(words: tuple[Word, ...], one: Word) -> bool:
    """Whether `one` is the first word of its simple command."""
    return all(word.part != one.part or word.start >= one.start for word in words)


def _one_word(text: str) -> str:
    """`text` as one word of the shell, with the quotes that it does not hold itself."""
    if "'" not in text:
        return f"'{text}'"
    if not any(sign in text for sign in '"$`\\!'):
        return f'"{text}"'
    return "'" + text.replace("'", "'\\''") + "'"
