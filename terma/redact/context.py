"""Secrets that only their surroundings give away: assignments of every kind, then the tables of rules.

Rules run on the lines that hold one of their words, never on the whole text, and a rule that needs what stands
nowhere in it does not run at all: that is what makes them cheap."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, repeat

from terma.redact import commands, lines, nouns, outputs, pairs, phrases, prose
from terma.redact.bare_words import word_may_be_secret
from terma.redact.forms import BARE, ESCAPED, QUOTED, WORD_CHARS, Span, Surrounding, value_of
from terma.redact.lazy import compiled
from terma.redact.lines import HINTS, NAMES, NOUNS
from terma.redact.plausible import is_phrase, is_secret, may_be_string, placeholder
from terma.redact.secret_names import family
from terma.redact.vocabulary import Vocabulary

NAME = r"(?:(?<![\w.-])|(?<=-[DPJ]))(?P<name>[A-Za-z_](?:[\w.-]|\[['\"]?|['\"]?\]){0,90}+)"
ASSIGN = re.compile(
    NAME + r"\\?[\"']?[ \t]{0,12}(?P<sep>(?<![=!<>~?])\??=(?!=|~[ \t/\"'(])>?|:(?!:)=?|<-(?=[ \t][\"']))"
    r"(?P<gap>[ \t]{0,12}(?:\n[ \t]{0,40}(?=[\"']|string\())?)(?:!!str[ \t]|string\(\d{1,5}\)[ \t]|\[\](?:byte|rune)\((?=[\"`]))?(?:[bruNL]{1,2}(?=[\"'])|@)?(?:\"\"(?=\")|''(?='))?",  # noqa: E501
    re.ASCII,
)
BOARDING = re.compile(r"[a-z]{3,} $", re.I)  # a pass of another kind
CALLED = re.compile(r"[A-Za-z_][\w.]*\([^()\n]*\)")
VALUE = re.compile(rf"{ESCAPED}|{QUOTED}|{BARE}")


MANY = 0.8  # of the lines: so many are read as they were gathered
LONGEST_NAME = 100
STARTS_ANEW = "[]'\"DPJ"
IN_A_NAME = WORD_CHARS + ".-[]'\""
NEWLINE = re.compile(r"\n")
AROUND = 500  # characters that a pattern for a tool may read on either side

RULES = (*phrases.RULES, *pairs.RULES)
Rules = dict[tuple[str, ...], list[Surrounding]]  # by what they need
BY_HINTS: dict[tuple[str, ...], Rules] = {}
for _rule in RULES:
    BY_HINTS.setdefault(_rule.hints if _rule.hints != HINTS else (NAMES,), {}).setdefault(
        _rule.needs, []
    ).append(_rule)
_literals = {literal for hints in BY_HINTS for literal in hints if literal != NAMES}
for _literal in _literals.union(HINTS, outputs.HINTS, commands.BY_START, nouns.OTHERS):
    lines.look_for_lines(_literal)
lines.look_for_nouns(nouns.PLAIN)


def spans(text: str, words: Vocabulary) -> Iterator[Span]:
    """Start and end of every secret that its surroundings give away; they may overlap. `words` are those of `text`."""
    hot = lines.HotLines(words)
    names = hot.names if words.strict is words.low else None
    named = Gathered(text, words.low, hot.of((NAMES,)), names)
    for hints, rules in BY_HINTS.items():
        if hot.hold(hints):
            every = named if hints == (NAMES,) else Gathered(text, words.low, hot.of(hints), names)
            yield from _by_rules(rules, every, text, words.low)
    yield from gathered_spans(named, _assignments(named.text, _named_in(named)))
    yield from prose.spans(text, words.low, hot.of((NOUNS, *nouns.OTHERS)))
    yield from outputs.spans(text, hot.of((*HINTS, *outputs.HINTS)), hot.of((NAMES,)))
    for tool, hints in commands.tools_in(words):
        for start, end in hot.of(hints):
            yield from _of_a_tool(tool, text, start, end)
        listed = tuple(hint[:-1] + "," for hint in hints if hint[-2:] in ('" ', "' "))
        for start, end in hot.of(listed):
            low, high = max(0, start - AROUND), end + AROUND
            typed = commands.as_typed(text, low, high)
            yield from ((a + low, b + low) for a, b in _of_a_tool(tool, typed, start - low, end - low))


def _of_a_tool(tool: commands.Tool, text: str, start: int, end: int) -> Iterator[Span]:
    for match in tool.secrets(text, start, end):
        if not placeholder(match["v"]):
            yield match.span("v")


class Gathered:
    """`ranges` of a text as one: a search has a cost of its own, however short what it reads."""

    GAP = "\n\0\n"  # no blank, so that no pattern reads from one range into the next

    def __init__(self, text: str, low: str, ranges: list[Span], names: Sequence[str] | None = None) -> None:
        self.ranges = ranges
        self.names = (
            names  # words that may end the name of a secret in them; None where all are to be looked at
        )
        self._lows = [low[start:end] for start, end in ranges]
        self.text = self.GAP.join([text[start:end] for start, end in ranges])
        self._with: dict[str, set[int]] = {}

    @cached_property
    def low(self) -> str:
        return self.GAP.join(self._lows)

    @cached_property
    def _ends(self) -> list[int]:
        """Of each range, in the text of all."""
        lengths = [len(low) + len(self.GAP) for low in self._lows]
        return [after - len(self.GAP) for after in accumulate(lengths)]

    @cached_property
    def line_starts(self) -> list[int]:
        """Where the lines of the text of all begin."""
        return [0, *[found.end() for found in NEWLINE.finditer(self.text)]]

    @cached_property
    def name_places(self) -> list[int]:
        """Where one of `names` stands in the text of all, in order."""
        found: set[int] = set()
        for name in self.names or ():
            at = self.low.find(name)
            while at >= 0:
                found.add(at)
                at = self.low.find(name, at + len(name))
        return sorted(found)

    def runs(self, chars: str) -> Iterator[Span]:
        """Where each of `name_places` is, behind where its run of `chars` begins, at most LONGEST_NAME before it; in
        order, and one of each run."""
        low, last = self.low, -1
        for place in self.name_places:
            start, least = place, max(0, place - LONGEST_NAME)
            while start > least and low[start - 1] in chars:
                start -= 1
            if start > last:
                yield start, place
                last = start

    def origin(self, span: Span) -> Span | None:
        """Where it stood; None when it goes beyond its range."""
        number = bisect_left(self._ends, span[1])  # of the range
        start, end = self.ranges[number]
        shift = end - self._ends[number]
        return (span[0] + shift, span[1] + shift) if span[0] + shift >= start else None

    def with_one_of(self, words: tuple[str, ...]) -> list[Span]:
        """The ranges that hold one of `words`, in order."""
        numbers: set[int] = set()
        for word in words:
            if word not in self._with:
                self._with[word] = set(self._ranges_with(word))
            numbers |= self._with[word]
        return [self.ranges[number] for number in sorted(numbers)]

    def _ranges_with(self, word: str) -> Iterator[int]:
        """The numbers of the ranges that hold `word`, which no GAP is in."""
        at = self.low.find(word)
        while at >= 0:
            number = bisect_left(self._ends, at)
            yield number
            at = self.low.find(word, self._ends[number])


def gathered_spans(gathered: Gathered, found: Iterator[Span]) -> Iterator[Span]:
    """Where those that were found in the gathered text stand in the text itself."""
    for span in found:
        if origin := gathered.origin(span):
            yield origin


def _by_rules(by_needs: Rules, every: Gathered, text: str, low: str) -> Iterator[Span]:
    for needs, rules in by_needs.items():
        if not needs:
            yield from _by(rules, text, every)
        elif near := every.with_one_of(needs):
            yield from _by(
                rules,
                text,
                Gathered(text, low, near, every.names) if len(near) < MANY * len(every.ranges) else every,
            )


def _by(rules: list[Surrounding], text: str, gathered: Gathered) -> Iterator[Span]:
    for rule in rules:
        judge = rule.judge
        for match in _matches(rule, gathered):
            if rule.looks_back:
                origin = gathered.origin(match.span())
                again = origin and rule.pattern.match(text, *origin)
                if again and (span := judge(again)):
                    yield span
            elif (span := judge(match)) and (origin := gathered.origin(span)):
                yield origin


def _matches(rule: Surrounding, gathered: Gathered) -> Iterator[re.Match[str]]:
    """What `finditer` gives of the rule's pattern, by the places alone where it may match."""
    text, match = gathered.text, rule.pattern.match
    places: Iterable[int]
    if rule.by_name and gathered.names is not None:
        places = [start for start, _ in gathered.runs(rule.by_name)]
    elif rule.opens:
        places = [found.start() for found in compiled(rule.opens).finditer(gathered.low)]
    elif rule.source.startswith("^"):
        places = gathered.line_starts
    else:
        yield from rule.pattern.finditer(text)
        return
    last = 0
    for found in filter(None, map(match, repeat(text), places)):
        if found.start() >= last:
            yield found
            last = max(found.end(), found.start() + 1)


def _assignments(text: str, names: Iterable[re.Match[str]]) -> Iterator[Span]:
    """Two steps, a name and then its value: a value that belongs to no secret may hold names of its own. `names`: what
    ASSIGN found."""
    start = 0
    for name in names:
        if name.start() < start:
            continue
        start = name.end()
        kind = (
            ""
            if name["name"].endswith("[")
            or text[max(0, name.start() - 2) : name.start()] == "::"
            or (
                name["name"].lower() == "pass"
                and name["sep"] == ":"
                and BOARDING.search(text, max(0, name.start() - 12), name.start())
            )
            or (name["name"] == "PASS" and name["sep"] == ":")
            or (name["sep"] == ":" and _is_part_of_a_name(text, name.start(), name.end()))
            else family(_with_its_path(text, name.start()) + name["name"])
        )
        match = VALUE.match(text, start) if kind else None
        if match:
            value, span, quoted = value_of(match)
            if not quoted and text[max(0, name.start() - 1) : name.start()] in ("?", "&"):
                value = value.partition("&")[0]  # of an address: the next parameter follows
                span = (span[0], span[0] + len(value))
            if value == name["name"] or (
                match["q"] and text[name.start() - 1 : name.start()] == match["q"] != text[name.end("name")]
                and name["sep"] == "=" and not name["gap"]
            ):  # fmt: skip
                continue  # an argument handed on
            if match["q"] and value[0] in " \t;,)" and text[span[1] : span[1] + 1] != match["q"]:
                continue  # the quote before it closed a string
            if not quoted and CALLED.match(text, span[0], span[1] + 200):
                continue
            good = may_be_string(value, kind) if quoted else is_secret(value, kind, literal=False)
            if good or ((kind == "password" or name["name"].endswith("_SECRET")) and (
                word_may_be_secret(text, name.start(), name["name"], value, span[1]) if not quoted
                else name["sep"] == "=" and name["name"].isupper() and is_phrase(value)
            )):  # fmt: skip
                yield span
            elif match["quoted"] and value.startswith("{"):
                continue  # an object that was put into a string has names of its own
            if span[1] - start > 200 or value == match["quoted"]:
                start = span[1]  # never over the same long value twice: time stays linear


def _named_in(gathered: Gathered) -> Iterator[re.Match[str]]:
    if gathered.names is None:
        return ASSIGN.finditer(gathered.text)
    return _names(gathered.text, gathered.runs(IN_A_NAME))


def _names(text: str, runs: Iterable[Span]) -> Iterator[re.Match[str]]:
    """What ASSIGN finds of names in `runs`: from where the run begins, or else a quote or a bracket in it ends."""
    for start, place in runs:
        found, at = ASSIGN.match(text, start), start
        while found is None and at < place:
            at += 1
            if text[at - 1] in STARTS_ANEW:
                found = ASSIGN.match(text, at)
        if found:
            yield found


def _is_part_of_a_name(text: str, start: int, end: int) -> bool:
    """Whether what looks like a name is a part of `arn:…:secret:…`, or is said of a variable: `PASSWORD :'pw'`."""
    if text[start - 1 : start] == ":":
        return text[max(0, start - 120) : start].rpartition(" ")[2].lstrip("\"'").startswith("arn:")
    return text[end - 2 : end] == " :" and text[end : end + 1] == "'"


def _with_its_path(text: str, start: int) -> str:
    """What stands before a name that a slash parts from it: `checksum/secret` is no secret."""
    if text[start - 1 : start] != "/":
        return ""
    found = PATH_BEFORE.search(text, max(0, start - 40), start)
    return found[0] if found else ""


PATH_BEFORE = re.compile(r"[\w./-]*$")
