"""Finds every secret of a text by asking all detectors, a piece at a time so that long texts stay quick."""

from __future__ import annotations

import re
from collections.abc import Iterator

from terma.redact import blocks, context, manifests, tokens
from terma.redact.vocabulary import Vocabulary

Span = tuple[int, int]
PLACEHOLDER = re.compile(r"<SECRET_(\d{1,9})>")
CHUNK = 64_000  # characters that a search goes through at once: they fit a cache, and most of them are ASCII
OVERLAP = 4_000  # characters that two chunks share: a name and its value stand in one of them
AROUND = (
    600,
    1_600,
)  # characters before and after a placeholder in which hiding it may have shown another secret


def spans(text: str) -> list[Span]:
    """Where the secrets stand: in order, none overlapping, none that is a placeholder already."""
    found = {*blocks.spans(text), *blocks.spans_from_their_end(text), *manifests.spans(text)}
    for start, end in _chunks(text):
        piece = text[start:end]
        words = Vocabulary(piece)
        found.update((start + a, start + b) for a, b in tokens.spans(piece, words))
        found.update((start + a, start + b) for a, b in context.spans(piece, words))
    return joined(text, found)


def spans_around(text: str, places: list[Span]) -> list[Span]:
    """As `spans`, only near `places`: what may have changed since the text was read whole."""
    if len(text) < CHUNK:
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
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return [span for span in merged if not PLACEHOLDER.fullmatch(text, *span)]


def _chunks(text: str) -> Iterator[Span]:
    start = 0
    while start < len(text):
        end = start + CHUNK
        if end < len(text):
            end = text.rfind("\n", start + CHUNK // 2, end) + 1 or end
        low = max(0, start - OVERLAP)
        yield (text.find("\n", low, start) + 1 or low) if low else 0, min(end, len(text))
        start = end
