"""A second slip beside the mended one: an option of the subcommand that was meant, a folder that has to be made."""

from __future__ import annotations

from terma.offline.explain.case import Case
from terma.offline.explain.line import program_at, quote, words_of
from terma.offline.explain.near import distance, nearest
from terma.offline.explain.program_text import holds
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
    """`fix` with the options put right that its subcommand, another than the typed one, does not have. An option that
    the program holds in its file is left: our own lists are not whole."""
    words = words_of(fix)
    index = program_at(words, case.part)
    if index < 0 or index + 1 >= len(words) or words[index].value != case.program:
        return fix
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
