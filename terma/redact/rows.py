"""Key material that was laid out anew: full-width runs of base64 side by side (`paste`, `pr -2`, a list of a program),
and lines of another width (`fold`). No BEGIN need stand near, and no line looks as one of a key does."""

from __future__ import annotations

import re
from collections.abc import Iterator

from terma.redact.blocks import WIDTHS, is_public, mixed, wide_places

Span = tuple[int, int]
_B64, _GAP = "A-Za-z0-9+/", r"[^A-Za-z0-9+/\n]{1,12}"
_BREAK = r"[^A-Za-z0-9+/\n]{0,12}\n[^A-Za-z0-9+/\n]{0,12}"
# Two runs as wide as a key's lines on one line, the shorter one behind them, and the lines below that begin so.
_BESIDE = re.compile(
    "|".join(
        rf"(?<![{_B64}]){run}(?:{_GAP}{run})+(?![{_B64}=]){rest}(?:{_BREAK}{run}(?:{_GAP}{run})*(?![{_B64}=]){rest})*"
        for run, rest in (
            (rf"[{_B64}]{{{width}}}", rf"(?:{_GAP}[{_B64}]{{4,{width}}}={{0,2}}(?![{_B64}]))?")
            for width in WIDTHS
        )
    )
)
# Three lines or more of nothing else, but for the last as wide as each other.
_BELOW = re.compile(rf"\n((?:[{_B64}]{{24,200}}\r?\n){{2,}}[{_B64}]{{4,200}}={{0,2}}(?=\s*(?:\n|\Z)))")


def spans(text: str) -> Iterator[Span]:
    """Start and end of each; colours must be gone from `text`."""
    for found in _beside(text):
        runs = re.findall(rf"[{_B64}]{{{WIDTHS[0]},}}", found[0])
        if (
            len({*map(len, runs[:2])}) == 1
            and all(map(mixed, runs[:2]))
            and not is_public(text, found.start())
        ):
            yield found.span()
    for found in _BELOW.finditer(f"\n{text}"):
        rows = found[1].split()
        while len(rows) > 2 and len(rows[0]) != len(rows[1]):
            del rows[0]
        full = [row for row in rows[:-1] if len(row) == len(rows[0])]
        if len(full) >= 2 and _random("".join(rows[:4])) and not is_public(text, found.start(1) - 1):
            yield found.start(1) - 1, found.end(1) - 1


def _beside(text: str) -> Iterator[re.Match[str]]:
    """What _BESIDE finds; only where a wide run begins is it asked for."""
    last = 0
    for at in wide_places(text):
        if at >= last and (found := _BESIDE.match(text, at)):
            yield found
            last = found.end()


def _random(joined: str) -> bool:
    """Whether capitals, small letters and digits stand as base64 of random bytes has them: no words, no sums."""
    share = [sum(map(kind, joined)) / len(joined) for kind in (str.isupper, str.islower, str.isdigit)]
    return mixed(joined) and share[0] > 0.2 and share[1] > 0.2 and share[2] > 0.05
