"""From which side a value bounds what is asked for, in the sentence and in the command: "longer than 80" is no
`length < 80`, and "no longer than 80" no `length > 80`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from terma import regex as re
from terma.offline.draft import Context
from terma.offline.tokens import Token
from terma.offline.trust.command import Simple, simples
from terma.offline.trust.comparisons import ABOVE, BELOW, side_of
from terma.offline.trust.facts import Facts

_MEASURES = ("number", "size", "duration")
_DIGITS = re.compile(r"\d+")
_OPERATOR = re.compile(r"(?:(?P<before>\d[\d.]*)\s*)?(?P<sign>[<>])=?(?:\s*(?P<after>\d[\d.]*))?")
_TESTS = {"-gt": ABOVE, "-ge": ABOVE, "-lt": BELOW, "-le": BELOW}
_SIGNS = {"+": ABOVE, "-": BELOW}
_REPEATS = re.compile(r"\{(?P<least>\d+),\}|\{[01]?,(?P<most>\d+)\}")
_CODE = frozenset(
    "awk gawk mawk jq yq sqlite3 psql mysql perl ruby python python3 mlr qsv bc datamash".split()
)


def kept(facts: Facts, command: str, _: Context) -> bool:
    """Whether no value bounds from the side that the sentence excludes."""
    wanted = dict(_said(facts))
    return not wanted or not any(
        wanted.get(number, side) != side for simple in simples(command) for number, side in _written(simple)
    )


_ENDS = ("--until", "--before")
_TO = frozenset("until till before to up through between and yesterday's".split())


def open_ended(facts: Facts, command: str, _: Context) -> bool:
    """Whether "since yesterday" has no end that nobody said."""
    texts = {token.text.lower() for token in facts.sentence.tokens}
    if "since" not in texts or texts & _TO:
        return True
    return not any(word.partition("=")[0] in _ENDS for simple in simples(command) for word in simple.words)


_BEGINS = ("--since", "--after")
_FROM_THEN = frozenset(("since", "after", "from"))
_UP_TO_THEN = frozenset(("until", "till", "before"))


def right_end(facts: Facts, command: str, _: Context) -> bool:
    """Whether "up to today" is no `--since today`, nor "since may" an `--until`."""
    texts = [token.text.lower() for token in facts.sentence.tokens]
    for option, value in (pair for simple in simples(command) for pair in _dated(simple)):
        cues = {
            _cue(texts, i)
            for i, token in enumerate(facts.sentence.tokens)
            if value in (texts[i], token.value)
        }
        cues.discard("")
        if len(cues) == 1 and cues.isdisjoint(_FROM_THEN if option in _BEGINS else _UP_TO_THEN):
            return False
    return True


def _dated(simple: Simple) -> Iterator[tuple[str, str]]:
    for option, value in pairwise((*simple.words, "")):
        name, equals, given = option.partition("=")
        if name in (*_BEGINS, *_ENDS):
            yield name, (given if equals else value).lower()


def _cue(texts: list[str], at: int) -> str:
    """The word before a date that says which end it is; "" where there is none."""
    before = texts[at - 1] if at else ""
    if before == "to" and at > 1 and texts[at - 2] == "up":
        return "until"
    return before if before in _FROM_THEN | _UP_TO_THEN else ""


_INCLUDED = frozenset((("at", "least"), ("at", "most"), ("no", "more"), ("no", "less"), ("no", "fewer")))
_OPEN = re.compile(r"(?<![<>=-])[<>]\s*(\d+)(?![\d.])")


def inclusive(facts: Facts, command: str, _: Context) -> bool:
    """Whether "500 or less" takes in 500 where a program compares."""
    texts = [token.text.lower() for token in facts.sentence.tokens]
    taken = {
        number
        for i, token in enumerate(facts.sentence.tokens)
        if token.kind == "number" and (number := _number(token)) is not None and _takes_in(texts, i)
    }
    return taken.isdisjoint(
        int(found)
        for simple in simples(command)
        if simple.program in _CODE
        for word in simple.words[1:]
        for found in _OPEN.findall(word)
    )


def _takes_in(texts: list[str], at: int) -> bool:
    before = texts[max(0, at - 3) : at]
    if _INCLUDED & set(pairwise(before)):
        return True
    return texts[at + 1 : at + 2] == ["or"] and texts[at + 2 : at + 3] != [] and bool(side_of(texts, at))


def _said(facts: Facts) -> Iterator[tuple[int, str]]:
    """Each number with a comparison before it, and from which side it bounds."""
    tokens = facts.sentence.tokens
    texts = [token.text.lower() for token in tokens]
    for i, token in enumerate(tokens):
        if token.kind in _MEASURES and (number := _number(token)) is not None and (side := side_of(texts, i)):
            yield number, side


def _number(token: Token) -> int | None:
    found = _DIGITS.search(token.text) or _DIGITS.search(token.value)
    return int(found.group()) if found else None


def _written(simple: Simple) -> Iterator[tuple[int, str]]:
    """Each number that the command compares with, and from which side."""
    words = simple.words
    for before, word in zip(("", *words), words, strict=False):
        sign = re.fullmatch(r"([+-])(\d+)[a-zA-Z]*", word)
        if sign and simple.program in ("find", "gfind", "fd") and before[:1] == "-":
            yield int(sign[2]), _SIGNS[sign[1]]
        elif before in _TESTS and word.isdigit():
            yield int(word), _TESTS[before]
        yield from (
            (int(m["least"] or m["most"]), ABOVE if m["least"] else BELOW) for m in _REPEATS.finditer(word)
        )
        if simple.program in _CODE and word is not words[0]:
            yield from _in_code(word)


def _in_code(text: str) -> Iterator[tuple[int, str]]:
    for match in _OPERATOR.finditer(text):
        larger = match["sign"] == ">"
        if match["after"]:
            yield int(float(match["after"])), ABOVE if larger else BELOW
        elif match["before"]:
            yield int(float(match["before"])), BELOW if larger else ABOVE
