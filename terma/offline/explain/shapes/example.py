"""A command that the output writes out as an example, and that goes on where the failed one ended."""

from __future__ import annotations

import re
from collections.abc import Iterator

from terma.offline.explain.case import Case
from terma.offline.explain.evidence import Weight
from terma.offline.explain.finding import Finding
from terma.offline.explain.line import words_of

_AN_EXAMPLE = re.compile(
    r"\b(?:for example|e\.g\.|example|for instance|such as|like(?: this| so)?)[:,]? +", re.I
)
_PLACEHOLDER = re.compile(r"[<>\[\]{}|…]|\.\.\.|\b(?:YOUR|SOME|MY)_?\w*|=[A-Z]{3,}\b| [A-Z]{3,}(?![=\w])")


def example(case: Case) -> Iterator[Finding]:
    """`make tag` -> `make tag V=1.2`, where the output says: for example: make tag V=1.2."""
    typed = [word.value for word in case.words if word.part == case.part]
    for line, weight in zip(case.evidence.lines, case.evidence.weights, strict=True):
        hit = _AN_EXAMPLE.search(line) if weight > Weight.PLAIN else None
        begins = (
            line.find(f"{case.program} ", hit.end()) if hit and typed and len(case.pipelines) == 1 else -1
        )
        if not hit or not 0 <= begins - hit.end() <= 1:  # at once, or behind a quote
            continue
        text = re.split(r"[`'\"’”)](?:\W|$)|\.(?:\s|$)|\s{2,}", line[begins:])[0].strip()
        words = [word.value for word in words_of(text)]
        if words[: len(typed)] == typed and len(words) > len(typed) and not _PLACEHOLDER.search(text):
            yield Finding("The output gives an example itself.", text)
            return
