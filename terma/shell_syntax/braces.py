"""Braces in a word: `{a,b}` and `{1..3}` as what they stand for, all others as plain characters."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from terma import regex as re
from terma.shell_syntax.nodes import Brace, Literal, Part, plain

_MARK = re.compile(r"[{},]|[^{},]+")
_RANGE = re.compile(r"(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])(?:\.\.-?\d+)?")
_MOST = 64  # words that are written out; what would be more stays as it is written


def with_braces(parts: Sequence[Part]) -> tuple[tuple[Part, ...], bool]:
    """`parts` with their braces found, and whether a brace stands there without its other one."""
    levels: list[list[list[Part]]] = [[[]]]  # for each open brace its alternatives so far
    opened: list[Literal] = []
    unmatched = False
    for part in _pieces(parts):
        text = part.text if isinstance(part, Literal) else ""
        if text == "{":
            opened.append(part)  # type: ignore[arg-type]
            levels.append([[]])
        elif text == "," and opened:
            levels[-1].append([])
        elif text == "}" and opened:
            found = _closed(opened.pop(), levels.pop(), part)
            levels[-1][-1] += found
        else:
            unmatched = unmatched or text == "}"
            levels[-1][-1].append(part)
    while opened:  # never closed: plain characters
        unmatched = True
        flat = _joined(levels.pop())
        levels[-1][-1] += [opened.pop(), *flat]
    return tuple(_merged(levels[0][0])), unmatched


def expanded(parts: Sequence[Part]) -> list[tuple[Part, ...]]:
    """The words that a word's alternatives make, in order; the word itself where they would be too many."""
    choices: list[list[tuple[Part, ...]]] = []
    count = 1
    for part in parts:
        if isinstance(part, Brace) and len(part.alternatives) > 1:
            choices.append([made for one in part.alternatives for made in expanded(one)])
        else:
            choices.append([(part,)])
        count *= len(choices[-1])
        if count > _MOST:
            return [tuple(parts)]
    return [tuple(part for choice in made for part in choice) for made in product(*choices)]


def _pieces(parts: Sequence[Part]) -> list[Part]:
    """`parts` with each brace and comma that is not quoted as a piece of its own."""
    found: list[Part] = []
    for part in parts:
        if not isinstance(part, Literal):
            found.append(part)
            continue
        at = part.start
        for mark in _MARK.findall(part.text):
            found.append(Literal(at, at + len(mark), mark))
            at += len(mark)
    return found


def _closed(left: Literal, alternatives: list[list[Part]], right: Part) -> list[Part]:
    inside = _joined(alternatives)
    text = "".join(map(plain, inside))
    if len(alternatives) < 2 and not _RANGE.fullmatch(text):
        return [left, *inside, right]
    return [Brace(left.start, right.end, f"{{{text}}}", tuple(tuple(_merged(one)) for one in alternatives))]


def _joined(alternatives: list[list[Part]]) -> list[Part]:
    found = list(alternatives[0])
    for one in alternatives[1:]:
        at = found[-1].end if found else 0
        found += [Literal(at, at + 1, ","), *one]
    return found


def _merged(parts: Sequence[Part]) -> list[Part]:
    found: list[Part] = []
    for part in parts:
        last = found[-1] if found else None
        if isinstance(part, Literal) and isinstance(last, Literal):
            found[-1] = Literal(last.start, part.end, last.text + part.text)
        else:
            found.append(part)
    return found
