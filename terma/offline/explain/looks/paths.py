"""Looks at a path: what lies where it was looked for, what is there already, whose it is, what kind of file it is."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from terma.offline.explain.case import Case
from terma.offline.explain.line import quote
from terma.offline.explain.looks.named import folder_above, lines_with, operands_here, said, subjects
from terma.offline.explain.pathnames import LOCAL, is_of_files

_GONE = re.compile(
    r"no such file|not found|does ?n[o']t exist|do not exist|enoent|no files?\b|missing|not a file"
    r"|(?:cannot|can't|could ?n[o']t|unable to|failed to) (?:be )?(?:find|found|open|read|stat|access|load|locate)"
    r"|fail\w* (?:to )?open\w*|did not match any|not accessible",
    re.IGNORECASE,
)
# What the message misses is no file: a name in a language, a program, something behind an address.
_NO_FILE = re.compile(
    r"\bmodules?\b|command not found|\bpackages?\b|\bheader\b|#include|symbol|\bclass\b|import\b|\bhost\b"
    r"|manual entry|\bargument|interpreter|variable|function",
    re.IGNORECASE,
)
_THERE = re.compile(
    r"already exists?|file exists|is in the way|would be overwritten|exists and is not", re.IGNORECASE
)
_FILLED = re.compile(r"not (?:an )?empty|non-?empty", re.IGNORECASE)
_BARRED = re.compile(
    r"permission denied|not permitted|access denied|eacces|eperm|not writ[ae]*ble|read-?only|not owned",
    re.IGNORECASE,
)
_HELD = re.compile(
    r"\block(?:ed|ing)?\b|\bbusy\b|in use by|being used|temporarily unavailable|another (?:process|instance)",
    re.IGNORECASE,
)
_UNMATCHED = re.compile(r"no match(?:es)?(?: found)?\b|[*?\]][^\n]{0,30}no such file", re.IGNORECASE)
_FULL = re.compile(r"no space left|disk quota|quota exceeded|disk full|file too large|enospc", re.IGNORECASE)
_SYSTEM = frozenset(("/", "/run", "/var/run", "/tmp", "/dev", "/proc", "/sys"))  # noqa: S108


def paths(case: Case) -> Iterator[str]:
    """What `ls`, `df` or `fuser` shows of the path that the message is about."""
    if lines := lines_with(case, _FULL):
        yield _disk(case, [*subjects(case, lines), *case.operands])
    yield from (f"ls -A {quote(name)}" for name in _here(case, _FILLED) if case.is_dir(name))
    there = _here(case, _THERE)
    yield from (f"ls {'-ld' if case.is_dir(name) else '-l'} {quote(name)}" for name in there)
    if lines_with(case, _HELD) and not there:
        yield from (f"fuser -v {quote(name)}" for name in (*_here(case, _HELD), *operands_here(case)))
    if lines := lines_with(case, _BARRED):
        yield from (_right(case, name) for name in subjects(case, lines))
    for word in case.words if lines_with(case, _UNMATCHED) else ():
        above = word.value.rpartition("/")[0]
        if re.search(r"[*?\[]", word.value) and (not above or case.is_dir(above)):
            yield " ".join(("ls", *([quote(above)] if above else ())))
    if (lines := lines_with(case, _GONE)) and not _NO_FILE.search(lines):
        yield from _missing(case, list(subjects(case, lines))[:12])


def _here(case: Case, pattern: re.Pattern[str]) -> list[str]:
    """The paths of the lines with `pattern` that are here."""
    lines = lines_with(case, pattern)
    return [name for name in subjects(case, lines) if case.exists(name)] if lines else []


def _missing(case: Case, names: list[str]) -> Iterator[str]:
    """What lies in the nearest folder above a path that is not there."""
    base = _entered(case)
    for name in names:
        spoken = re.search(rf"(?m)^(\w+): .*{re.escape(name)}", said(case))  # by what xargs or a script ran
        speaker = spoken[1] if spoken else case.program
        bare = not re.search(r"[/.]", name) and not LOCAL & {case.program, speaker}
        if case.exists(name) or bare or not is_of_files(case, name):
            continue
        above = folder_above(case, name if name.startswith("/") or name in case.command else base + name)
        hidden = "a" if name.rpartition("/")[2].startswith(".") else ""
        if above in _SYSTEM:
            yield f"ls -l {quote(name)}" if name.endswith((".sock", ".socket")) else ""
        else:
            yield " ".join(("ls", *(["-la"] if hidden else []), *([] if above == "." else [quote(above)])))
        return


def _entered(case: Case) -> str:
    """The folder that the program went into before it looked, by its -C, with a slash; "" for none."""
    for option, value in itertools.pairwise(case.args):
        if option in ("-C", "--directory") and case.is_dir(value):
            return f"{value.rstrip('/')}/"
    return ""


def _disk(case: Case, names: list[str]) -> str:
    """How full the disk is that was written to."""
    into = next((name for name in names if "/" in name and not name.startswith(("-", "/dev"))), "")
    if any(name.startswith("/dev/") for name in names):
        return "df -h"
    return f"df -h {quote(folder_above(case, into))}" if into else "df -h ."


def _right(case: Case, name: str) -> str:
    """Whose the path is and what its mode allows; of one that is to be made, its folder's."""
    path = name if case.exists(name) else folder_above(case, name)
    bare = path == "." and name not in case.args
    return "" if path == "/" or bare else f"ls -ld {quote(path)}"
