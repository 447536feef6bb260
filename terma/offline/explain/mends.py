"""A source that is wrong in one place: the output names the slip, the file holds it, and one edit takes it away.

Every finding is a look at the file itself: where it does not hold what the output says, nothing is found."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterator

from terma.offline.explain import program_text
from terma.offline.explain.case import Case
from terma.offline.explain.evidence import Place
from terma.offline.explain.finding import Finding
from terma.offline.explain.marks import marks, told_of
from terma.offline.explain.near import distance, nearest
from terma.offline.explain.neighbours import elsewhere
from terma.offline.explain.source import edited, holders, line_at, lines_of, sed

_UNKNOWN = re.compile(
    r"undefined|undeclared|not (?:been )?(?:defined|declared|found)|unknown|unresolved|cannot find|can't find|couldn't resolve"
    r"|no (?:such|rule|member|method|attribute|variable)|has no |does not exist|invalid|requires explicit|unrecognized|unexpected (?:key|property)|not a (?:valid|known)|not recogni[sz]ed|is not a (?:function|method)"
    r"|not declared|no known|is not (?:in|a)|bad ",
    re.IGNORECASE,
)
_UNQUOTED = re.compile(
    r"<(\w[\w-]*)>|\b(?:function|method|variable|class|field|key|property|name|symbol) \W?(\w+)"
    r"|\.(\w+) is not a (?:function|method)"
)
_MANIFEST = re.compile(
    r"package\.json|requirements.*\.txt|pyproject\.toml|Cargo\.toml|go\.mod|Gemfile|composer\.json|pom\.xml"
)
_WORD = re.compile(r"[A-Za-z_][\w-]*")
_MAX_KNOWN = 4000  # words of a source that are compared
_MAX_CANDIDATES = 40
_SHORT_CLASS = 3  # letters of a name that is near to others by chance
_MIN_WORD = 6  # letters: a shorter name is near to some word of a program by chance


def mended(case: Case) -> Finding | None:
    """The slip that the output tells of, found in its file; None when nothing is found."""
    return next(_findings(case), None)


def _findings(case: Case) -> Iterator[Finding]:
    place = case.evidence.place
    if place and place.own and line_at(case, place):
        yield from _proposed(case, place)
        yield from marks(case, place)
        yield from _import(case, place)
        yield from _slip(case, place)
    yield from _unplaced(case)


def _proposed(case: Case, place: Place) -> Iterator[Finding]:
    """The output proposes a name itself: the word of that line which it is a better spelling of."""
    line = line_at(case, place)
    yield from _sign(case, place, line)
    for name in case.evidence.suggested[:2]:
        words = [word for word in dict.fromkeys(_WORD.findall(line)) if word in case.evidence.flat]
        wrong = nearest(name, [word for word in words if word != name], 1)
        told = told_of(case)
        quoted = [word for word in words if word in case.evidence.names and word != name and word in told]
        if name in _WORD.findall(line):
            continue  # it stands there already: something else is wrong with it
        old = wrong[0] if wrong else quoted[0] if len(quoted) == 1 else ""
        fix = edited(case, place.file, place.line, old, name) if old else ""
        if fix:
            yield Finding(
                f"Line {place.line} of {place.file} says {old}; {name} is the name that the output proposes.",
                fix,
            )


def _sign(case: Case, place: Place, line: str) -> Iterator[Finding]:
    """The output calls an operator wrong and proposes another: the one place of the line where that one stands."""
    told = re.search(
        r"(?:^|\s)['\"`‘]?([=<>!~+*/|&:-]{1,3})['\"`’]? is (?:not a|an in|an un)", case.evidence.flat
    )
    meant = re.search(r"id you mean:? ['\"`‘]?([=<>!~+*/|&:-]{1,3})['\"`’]? ?\?", case.evidence.flat)
    if not told or not meant:
        return
    alone = re.findall(rf"(?<![=<>!~+*/|&:-]){re.escape(told[1])}(?![=<>!~+*/|&:-])", line)
    if (
        len(alone) == 1
        and line.count(told[1]) == 1
        and (fix := edited(case, place.file, place.line, told[1], meant[1]))
    ):
        yield Finding(f"Line {place.line} of {place.file} has {told[1]} where {meant[1]} is meant.", fix)


def _import(case: Case, place: Place) -> Iterator[Finding]:
    """A class of Java's own that a source uses and does not import, by the list that lies beside the compiler."""
    found = re.search(r"symbol: +class (\w+)", case.evidence.flat) if place.file.endswith(".java") else None
    if not found:
        return
    home = str(case.at(case.file_of("javac") or case.file_of("java")).resolve()).rpartition("/bin/")[0]
    known = case.read(f"{home}/lib/classlist", 1 << 20)
    names = set(re.findall(rf"^(java/(?:util|io|nio|time|net|math)[\w/]*/{found[1]})$", known, re.MULTILINE))
    if not names:
        own = re.findall(r"^java/lang/(\w+)$", known, re.MULTILINE)
        near = nearest(found[1], own, 2) if len(found[1]) > _SHORT_CLASS else []
        if len(near) == 1:
            yield Finding(
                f"{found[1]} is no class; {near[0]} is one of java.lang.",
                edited(case, place.file, place.line, found[1], near[0]),
            )
        return
    package = next(
        (n for n, row in enumerate(lines_of(case, place.file), 1) if row.startswith("package ")), 0
    )
    if len(names) == 1:
        name = names.pop().replace("/", ".")
        script = f"{package}a import {name};" if package else f"1i import {name};"
        yield Finding(f"{found[1]} is {name}, and is not imported.", sed(case, place.file, script))


def _slip(case: Case, place: Place) -> Iterator[Finding]:
    """A name that the output calls unknown, and the same file has a near one more than once or defines it."""
    told = told_of(case)
    if not _UNKNOWN.search(told):
        return
    text = "\n".join(lines_of(case, place.file))
    known = list(dict.fromkeys(_WORD.findall(text)))[:_MAX_KNOWN]
    line = line_at(case, place)
    if place.file.endswith((".yml", ".yaml")):
        yield from _below(case, place, told)
    for name in _wrong_names(case, place, told, line):
        if len(name) < 4 or name not in line or text.count(name) != line.count(name):
            continue
        near = nearest(
            name, [word for word in known if word not in line.split(name)[0].split() and word not in name], 2
        )
        where = "the file has {} elsewhere"
        if not near:
            near, where = _of_language(case, name), "{} is a word of " + case.program
        fix = edited(case, place.file, place.line, name, near[0]) if len(near) == 1 else ""
        if fix:
            yield Finding(f"Line {place.line} of {place.file} says {name}; {where.format(near[0])}.", fix)


def _wrong_names(case: Case, place: Place, told: str, line: str) -> list[str]:
    """The names that the output calls unknown, and the word of the source that it points at."""
    quoted = [name.strip("$@<>/") for name in case.evidence.names if name in told]
    found = [*quoted, *(hit[hit.lastindex or 0] for hit in _UNQUOTED.finditer(told))]
    at = place.column - 1
    pointed = next((hit.group() for hit in _WORD.finditer(line) if hit.start() - 1 <= at < hit.end()), "")
    return list(dict.fromkeys([*found[:_MAX_CANDIDATES], *([pointed] if place.column and pointed else [])]))


def _of_language(case: Case, name: str) -> list[str]:
    """The word of the program itself that is one slip away: a function, a tag, a key that it knows."""
    if near := nearest(name, _keywords(case), 1):
        return near
    if len(name) < _MIN_WORD or _is_variable(case, name) or _is_dependency(case, name):
        return []
    if program_text.holds(case, name):
        return []
    words = [word for word in program_text.like(case, name) if distance(name, word, 1.0) <= 1.0]
    return nearest(name, [word for word in words if re.fullmatch(r"[A-Za-z_]\w*", word)], 2)


_KEYWORDS = {
    "c h cc cpp cxx hpp java js mjs ts cs": "return while continue switch default static struct sizeof unsigned volatile"
    " typedef extern import function class public private protected interface extends implements throws",
    "py": " ".join(word for word in keyword.kwlist if len(word) > 4),
    "rs go": "return while continue struct match import package struct interface default range defer",
}


def _keywords(case: Case) -> list[str]:
    """The longer words of the grammar of the source that is pointed at, by its ending."""
    ending = case.evidence.place.file.rpartition(".")[2] if case.evidence.place else ""
    return next((words.split() for endings, words in _KEYWORDS.items() if ending in endings.split()), [])


def _is_dependency(case: Case, name: str) -> bool:
    """Whether `name` is a package by its spelling, or one that a manifest of this folder lists: it is not here, and
    written as it should be."""
    texts = (case.read(one) for one in case.listing()[:400] if _MANIFEST.fullmatch(one))
    return "-" in name or any(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) for text in texts)


def _is_variable(case: Case, name: str) -> bool:
    """Whether the source writes `name` with the sign of a variable, or the output calls it one: nobody but the source
    names those."""
    place = case.evidence.place
    line = line_at(case, place) if place else ""
    return bool(
        re.search(rf"[$@]{re.escape(name)}(?![\w-])", line) or re.search(r"\bvariable\b", told_of(case), re.I)
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
    told = told_of(case)
    if not _UNKNOWN.search(told) or (case.evidence.place and case.evidence.place.own):
        return
    for name in (one.removeprefix(f"{case.cwd}/") for one in case.evidence.names[:8]):
        if re.search(rf"\b(?:by|from|in|for)(?: \w+)? ['\"`‘“]{re.escape(name)}['\"’”]", told):
            continue  # where it is wanted, and not what is unknown
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
    lying = elsewhere(case, name) if "." in name and not near else []
    if near or len(lying) == 1:
        return near or lying[0]
    words = dict.fromkeys(_WORD.findall("\n".join(lines_of(case, path))))
    pieces = set(_WORD.findall(name))  # what it is written with is no other name
    found = nearest(name, [word for word in list(words)[:_MAX_KNOWN] if word not in pieces], 2)
    return found[0] if len(found) == 1 else ""
