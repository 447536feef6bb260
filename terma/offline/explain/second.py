"""A second slip beside the mended one: the subcommand behind a misspelt program, an option of the subcommand that was
meant, a folder that has to be made."""

from __future__ import annotations

from pathlib import Path

from terma.machine.subcommands import PROGRAMS, added, has, listed
from terma.offline.explain.case import Case
from terma.offline.explain.line import Word, program_at, quote, words_of
from terma.offline.explain.near import SWAP, distance, nearest
from terma.offline.explain.program_text import holds
from terma.offline.explain.subcommands import SUBCOMMANDS
from terma.offline.explain.suboptions import OPTIONS

_SHORTEST = 6  # code points of an option, its dashes too, that one slip does not make another


_PLACES = ("cp", "mv", "install")  # their last operand is where the others go


def also_made(case: Case, fix: str) -> str:
    """`fix` behind a mkdir of the folder that it writes into: a slash says that it is one, and it is not there."""
    words = [word for word in words_of(fix) if not word.after]
    index = program_at(tuple(words), 0)
    if index < 0 or words[index].value not in _PLACES or any(word.part for word in words):
        return fix
    target = words[-1].value
    missing = target.endswith("/") and not case.exists(target) and not case.near_path(target, folder=True)
    first = {word.value for word in case.words} >= {words[index].value, target}
    return f"mkdir -p {quote(target.rstrip('/'))} && {fix}" if missing and first else fix


def also_mended(case: Case, fix: str) -> str:
    """`fix` with the subcommand put right that its program, another than the typed one, does not have, or with the
    options that its subcommand, another than the typed one, does not have. An option that the program holds in its
    file is left: our own lists are not whole."""
    words = words_of(fix)
    index = program_at(words, case.part)
    if index < 0 or index + 1 >= len(words):
        return fix
    if words[index].value != case.program:
        return _with_subcommand(case, fix, words[index].value, words[index + 1])
    sub = words[index + 1].value
    known = OPTIONS.get(f"{case.program} {sub}", "").split()
    if not known or sub in case.args:
        return fix
    for word in reversed(words):
        name = word.value.partition("=")[0]
        if word.part != case.part or not name.startswith("--") or len(name) < _SHORTEST or name in known:
            continue
        near = [one for one in nearest(name, known, 2) if distance(name, one, 1.0) <= 1.0]
        if len(near) == 1 and fix.startswith(name, word.start) and not holds(case, name):
            fix = f"{fix[: word.start]}{near[0]}{fix[word.start + len(name) :]}"
    return fix


def _with_subcommand(case: Case, fix: str, program: str, sub: Word) -> str:
    """`fix` with the one subcommand of `program` that `sub` is a slip of, where it is none itself."""
    known = set(SUBCOMMANDS.get(program, "").split())
    if not known or sub.part != case.part or sub.value in known or sub.value not in case.args:
        return fix
    whole = _all_of(case, program)
    if has(program, whole, sub.value) or added(program, sub.value, case.path, case.cwd):
        return fix
    slips = {name: distance(sub.value, name, 1.0) for name in nearest(sub.value, known, 3)}
    best = [name for name, apart in slips.items() if apart == min(slips.values())]
    sure = best and slips[best[0]] <= (1.0 if whole else SWAP)
    return f"{fix[: sub.start]}{best[0]}{fix[sub.end :]}" if sure and len(best) == 1 else fix


def _all_of(case: Case, program: str) -> frozenset[str]:
    """The subcommands that `program` has here, where its installation names them all."""
    file = case.file_of(program)
    try:
        return listed(program, Path(file)) if file and program in PROGRAMS else frozenset()
    except TimeoutError:
        return frozenset()
