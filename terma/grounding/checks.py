"""A command held against the machine, word by word: what fails is said, and nothing of it is ever run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from terma.grounding.budget import Budget
from terma.grounding.files import Files
from terma.grounding.line import calls_of, functions_of, own_words
from terma.grounding.missing import ROOTS_PATH, Programs
from terma.grounding.subcommands import unknown_subcommand
from terma.grounding.words import options_are_told, unknown_options
from terma.machine.packages import install_line
from terma.machine.programs import where
from terma.risk.model import Call
from terma.risk.wrappers import split_words
from terma.text import one_line
from terma.types import Problem

_MORE = re.compile(r"[;|&$`(){}<>\\\n]")  # in an alias: not just a command with options
_ASSIGNS = re.compile(r"(?:^|;)\s*\S+\s+=\s")  # Python's, of what Python alone cannot read: p = $(ls)
MAX_PROBLEMS = 3
MAX_LENGTH = 160  # of one problem, in code points
SHELLS = ("bash", "zsh", "sh", "")  # whose language is read here


def check(
    command: str,
    path: str,
    cwd: str,
    shell: str,
    *,
    aliases: Mapping[str, str] | None = None,
    seconds: float | None = None,
) -> list[str]:
    """Short phrases: `no such program: eza (apt install eza)`, `ls has no option --newest`, `no such file: x.tar`.
    Empty when all is well or cannot be told.

    `aliases` are the person's. Takes at most about `seconds`; some milliseconds when the programs
    were looked at before. Never raises."""
    return [found.text for found in problems(command, path, cwd, shell, aliases=aliases, seconds=seconds)]


def problems(
    command: str,
    path: str,
    cwd: str,
    shell: str,
    *,
    aliases: Mapping[str, str] | None = None,
    seconds: float | None = None,
) -> list[Problem]:
    """What `check` says, with the kind of each."""
    if not command.strip() or not path or not _is_read(command, shell):
        return []
    try:
        found = list(_problems(command, path, cwd, shell, aliases or {}, seconds))
    except Exception:  # a strange command must not take the answer down
        return []
    short = (replace(each, text=one_line(each.text, MAX_LENGTH)) for each in found)
    return list({each.text: each for each in short}.values())[:MAX_PROBLEMS]


def _is_read(command: str, shell: str) -> bool:
    """Whether the line can be read here: a command in xonsh is written as elsewhere, and a line of Python is none."""
    if shell != "xonsh":
        return shell in SHELLS
    from terma.dialect.xonsh.rewrite import is_python

    return not (is_python(command) or _ASSIGNS.search(command))


def can_tell(command: str, path: str, cwd: str, shell: str, aliases: Mapping[str, str] | None = None) -> bool:
    """Whether the options of every program in `command` are known here, so that a wrong one would be found. Never
    raises."""
    if not path or not _is_read(command, shell):
        return False
    try:
        calls, own = calls_of(command), {*(aliases or {}), *functions_of(command)}
        if not calls:
            return False
        budget, programs = Budget(), Programs(command, path, cwd, shell, own)
        return all(_is_told(call, programs, budget) for call in calls)
    except Exception:  # as above
        return False


def _is_told(call: Call, programs: Programs, budget: Budget) -> bool:
    if not any(word.text.startswith("-") for word in call.args):
        return True
    if call.elsewhere or not call.words or call.words[0].dynamic:
        return False
    file = programs.file(call)
    return bool(file) and options_are_told(own_words(call), file, budget)


def _problems(
    command: str,
    path: str,
    cwd: str,
    shell: str,
    aliases: Mapping[str, str],
    seconds: float | None,
) -> Iterator[Problem]:
    calls = calls_of(command)
    if calls is None:
        return
    budget, files = Budget(seconds), Files(command, cwd)
    own = {*aliases, *functions_of(command)}
    programs = Programs(command, path, cwd, shell, own)
    for call in calls:
        names: list[str] = []
        if call.words and not call.words[0].dynamic:
            file = programs.file(call)
            names = list(programs.missing(call, file))
            for name in names:
                yield _absent(name, path)
            call_meant = _meant(call, aliases) if call.words[0].text in own else call
            if call_meant and not call.elsewhere and (file := programs.file(call_meant)):
                own_part = own_words(call_meant)
                if words := unknown_subcommand(own_part, file, path, cwd, budget):
                    yield _no_subcommand(words, path)
                else:
                    for text in unknown_options(own_part, file, budget):
                        yield Problem(text, "invented", call_meant.name)
        for text in files.missing(call):
            yield Problem(text, "file")
        if not names:  # what is not there makes nothing
            files.note(call)


def _absent(name: str, path: str) -> Problem:
    """That a program is missing, with what brings it."""
    if "/" not in name and (hidden := where(name, ROOTS_PATH, "")):
        return Problem(f"{name} is not on the PATH ({hidden})", "absent", name)
    line = install_line(name, lambda program: bool(where(program, path, "")))
    if line:
        return Problem(f"no such program: {name} ({line.removeprefix('sudo ')})", "absent", name)
    return Problem(f"no such program: {name}", "invented", name)


def _no_subcommand(words: str, path: str) -> Problem:
    """That a program, or its subcommand, has no such subcommand, or which package brings it."""
    before, _, word = words.rpartition(" ")
    name = "-".join(words.split())
    if " " not in before and install_line(name, lambda program: bool(where(program, path, ""))):
        return _absent(name, path)
    return Problem(f"{before} has no subcommand {word}", "invented", words.split(maxsplit=1)[0])


def _meant(call: Call, aliases: Mapping[str, str]) -> Call | None:
    """The command behind an alias, None behind a function and what is more than one command."""
    value = aliases.get(call.words[0].text, "")
    if not value.strip() or _MORE.search(value):
        return None
    return replace(call, words=(*split_words(value), *call.args))
