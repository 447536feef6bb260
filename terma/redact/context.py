"""Secrets that only their surroundings give away: assignments of every kind, then the tables of rules.

Rules run on the lines that hold one of their words, never on the whole text, and a rule that needs what stands
nowhere in it does not run at all: that is what makes them cheap."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from terma.redact import outputs
from terma.redact.commands import tools_in
from terma.redact.phrases import BARE, ESCAPED, HINTS, QUOTED, RULES, Span, Surrounding, value_of
from terma.redact.plausible import family, is_secret, placeholder, word_may_be_secret
from terma.redact.vocabulary import Vocabulary, piece_of

NAME = r"(?:(?<![\w.-])|(?<=-[DPJ]))(?P<name>[A-Za-z_](?:[\w.-]|\[['\"]?|['\"]?\]){0,90}+)"
# How much of a line is read around a hint, in characters: most of a line of a megabyte is of no interest.
BEFORE, AFTER = 150, 1200
ASSIGN = re.compile(
    NAME + r"\\?[\"']?[ \t]{0,12}(?P<sep>(?<![=!<>~])=(?!=|~[ \t/\"'(])>?|:(?!:)=?)"
    r"(?P<gap>[ \t]{0,12}(?:\n[ \t]{0,40}(?=[\"']))?)(?:!!str[ \t])?(?:[bruNL]{1,2}(?=[\"'])|@)?(?:\"\"(?=\")|''(?='))?",  # noqa: E501
    re.ASCII,
)
BOARDING = re.compile(r"[a-z]{3,} $", re.I)  # a pass of another kind
VALUE = re.compile(rf"{ESCAPED}|{QUOTED}|{BARE}")


# The letters that stand in a text together with a hint, or with what a rule needs besides.
BY_PIECE: dict[bytes, list[str]] = {}
for _literal in dict.fromkeys(literal for rule in RULES for literal in (*rule.hints, *rule.needs)):
    BY_PIECE.setdefault(piece_of(_literal), []).append(_literal)
BY_HINTS: dict[tuple[str, ...], list[Surrounding]] = {}
for _rule in RULES:
    BY_HINTS.setdefault(_rule.hints, []).append(_rule)
# Those that stand only on lines which a hint of HINTS shows: the lines need not be looked for again.
WITHIN = {hints for hints in BY_HINTS if all(any(one in hint for one in HINTS) for hint in hints)}


def spans(text: str, words: Vocabulary) -> Iterator[Span]:
    """Start and end of every secret that its surroundings give away; they may overlap. `words` are those of `text`."""
    low, letters = words.low, words.letters
    lines = HotLines(low)
    known = {literal for piece, literals in BY_PIECE.items() if piece in letters for literal in literals}
    named = Gathered(text, low, lines.of(tuple(hint for hint in HINTS if hint in known)))
    for hints, rules in BY_HINTS.items():
        here = [hint for hint in hints if hint in known]
        able = [rule for rule in rules if not rule.needs or not known.isdisjoint(rule.needs)] if here else []
        if not able:
            continue
        if hints not in WITHIN:
            gathered = Gathered(text, low, lines.of(tuple(here)))
        elif hints == HINTS or any(hint in named.low for hint in here):
            gathered = named
        else:
            continue
        yield from _by_rules(able, text, gathered, known)
    yield from gathered_spans(named, _assignments(named.text))
    shown = tuple(hint for hint in (*HINTS, *outputs.HINTS) if hint in low)
    yield from outputs.spans(text, lines.of(shown))
    for tool, hints in tools_in(words):
        for start, end in lines.of(hints):
            for match in tool.pattern.finditer(text, start, end):
                if not placeholder(match["v"]):
                    yield match.span("v")


class Gathered:
    """`ranges` of a text as one: a search has a cost of its own, however short what it reads."""

    GAP = "\n\0\n"  # no blank, so that no pattern reads from one range into the next

    def __init__(self, text: str, low: str, ranges: list[Span]) -> None:
        self.ranges = ranges
        self.text = self.GAP.join([text[start:end] for start, end in ranges])
        self.low = self.GAP.join([low[start:end] for start, end in ranges])
        self._ends: list[int] = []  # of each range, in the text of all
        self._shifts: list[int] = []
        at = 0
        for start, end in ranges:
            self._shifts.append(start - at)
            at += end - start
            self._ends.append(at)
            at += len(self.GAP)

    def origin(self, span: Span) -> Span | None:
        """Where it stood; None when it goes beyond its range."""
        number = bisect_left(self._ends, span[1])
        shift, first = self._shifts[number], self._ends[number - 1] if number else 0
        return (span[0] + shift, span[1] + shift) if span[0] >= first else None


def gathered_spans(gathered: Gathered, found: Iterator[Span]) -> Iterator[Span]:
    """Where those that were found in the gathered text stand in the text itself."""
    for span in found:
        if origin := gathered.origin(span):
            yield origin


def _by_rules(rules: list[Surrounding], text: str, gathered: Gathered, known: set[str]) -> Iterator[Span]:
    if not gathered.text:
        return
    for rule in rules:
        if rule.needs and not any(need in gathered.low for need in rule.needs if need in known):
            continue
        search, judge = rule.pattern.finditer, rule.judge
        if rule.looks_back:
            for start, end in gathered.ranges:
                for match in search(text, start, end):
                    if span := judge(match):
                        yield span
            continue
        for match in search(gathered.text):
            if (span := judge(match)) and (origin := gathered.origin(span)):
                yield origin


def _assignments(text: str) -> Iterator[Span]:
    """Two steps, a name and then its value: a value that belongs to no secret may hold names of its own."""
    start = 0
    while name := ASSIGN.search(text, start):
        start = name.end()
        kind = (
            ""
            if name["name"].endswith("[")
            or (
                name["name"].lower() == "pass"
                and BOARDING.search(text, max(0, name.start() - 12), name.start())
            )
            or (name["name"] == "PASS" and name["sep"] == ":")
            else family(name["name"])
        )
        match = VALUE.match(text, start) if kind else None
        if match:
            value, span, quoted = value_of(match)
            if value == name["name"]:
                continue  # an argument handed on
            if is_secret(value, kind, literal=quoted) or (
                kind == "password" and not quoted
                and word_may_be_secret(text, name.start(), name["name"], value, span[1])
            ):  # fmt: skip
                yield span
            if span[1] - start > 200 or value == match["quoted"]:
                start = span[1]  # never over the same long value twice: time stays linear


class HotLines:
    """The lines of `low` that hold a hint, each with the line after it: a value may stand there.

    Of a long line only what is near the hint. No search leaves the window, so that time stays linear."""

    def __init__(self, low: str) -> None:
        self._low = low
        self._found: dict[str, list[Span]] = {}

    def of(self, hints: tuple[str, ...]) -> list[Span]:
        """Those that hold one of `hints`, in order."""
        return _joined(sorted(span for hint in hints for span in self._near(hint)))

    def _near(self, hint: str) -> list[Span]:
        found = self._found.get(hint)
        if found is None:
            found = self._found[hint] = list(_windows(self._low, hint))
        return found


def _windows(low: str, hint: str) -> Iterator[Span]:
    at = low.find(hint)
    while at >= 0:
        limit = min(at + AFTER, len(low))
        start = low.rfind("\n", max(0, at - BEFORE), at) + 1 or max(0, at - BEFORE)
        end = low.find("\n", at, limit)
        after = _line_after(low, start, end, limit) if end >= 0 else limit
        yield start, limit if after < 0 else after
        at = low.find(hint, end if end >= 0 else max(at + 1, limit - BEFORE))


OPENS = frozenset(":=|>-+({[,\"'\\")


def _line_after(low: str, start: int, end: int, limit: int) -> int:
    """The end of the line after the one of `start` to `end`, or `end` when that leaves nothing open."""
    last = low[end - 1 : end] if low[end - 1 : end] not in " \t\r" else low[start:end].rstrip()[-1:]
    if (
        last in OPENS
        or low.find("name", start, end) >= 0
        or low.find("key:", start, end) >= 0
        or low.find("assw", start, end) >= 0
    ):
        return low.find("\n", end + 1, limit)
    return end


def _joined(ranges: list[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in ranges:
        if merged and start <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
