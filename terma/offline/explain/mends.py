"""A source that is wrong in one place: the output names the slip, the file holds it, and one edit takes it away.

Every finding is a look at the file itself: where it does not hold what the output says, nothing is found."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from terma.offline.explain.case import Case
from terma.offline.explain.evidence import Place
from terma.offline.explain.near import nearest
from terma.offline.explain.source import edited, ended, holders, line_at, lines_of, sed

_UNKNOWN = re.compile(
    r"undefined|undeclared|not (?:been )?(?:defined|declared|found)|unknown|unresolved|cannot find|can't find|couldn't resolve"
    r"|no (?:such|rule|member|method|attribute|variable)|has no |does not exist|invalid|requires explicit|unrecognized|unexpected (?:key|property)|not a (?:valid|known)"
    r"|not declared|is not (?:in|a)|bad ",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Za-z_][\w-]*")
_OPEN_END = re.compile(
    r"[;{}:,(\[<>&|+*/=?\\-]\s*$|^\s*(?:#|//|/\*|\*|<\?|\?>|$)|^\s*(?:if|for|while|foreach|else|function|class|switch|sub)\b"
)
_WANTS_SEMICOLON = frozenset("c h cc cpp cxx hpp java php pl pm cs js ts rs".split())
_MAX_KNOWN = 4000  # words of a source that are compared
_MAX_CANDIDATES = 40


@dataclass(frozen=True, slots=True)
class Finding:
    """What a look at the files showed: a sentence, and the command that follows from it, "" where none does."""

    said: str
    fix: str = ""


def mended(case: Case) -> Finding | None:
    """The slip that the output tells of, found in its file; None when nothing is found."""
    return next(_findings(case), None)


def _findings(case: Case) -> Iterator[Finding]:
    place = case.evidence.place
    if place and place.own and line_at(case, place):
        yield from _proposed(case, place)
        yield from _missing_mark(case, place)
        yield from _tab(case, place)
        yield from _slip(case, place)
    yield from _unplaced(case)


def _told(case: Case) -> str:
    """The lines that decide, on one."""
    return " ".join(case.evidence.lines[index] for index in case.evidence.decisive[:3])


def _proposed(case: Case, place: Place) -> Iterator[Finding]:
    """The output proposes a name itself: the word of that line which it is a better spelling of."""
    line = line_at(case, place)
    for name in case.evidence.suggested[:2]:
        words = [word for word in dict.fromkeys(_WORD.findall(line)) if word in case.evidence.flat]
        wrong = nearest(name, [word for word in words if word != name], 1)
        quoted = [word for word in words if word in case.evidence.names and word != name]
        old = wrong[0] if wrong else quoted[0] if len(quoted) == 1 else ""
        fix = edited(case, place.file, place.line, old, name) if old else ""
        if fix:
            yield Finding(
                f"Line {place.line} of {place.file} says {old}; {name} is the name that the output proposes.",
                fix,
            )


def _missing_mark(case: Case, place: Place) -> Iterator[Finding]:
    """A mark that ends a line is missing: one that the output asks for, at a line that does end without it."""
    told, ending = _told(case), place.file.rpartition(".")[2].lower()
    lines = lines_of(case, place.file)
    wanted = re.search(
        r"expected [`'‘\"]([;:])['’\"`]|[`'‘\"](;)['’\"`] expected|not terminated by \"(;)\"", told
    )
    mark = next(filter(None, wanted.groups())) if wanted else ""
    if ending == "py" and mark == ":":
        rest = [*lines[: place.line - 1], lines[place.line - 1] + ":", *lines[place.line :]]
        if _is_python("\n".join(rest)):
            yield Finding(
                f"The statement in line {place.line} of {place.file} lacks its colon.",
                ended(case, place.file, place.line, ":"),
            )
        return
    unexpected = re.search(r"syntax error|unexpected|not terminated", told)
    if not mark and not (unexpected and (ending in _WANTS_SEMICOLON or case.program == "nginx")):
        return
    here = (
        place.line
        if mark == ";" and ending not in ("php", "pl", "pm") and case.program != "nginx"
        else place.line - 1
    )
    while here > 0 and not lines[here - 1].strip():
        here -= 1
    if (
        here > 0
        and (mark or ending in ("php", "pl", "pm") or case.program == "nginx")
        and not _OPEN_END.search(lines[here - 1])
    ):
        yield Finding(
            f"Line {here} of {place.file} ends without a semicolon: {lines[here - 1].strip()}",
            ended(case, place.file, here, ";"),
        )


def _is_python(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _tab(case: Case, place: Place) -> Iterator[Finding]:
    """A tab that indents YAML, which forbids it."""
    lines = lines_of(case, place.file)
    near = [number for number in (place.line - 1, place.line, place.line + 1) if 0 < number <= len(lines)]
    tabbed = [number for number in near if re.match(r" *\t", lines[number - 1])]
    if place.file.endswith((".yml", ".yaml")) and tabbed and re.search(r"token|tab|character", case.low):
        before = next((line for line in reversed(lines[: tabbed[0] - 1]) if line.strip()), "")
        steps = [len(line) - len(line.lstrip(" ")) for line in lines if re.match(r" +\S", line)]
        deep = (
            len(before)
            - len(before.lstrip(" "))
            + (min(steps, default=2) if before.rstrip().endswith(":") else 0)
        )
        tabs = len(re.findall(r"\t", lines[tabbed[0] - 1])) or 1
        fix = sed(case, place.file, f"s/\\t/{' ' * max(deep // tabs, 1)}/g")
        yield Finding(f"Line {tabbed[0]} of {place.file} is indented with a tab, which YAML forbids.", fix)


def _slip(case: Case, place: Place) -> Iterator[Finding]:
    """A name that the output calls unknown, and the same file has a near one more than once or defines it."""
    told = _told(case)
    if not _UNKNOWN.search(told):
        return
    text = "\n".join(lines_of(case, place.file))
    known = list(dict.fromkeys(_WORD.findall(text)))[:_MAX_KNOWN]
    line = line_at(case, place)
    if place.file.endswith((".yml", ".yaml")):
        yield from _below(case, place, told)
    for name in [name.strip("$@") for name in case.evidence.names][:_MAX_CANDIDATES]:
        if len(name) < 4 or name not in line or name not in told or text.count(name) != 1:
            continue
        near = nearest(name, [word for word in known if word not in line.split(name)[0].split()], 2)
        fix = edited(case, place.file, place.line, name, near[0]) if len(near) == 1 else ""
        if fix:
            yield Finding(
                f"Line {place.line} of {place.file} says {name}; the file has {near[0]} elsewhere.", fix
            )


def _below(case: Case, place: Place, told: str) -> Iterator[Finding]:
    """YAML points at the beginning of a block: the name stands in it, a few lines down."""
    lines = lines_of(case, place.file)
    for name in case.evidence.names[:8]:
        rows = [
            number
            for number in range(place.line, min(place.line + 8, len(lines) + 1))
            if re.match(rf"[\s-]*{re.escape(name)}:", lines[number - 1])
        ]
        if len(name) > 2 and name in told and len(rows) == 1:
            yield Finding(f"{name} stands in line {rows[0]} of {place.file}.")


def _unplaced(case: Case) -> Iterator[Finding]:
    """A name that the output calls unknown without a place: the one file near here that holds it, once."""
    told = _told(case)
    if not _UNKNOWN.search(told) or (case.evidence.place and case.evidence.place.own):
        return
    for name in case.evidence.names[:8]:
        if len(name) < 3 or name not in told or name in case.args or not re.fullmatch(r"[\w./-]+", name):
            continue
        found = holders(case, name)
        if len(found) != 1:
            continue
        path, line = found[0]
        near = _meant(case, name, path)
        fix = edited(case, path, line, name, near) if near else ""
        if fix:
            yield Finding(f"{name} stands in {path}, line {line}; there is {near}.", fix)


def _meant(case: Case, name: str, path: str) -> str:
    """What `name` was to be: a file that lies near, else the nearest word of the same file."""
    near = case.near_path(name) if "." in name or "/" in name else ""
    if near:
        return near
    words = dict.fromkeys(_WORD.findall("\n".join(lines_of(case, path))))
    found = nearest(name, list(words)[:_MAX_KNOWN], 2)
    return found[0] if len(found) == 1 else ""
