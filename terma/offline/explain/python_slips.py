"""One slip in the grammar of a Python source: a bracket or a quote not closed, a line at the wrong depth, Python 2's print.

A mend is proved by reading the whole file again: it could not be parsed before, and can with the one line changed."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator

from terma.offline.explain.case import Case
from terma.offline.explain.evidence import Place
from terma.offline.explain.finding import Finding
from terma.offline.explain.source import lines_of, sed

_GRAMMAR = re.compile(r"\b(?:Syntax|Indentation|Tab)Error\b")
_STEP = 4  # blanks of one level where the file has none yet
_MAX_LINES = 2000  # of a source that is parsed again for each candidate
_CLOSES = {"(": ")", "[": "]", "{": "}"}
# A line with its trailing comment and colon apart, so that what is missing goes before them.
_ENDING = re.compile(r"\s*(?::\s*)?(?:#[^'\"]*)?$")


def python_slip(case: Case, place: Place, told: str) -> Iterator[Finding]:
    """The one changed line near `place` with which the file is Python; none where two changes are as good."""
    rows = lines_of(case, place.file)
    if not place.file.endswith(".py") or not _GRAMMAR.search(told) or len(rows) > _MAX_LINES or parses(rows):
        return
    for number in dict.fromkeys((place.line, *_opened(told), place.line - 1)):
        if not 0 < number <= len(rows):
            continue
        kept = {
            changed: said
            for changed, said in _candidates(rows, number, told)
            if changed != rows[number - 1] and parses([*rows[: number - 1], changed, *rows[number:]])
        }
        if len(kept) == 1:
            changed, said = kept.popitem()
            script = _script(rows[number - 1], changed, number)
            yield Finding(f"Line {number} of {place.file} {said}.", sed(case, place.file, script))
        if kept:
            return


def parses(rows: list[str]) -> bool:
    """Whether the lines are Python, by the grammar of the one that runs terma."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse("\n".join(rows))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _opened(told: str) -> list[int]:
    """The line that the message says a bracket or a statement begins in."""
    return [int(number) for number in re.findall(r"\bon line (\d+)", told)]


def _candidates(rows: list[str], number: int, told: str) -> Iterator[tuple[str, str]]:
    row = rows[number - 1]
    if "Indentation" in told or "TabError" in told:
        yield from _depths(rows, number, told)
        return
    if printed := re.fullmatch(r"(\s*)print\s+([^#]*[^#\s,])\s*", row):
        yield f"{printed[1]}print({printed[2]})", "has the print of Python 2"
    yield re.sub(r"^(\s*)else\s+if\b", r"\1elif", row), "says else if, which is elif"
    if re.match(r"\s*(?:if|elif|while)\b", row):
        yield re.sub(r"(?<![=!<>:])=(?!=)", "==", row, count=1), "compares with one ="
    end = _ENDING.search(row)
    head, tail = (row[: end.start()], row[end.start() :]) if end else (row, "")
    for closing in (_closing(head), *("'\"" if "string literal" in told else ())):
        if closing:
            yield f"{head}{closing}{tail}", f"lacks {closing}"
            inner = head.rstrip(")]}")
            if closing in "'\"" and inner != head:
                yield f"{inner}{closing}{head[len(inner) :]}{tail}", f"lacks {closing}"
    if "comma" in told and not head.endswith(","):
        yield f"{head},{tail}", "lacks a comma at its end"


def _closing(text: str) -> str:
    """What closes the brackets that `text` leaves open, "" where it leaves none or closes a wrong one."""
    open_: list[str] = []
    for char in re.sub(r"'[^'\n]*'|\"[^\"\n]*\"", "", text):
        if char in _CLOSES:
            open_.append(_CLOSES[char])
        elif char in _CLOSES.values() and (not open_ or open_.pop() != char):
            return ""
    return "".join(reversed(open_))


def _depths(rows: list[str], number: int, told: str) -> Iterator[tuple[str, str]]:
    """The line at the depth of the line before, and one deeper behind a colon; of one that fits no level, at the level
    next to it. Nothing where the line after stands as deep: how far the block goes only its author knows."""
    text = rows[number - 1].strip()
    above = next((row for row in reversed(rows[: number - 1]) if row.strip()), "")
    below = next((row for row in rows[number:] if row.strip()), "")
    if not text or (below and _depth(below) == _depth(rows[number - 1]) and not text.endswith(":")):
        return
    levels = sorted({_depth(row) for row in rows if row.strip()} - {0})
    near = [level for level in (0, *levels) if abs(level - _depth(rows[number - 1])) == 1]
    if "does not match" in told:
        yield from ((f"{' ' * level}{text}", f"is to be {level} blanks deep") for level in near)
        return
    step = levels[0] if levels else _STEP
    depth = _depth(above) + step * bool(re.search(r":\s*(?:#.*)?$", above))
    yield f"{' ' * depth}{text}", f"is to be {depth} blanks deep"


def _depth(row: str) -> int:
    return len(row) - len(row.lstrip())


def _script(old: str, new: str, number: int) -> str:
    """The sed script that makes `new` of line `number`, as short as it can be written."""
    if old.strip() == new.strip():
        return f"{number}s/^[ \\t]*/{' ' * _depth(new)}/"
    if new.startswith(old):
        return f"{number}s/$/{_plain(new[len(old) :])}/"
    return f"{number}s/.*/{_plain(new)}/"


def _plain(text: str) -> str:
    """`text` as it stands behind a slash of sed's s command."""
    return re.sub(r"([\\&/])", r"\\\1", text)
