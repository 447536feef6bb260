"""Key material that was laid out anew: full-width runs of base64 side by side (`paste`, `pr -2`, a list of a program),
and lines of another width (`fold`). No BEGIN need stand near, and no line looks as one of a key does."""

from __future__ import annotations

import re
from collections.abc import Iterator

from terma.redact.blocks import is_public
from terma.redact.key_lines import WIDTHS, mixed, wide_places

Span = tuple[int, int]
_B64 = "A-Za-z0-9+/"
_GAP = r"(?:[^A-Za-z0-9+/\n]{1,12}|<[a-z]{1,6} ?/?>)"  # `, `, `<br/>`
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
_BELOW = re.compile(rf"\n((?:[{_B64}]{{16,200}}\r?\n){{2,}}[{_B64}]{{4,200}}={{0,2}}(?=\s*(?:\n|\Z)))")
# A row of columns that were cut to any width, and what stands in it.
_NARROW = 16
BARE = 4  # lines of nothing else, by which it is known whether they are of a key
_ALONE = re.compile(rf"[{_B64}]{{16,200}}={{0,2}}\r?\n?")
_LEAST = 24  # columns of the full ones of rows that stand below each other
_EDGE = r"-----[A-Z][A-Z0-9 ]{1,40}-{0,5}"  # of a key, perhaps cut
_NUMBER = r"(?:\d{1,6}[ \t]{1,8})?"  # of its line
_CELL = rf"(?:[{_B64}]{{4,200}}={{0,2}}|{_EDGE})"
_ROW = re.compile(
    rf"[ \t]{{0,8}}{_NUMBER}(?P<first>[{_B64}]{{{_NARROW},200}})(?P<more>(?:[ \t,]{{1,80}}{_NUMBER}{_CELL})*)={{0,2}}"
    r"[ \t]{0,200}(?:\r?\n|\Z)"
)
_HEAD = re.compile(rf"[ \t]{{0,8}}{_NUMBER}{_EDGE}(?:[ \t]{{1,80}}{_NUMBER}{_CELL})+[ \t]{{0,200}}\r?\n\Z")


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
    yield from _columns(text)
    yield from _below(text)


def _below(text: str) -> Iterator[Span]:
    last: tuple[int, int, int, bool] = (
        -1,
        -1,
        0,
        False,
    )  # the run before: its place, its width, whether it is one
    for found in _BELOW.finditer(f"\n{text}"):
        rows = found[1].split()
        if not _folded(rows):
            while len(rows) > 2 and len(rows[0]) != len(rows[1]):
                del rows[0]
        full = [row for row in rows[:-1] if len(row) == len(rows[0])]
        if len(full) < 2 or len(rows[0]) < _LEAST or is_public(text, found.start(1) - 1):
            continue
        start, end, width = found.start(1) - 1, found.end(1) - 1, len(rows[0])
        goes_on = (last[1] + 1, last[2]) == (
            start,
            width,
        )  # lines that were folded: each has a rest of its own
        is_one = _random("".join(rows[:4])) or (goes_on and last[3])
        if is_one:
            yield (last[0] if goes_on else start), end
        last = (start, end, width, is_one)


def bare(line: str) -> bool:
    """Whether `line` is nothing but base64, and may be of a key that was cut anew."""
    return _ALONE.fullmatch(line) is not None and mixed(line.strip())


def _folded(rows: list[str]) -> bool:
    """Whether every second row is as wide as the first: lines that were cut, each with a rest of its own."""
    return len(rows) >= 4 and len({*map(len, rows[0:-1:2])}) == 1 == len({*map(len, rows[1:-1:2])})


def _columns(text: str) -> Iterator[Span]:
    """Three rows or more of two columns or more, the first as wide in all of them, and a last one that may have less:
    what `pr` cuts to a page."""
    read = 0
    for at in wide_places(text, _NARROW):
        start = text.rfind("\n", 0, at) + 1
        if at < read or text[start:at].strip(" \t0123456789"):
            continue
        rows: list[re.Match[str]] = []
        while row := _ROW.match(text, rows[-1].end() if rows else start):
            rows.append(row)
            if len(row["first"]) != len(rows[0]["first"]):
                break
        read = rows[-1].end() if rows else at + 1
        whole = [row for row in rows if row["more"] and len(row["first"]) == len(rows[0]["first"])]
        material = "".join(re.findall(rf"[{_B64}]+", "".join(row[0] for row in whole[:4])))
        if len(whole) >= 3 and _random(material) and not is_public(text, start):
            head = _HEAD.match(text, text.rfind("\n", 0, max(0, start - 1)) + 1, start)
            end = start + len(text[start : rows[-1].end()].rstrip())
            yield head.start() if head else rows[0].start("first"), end


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
