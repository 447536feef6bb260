"""A command held against the machine, word by word: what fails is said, and nothing of it is ever run."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from terma.grounding.budget import SECONDS, Budget
from terma.grounding.files import Files
from terma.grounding.line import calls_of, functions_of, own_words
from terma.grounding.missing import Programs
from terma.grounding.words import unknown_options
from terma.machine.packages import install_line
from terma.machine.programs import where

MAX_PROBLEMS = 3
SHELLS = ("bash", "zsh", "sh", "")  # whose language is read here


def check(
    command: str,
    path: str,
    cwd: str,
    shell: str,
    *,
    known: Collection[str] = (),
    seconds: float = SECONDS,
) -> list[str]:
    """Short phrases: `no such program: eza (apt install eza)`, `ls has no option --newest`, `no such file: x.tar`.
    Empty when all is well or cannot be told.

    `known` are the person's aliases and functions. Takes at most about `seconds`; some milliseconds when the programs
    were looked at before. Never raises."""
    if shell not in SHELLS or not command.strip():
        return []
    try:
        found = list(_problems(command, path, cwd, shell, known, seconds))
    except Exception:  # a strange command must not take the answer down
        return []
    return list(dict.fromkeys(found))[:MAX_PROBLEMS]


def _problems(
    command: str,
    path: str,
    cwd: str,
    shell: str,
    known: Collection[str],
    seconds: float,
) -> Iterator[str]:
    calls = calls_of(command)
    if calls is None:
        return
    budget, files = Budget(seconds), Files(command, cwd)
    own = {*known, *functions_of(command)}
    programs = Programs(command, path, cwd, shell, own)
    for call in calls:
        if call.words and not call.words[0].dynamic:
            file = programs.file(call)
            for name in programs.missing(call, file):
                line = install_line(name, lambda program: bool(where(program, path, "")))
                yield f"no such program: {name}" + (f" ({line.removeprefix('sudo ')})" if line else "")
            if file and not call.elsewhere and call.words[0].text not in own:
                yield from unknown_options(own_words(call), file, budget)
        yield from files.missing(call)
