"""A mark or a word that a source lacks or has wrong: a semicolon, a colon, a tab, `do` and `then`, an operator."""

from __future__ import annotations

import re
from collections.abc import Iterator

from terma.offline.explain.case import Case
from terma.offline.explain.evidence import Place, Weight
from terma.offline.explain.finding import Finding
from terma.offline.explain.near import distance
from terma.offline.explain.python_slips import parses, python_slip
from terma.offline.explain.shapes.unclosed import missing
from terma.offline.explain.source import edited, ended, line_at, lines_of, sed

_OPEN_END = re.compile(
    r"[;{}:,(\[<>&|+*/=?\\-]\s*$|^\s*(?:#|//|/\*|\*|<\?|\?>|$)|^\s*(?:if|for|while|foreach|else|function|class|switch|sub)\b"
)
_WANTS_SEMICOLON = frozenset("c h cc cpp cxx hpp java php pl pm cs js ts rs".split())
_SIGN = re.compile(r"(?<=[\w\"')\]] )[-=<>:~|&+*/!]{1,4}(?= [\w\"'(\[])")
_SHELLS = frozenset(("sh", "bash", "zsh", "dash", "ksh", "ksh93", "mksh", "yash"))


def marks(case: Case, place: Place) -> Iterator[Finding]:
    """Each slip of that kind around `place` that the lines of the output tell of."""
    yield from _missing_mark(case, place)
    yield from _inside(case, place)
    yield from _bracket(case, place)
    yield from python_slip(case, place, told_of(case))
    yield from _tab(case, place)
    yield from _keyword(case, place)
    yield from _sign(case, place)


def told_of(case: Case) -> str:
    """The lines that decide, on one."""
    found = case.evidence
    rows = list(found.decisive[:3])
    first = rows[0] if rows else len(found.lines)
    rows += [  # a title, and below it what it is about
        at for at in range(first + 1, min(first + 3, len(found.lines))) if found.weights[at] == Weight.HINTED
    ]
    return " ".join(found.lines[index] for index in dict.fromkeys(rows))


def _missing_mark(case: Case, place: Place) -> Iterator[Finding]:
    """A mark that ends a line is missing: one that the output asks for, at a line that does end without it."""
    told, ending = told_of(case), place.file.rpartition(".")[2].lower()
    lines = lines_of(case, place.file)
    wanted = re.search(
        r"(?i:expected) (?:[`'‘\"],['’\"`] or )?[`'‘\"]([;:])['’\"`]|[`'‘\"](;)['’\"`] expected|not terminated by \"(;)\"",
        told,
    )
    mark = next(filter(None, wanted.groups())) if wanted else ""
    if ending == "py" and mark == ":":
        rest = [*lines[: place.line - 1], lines[place.line - 1] + ":", *lines[place.line :]]
        if parses(rest):
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
    if here == place.line and place.column and not line_at(case, place)[: place.column - 1].strip():
        here -= 1  # it is the first word of its line that came too early
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


def _inside(case: Case, place: Place) -> Iterator[Finding]:
    """The mark that the first error wants stands where its caret points, in the middle of the line."""
    first = case.evidence.line
    wanted = re.search(r"(?i:expected) [`'‘\"]([;,:)])['’\"`]|[`'‘\"]([;,:)])['’\"`] expected", first)
    row = line_at(case, place)
    at = _caret(case, first, row) if wanted and row else 0
    mark = next(filter(None, wanted.groups())) if wanted else ""
    if 0 < at < len(row.rstrip()) and row[:at].strip() and not row[:at].rstrip().endswith(mark):
        head = row[:at].rstrip()
        said = f"Line {place.line} of {place.file} lacks {mark} behind {head.split()[-1]}."
        yield Finding(said, rewritten(case, place, f"{head}{mark}{row[len(head) :]}"))


def _caret(case: Case, error: str, row: str) -> int:
    """The column, from 0, under which a ^ of the output stands below `row`, itself below `error`; 0 for none."""
    lines = case.output.splitlines()
    for before, above, below in zip(lines, lines[1:], lines[2:], strict=False):
        shift = above.rstrip().find(row.rstrip())
        if before.strip() == error and shift >= 0 and re.fullmatch(r"[\s|~]*\^[\s~]*", below):
            return max(below.index("^") - shift, 0)
    return 0


def _bracket(case: Case, place: Place) -> Iterator[Finding]:
    """A round bracket that the head of a block or a statement opens and does not close."""
    if place.file.endswith(".py") or not re.search(
        r"syntax|expected|unexpected|parse|missing", told_of(case)
    ):
        return
    row = line_at(case, place)
    end = re.search(r"\s*(?:\{|;|\bdo\b|\bthen\b)\s*$", row)
    head = row[: end.start()] if end else ""
    closing = missing(head) if not re.search(r"[,(=+*/&|<>-]\s*$", head) else ""
    if end and closing and not closing.strip(")]"):
        said = f"Line {place.line} of {place.file} opens a bracket that nothing closes."
        yield Finding(said, rewritten(case, place, f"{head}{closing}{row[end.start() :]}"))


def rewritten(case: Case, place: Place, row: str) -> str:
    """The sed command that makes `row` of the line at `place`, and what failed again."""
    text = re.sub(r"([\\&|])", r"\\\1", row)
    return sed(case, place.file, f"{place.line}s|.*|{text}|")


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


def _keyword(case: Case, place: Place) -> Iterator[Finding]:
    """A loop or a condition of a shell script whose `do` or `then` is missing at the end of the line before."""
    told = told_of(case)
    if case.program not in _SHELLS or not re.search(r"unexpected|syntax|parse error", told):
        return
    for number, opens, word in _heads(lines_of(case, place.file), place.line, told):
        text = lines_of(case, place.file)[number - 1].strip()
        if re.match(rf"(?:{opens})\s", text):
            yield Finding(
                f"Line {number} of {place.file} lacks its {word}: {text}",
                ended(case, place.file, number, f"; {word}"),
            )
            return


def _heads(lines: list[str], line: int, told: str) -> Iterator[tuple[int, str, str]]:
    """The lines before `line` that may lack a word: the one just before, or the head of what is closed at `line`."""
    kinds = (("for|while|until|select", "do", "done"), ("if|elif", "then", "fi|else|elif"))
    for opens, word, closes in kinds:
        ends = re.search(rf"[`'\"‘](?:{closes})['\"’]", told)
        for number in range(line - 1, 0, -1):
            text = lines[number - 1].strip()
            if re.search(rf"(?:^|[;\s]){word}\b", text) or (
                text and not ends and not re.match(rf"(?:{opens})\s", text)
            ):
                break
            if re.match(rf"(?:{opens})\s", text) and not re.match(rf"{word}\b", lines[line - 1].strip()):
                yield number, opens, word
                break


def _sign(case: Case, place: Place) -> Iterator[Finding]:
    """A sign that the output stumbles over, and that the other lines of the file write one mark shorter or longer."""
    near = re.search(r"(?:near|at|unexpected)[^'\"`‘]{0,20}['\"`‘]([^\w\s'\"]{1,3})['\"`’]", told_of(case))
    line = line_at(case, place)
    written = [sign for sign in _SIGN.findall(line) if near and near[1] in sign]
    if len(written) != 1:
        return
    others = {sign for row in lines_of(case, place.file) if row != line for sign in _SIGN.findall(row)}
    meant = [sign for sign in others if distance(sign, written[0], 1.0) <= 1.0]
    if len(meant) == 1 and written[0] not in others:
        yield Finding(
            f"Line {place.line} of {place.file} says {written[0]}, and the others say {meant[0]}.",
            edited(case, place.file, place.line, written[0], meant[0]),
        )
