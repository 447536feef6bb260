"""Secrets that only their surroundings give away: assignments of every kind, then the tables of rules.

Rules run on the lines that hold one of their words, never on the whole text, and a rule that needs what stands
nowhere in it does not run at all: that is what makes them cheap."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from terma.redact import commands, lines, outputs
from terma.redact.phrases import BARE, ESCAPED, HINTS, QUOTED, RULES, Span, Surrounding, value_of
from terma.redact.plausible import family, is_secret, placeholder, word_may_be_secret
from terma.redact.vocabulary import Vocabulary

NAME = r"(?:(?<![\w.-])|(?<=-[DPJ]))(?P<name>[A-Za-z_](?:[\w.-]|\[['\"]?|['\"]?\]){0,90}+)"
ASSIGN = re.compile(
    NAME + r"\\?[\"']?[ \t]{0,12}(?P<sep>(?<![=!<>~])=(?!=|~[ \t/\"'(])>?|:(?!:)=?|<-(?=[ \t][\"']))"
    r"(?P<gap>[ \t]{0,12}(?:\n[ \t]{0,40}(?=[\"']))?)(?:!!str[ \t])?(?:[bruNL]{1,2}(?=[\"'])|@)?(?:\"\"(?=\")|''(?='))?",  # noqa: E501
    re.ASCII,
)
BOARDING = re.compile(r"[a-z]{3,} $", re.I)  # a pass of another kind
VALUE = re.compile(rf"{ESCAPED}|{QUOTED}|{BARE}")


BY_HINTS: dict[tuple[str, ...], list[Surrounding]] = {}
for _rule in RULES:
    BY_HINTS.setdefault(_rule.hints, []).append(_rule)
for _literal in {*outputs.HINTS, *commands.BY_START, *(literal for hints in BY_HINTS for literal in hints)}:
    lines.look_for_lines(_literal)


def spans(text: str, words: Vocabulary) -> Iterator[Span]:
    """Start and end of every secret that its surroundings give away; they may overlap. `words` are those of `text`."""
    low = words.low
    hot = lines.HotLines(words)
    named = Gathered(text, low, hot.of(HINTS))
    for hints, rules in BY_HINTS.items():
        if not hot.hold(hints):
            continue
        gathered = named if hints == HINTS else Gathered(text, low, hot.of(hints))
        yield from _by_rules(rules, text, gathered)
    yield from gathered_spans(named, _assignments(named.text))
    yield from outputs.spans(text, hot.of((*HINTS, *outputs.HINTS)))
    for tool, hints in commands.tools_in(words):
        for start, end in hot.of(hints):
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


def _by_rules(rules: list[Surrounding], text: str, gathered: Gathered) -> Iterator[Span]:
    if not gathered.text:
        return
    for rule in rules:
        if rule.needs and not any(need in gathered.low for need in rule.needs):
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
            if value == name["name"] or (
                match["q"] and text[name.start() - 1 : name.start()] == match["q"] and name["sep"] == "="
                and not name["gap"]
            ):  # fmt: skip
                continue  # an argument handed on
            if is_secret(value, kind, literal=quoted) or (
                kind == "password" and not quoted
                and word_may_be_secret(text, name.start(), name["name"], value, span[1])
            ):  # fmt: skip
                yield span
            if span[1] - start > 200 or value == match["quoted"]:
                start = span[1]  # never over the same long value twice: time stays linear
