"""Whether a fix is a whole command that asks for what was asked: no word stands twice that stood once, an option that
it adds has its value, no argument selects more than before, nothing is turned on and off, and root is not to open what
is not there."""

from __future__ import annotations

import itertools
import re
from collections import Counter

from terma.offline.explain.case import Case
from terma.offline.explain.commands import Command, commands_of

_SELECTS = re.compile(r"::|#|@(?!\w+\.)")
_WORD = re.compile(r"[A-Za-z][\w-]*")
# Behind an option: `=FILE`, ` <file>`, ` FILE`; a form in brackets may be left out.
_VALUE = r"(?:=|[ =]<|[ =][A-Z][A-Z_-]+\b)"


def wellformed(case: Case, fix: str) -> bool:
    """Whether each command of `fix` that the failed program runs is whole."""
    typed = [word.value for word in case.words]
    mine = [command for command in commands_of(fix, case.failure.shell) if command.program == case.program]
    return not any(
        _doubles(typed, command)
        or _lacks_value(case, typed, command)
        or _widens(typed, command)
        or _contradicts(typed, command)
        for command in mine
    ) and not (_is_only_sudo(case, fix) and _misses_file(case))


def _doubles(typed: list[str], command: Command) -> bool:
    """Whether a word follows itself, and was not typed so."""
    before = set(itertools.pairwise(typed))
    return any(
        one == other and (one, other) not in before and _WORD.fullmatch(one)
        for one, other in itertools.pairwise(command.words)
    )


def _contradicts(typed: list[str], command: Command) -> bool:
    """Whether it turns one thing on and off: --edit beside --no-edit, where not both were typed."""
    on = {word for word in command.words if word.startswith("--") and f"--no-{word[2:]}" in command.words}
    return any(word not in typed or f"--no-{word[2:]}" not in typed for word in on)


def _widens(typed: list[str], command: Command) -> bool:
    """Whether the part of an argument that says which one was meant is cut off: `test.py` for `test.py::test_login`."""
    return any(
        old.startswith(new) and _SELECTS.match(old, len(new))
        for new in command.words[1:]
        if new not in typed and len(new) > 1
        for old in typed
        if old not in command.words
    )


def _is_only_sudo(case: Case, fix: str) -> bool:
    return fix == case.with_sudo() and fix != case.command


def _misses_file(case: Case) -> bool:
    """Whether a file that the command names is not there, and one of nearly that name is."""
    return any(
        not word.startswith("-")
        and re.search(r"[./]\w", word)
        and not case.exists(word)
        and bool(case.near_path(word))
        for word in case.operands
    )


def _lacks_value(case: Case, typed: list[str], command: Command) -> bool:
    """Whether an option that was not typed wants a value, and none stands behind it."""
    new = Counter(command.words[1:]) - Counter(typed)
    for option, after in itertools.pairwise([*command.words, ""]):
        bare = re.fullmatch(r"--?[A-Za-z][\w-]*", option)
        if new[option] and bare and (not after or after.startswith("-")) and takes_value(case, option):
            return True
    return False


def takes_value(case: Case, option: str) -> bool:
    """Whether the output or the manual of the failed program writes a value behind `option` where it explains it."""
    row = re.compile(rf"(?m)^[ \t]*(?:--?[\w-]+(?:[ =]\S+)?, *)?{re.escape(option)}{_VALUE}")
    return bool(row.search(case.output)) or bool(row.search(case.manual))
