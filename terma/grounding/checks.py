"""A command held against the machine, word by word: what fails is said, and nothing is ever run for it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from terma.risk.model import Call
from terma.risk.syntax import read

MAX_PROBLEMS = 3
BUILTINS = frozenset(
    ". : [ alias bg bind break builtin caller cd command compgen complete continue declare dirs disown echo enable "
    "eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd "
    "pwd read readarray readonly return select set setopt shift shopt source suspend test time times trap true type "
    "typeset ulimit umask unalias unset unsetopt wait whence where which autoload bindkey zmodload zle print vared "
    "noglob nocorrect emulate zparseopts sched rehash unfunction functions limit unlimit repeat foreach "
    "end [[ coproc".split()
)


def check(
    command: str, path: str, cwd: str, shell: str, options_of: Callable[[str, str], frozenset[str]]
) -> list[str]:
    """Short phrases, the worst first: `no such program: eza`, `ls has no option --newest`. Empty when all is well or
    cannot be told. Never raises."""
    calls, functions, whole = read(command)
    if not whole:
        return []
    problems: list[str] = []
    for call in calls:
        problems += _one(call, path, cwd, options_of) if call.name not in functions else []
    return list(dict.fromkeys(problems))[:MAX_PROBLEMS]


def _one(call: Call, path: str, cwd: str, options_of: Callable[[str, str], frozenset[str]]) -> list[str]:
    if not call.words or call.words[0].dynamic or call.elsewhere or call.name in BUILTINS:
        return []
    program = call.words[0].text
    found = where(program, path, cwd)
    if not found:
        return [f"no such program: {program}"]
    known = options_of(call.name, found)
    return [
        f"{call.name} has no option {flag}"
        for flag in sorted(call.flags())
        if known and flag.startswith("--") and flag not in known
    ]


def where(program: str, path: str, cwd: str) -> str:
    """The file that a shell with PATH `path` would run, "" when there is none."""
    if "/" in program:
        file = Path(cwd) / Path(program).expanduser()
        return str(file) if os.access(file, os.X_OK) else ""
    for directory in path.split(os.pathsep):
        file = Path(directory or cwd) / program
        if file.is_file() and os.access(file, os.X_OK):
            return str(file)
    return ""
