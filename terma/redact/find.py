"""Finds every secret of a text by asking all detectors, in what it is without colours."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate, pairwise

from terma.redact import blocks, context, manifests, rows, spelled, tokens
from terma.redact.vocabulary import Vocabulary

Span = tuple[int, int]
PLACEHOLDER = re.compile(r"<SECRET_(\d{1,9})>")
PLACEHOLDER_TAIL = re.compile(r"<(?:S(?:E(?:C(?:R(?:E(?:T(?:_\d{0,9})?)?)?)?)?)?)?\Z")
LONG, REST = 400, re.compile(r"[A-Za-z0-9+/=_-]+", re.ASCII)
AROUND = (
    600,
    1_600,
)  # characters before and after a placeholder in which hiding it may have shown another secret
# What a terminal obeys and nobody reads, within words too.
NOISE = re.compile(
    # One of these opens each, and the search goes from one to the next without trying what follows anywhere else.
    "[\x00-\x08\x0b-\x1f\x7f\x9b ](?:"
    "(?<=\x1b)(?:\\[[\x20-\x3f]*[@-~]|[\\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\\\)?|[ -/]*[0-~])"
    "|(?<=\x9b)[\x20-\x3f]*[@-~]"
    "|(?<= )\r(?!\n)"  # how a line editor makes the terminal wrap
    "|(?<![\x9b ]))"
)


def spans(text: str) -> list[Span]:
    """Where the secrets stand: in order, none overlapping, none that is a placeholder already."""
    if "\x1b" not in text and "\x9b" not in text:
        return _spans(text)
    bare, places = without_noise(text)
    return [(places[start], places[end - 1] + 1) for start, end in _spans(bare)]


class Places:
    """Where each character of a text without its noise stands in the text itself: told by the noise before it."""

    __slots__ = ("_cuts", "_gone")

    def __init__(self, noises: list[Span]) -> None:
        """`noises`: where each stands in the text itself, in order."""
        self._gone = [0, *accumulate(end - start for start, end in noises)]
        self._cuts = [start - gone for (start, _), gone in zip(noises, self._gone, strict=False)]

    def __getitem__(self, at: int) -> int:
        return at + self._gone[bisect_right(self._cuts, at)]


def without_noise(text: str) -> tuple[str, Places]:
    """`text` without colours and the like, and where each character of that stands in it."""
    noises = [noise.span() for noise in NOISE.finditer(text)]
    kept = [text[end:start] for (_, end), (start, _) in pairwise([(0, 0), *noises, (len(text), 0)])]
    return "".join(kept), Places(noises)


def _spans(text: str) -> list[Span]:
    found = {*blocks.spans(text), *rows.spans(text)}
    if spelled.is_in(text):
        bare, places = spelled.meant(text)
        found.update((places[start], places[end]) for one in (blocks, rows) for start, end in one.spans(bare))
    left = blocks.without_middles(text, found) if found else text
    words = Vocabulary(left)
    found.update(manifests.spans(left), tokens.spans(left, words), context.spans(left, words))
    if sealed := manifests.encrypted(text):
        found = {one for one in found if not any(start <= one[0] < end for start, end in sealed)}
    return joined(text, found)


def spans_around(text: str, places: list[Span]) -> list[Span]:
    """As `spans`, only near `places`: what may have changed since the text was read whole."""
    if len(text) < 2 * sum(AROUND):
        return spans(text)
    windows: list[list[int]] = []
    for start, end in places:
        low = text.rfind("\n", max(0, start - AROUND[0]), start) + 1 or max(0, start - AROUND[0])
        low = text.rfind("\n", max(0, low - AROUND[0]), max(0, low - 1)) + 1 or low
        high = text.find("\n", end, end + AROUND[1])
        high = min(len(text), end + AROUND[1]) if high < 0 else high + 1
        if windows and low <= windows[-1][1]:
            windows[-1][1] = max(high, windows[-1][1])
        else:
            windows.append([low, high])
    # One text of all windows: a search has a cost of its own, however short what it reads.
    gap = "\n\n\n"
    found: set[Span] = set()
    at, low = 0, 0
    offsets = []
    for low, high in windows:
        offsets.append((at, at + high - low, low - at))
        at += high - low + len(gap)
    rest = iter(offsets)
    start, end, shift = next(rest, (0, 0, 0))
    for a, b in spans(gap.join(text[low:high] for low, high in windows)):
        while a >= end + len(gap):
            start, end, shift = next(rest)
        found.add((max(a, start) + shift, min(b, end) + shift))
    return joined(text, found)


def joined(text: str, found: set[Span]) -> list[Span]:
    """`found` in order; those that overlap are one."""
    merged: list[Span] = []
    for start, end in sorted(found):
        if start >= end:
            continue
        if end - start >= LONG and (rest := REST.match(text, end)) and text[end - 1].isalnum():
            end = rest.end()  # noqa: PLW2901  of a value that is longer than what a pattern reads
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return [span for span in merged if not PLACEHOLDER.fullmatch(text, *span)]
