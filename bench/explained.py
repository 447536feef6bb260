"""How much of real commands is explained, and how much of that is right: `python -m bench.explained [FILE]`.

A line of FILE is {"command", "pieces": [[piece, "word|word"], ...]}: one of the words has to stand in what is said of
that piece. That is a floor: a right explanation in other words counts as another. Without a file the set of
bench/unseen is measured, which nothing was learned from. `--list` prints what was said of each piece that is not right.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from terma.pieces import Asked, Piece, explain

Figure = tuple[str, float, str, str]
UNTOLD = ("no such program here", "handed to ")  # says that nothing is known of it
UNSEEN = Path(__file__).parent / "unseen" / "explain.jsonl"


@dataclass(frozen=True)
class Line:
    """A command, and of some of its pieces the words of which one belongs into the explanation."""

    command: str
    wanted: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Verdict:
    """What was said of a piece; `kind`: right, unknown, other or missing."""

    command: str
    piece: str
    kind: str
    said: str = ""


def read(path: Path) -> list[Line]:
    """The lines of a file."""
    rows = (json.loads(row) for row in path.read_text(encoding="utf-8").splitlines())
    return [Line(row["command"], tuple((piece, words) for piece, words in row["pieces"])) for row in rows]


def judged(line: Line, pieces: Sequence[Piece]) -> Iterator[Verdict]:
    """A verdict on each wanted piece, which are looked for in the order of the line."""
    at = 0
    for wanted, words in line.wanted:
        found = _found(wanted, pieces, at)
        if found is None:
            yield Verdict(line.command, wanted, "missing")
            continue
        at, said = found + 1, _said(pieces[found])
        right = re.search(words, said, re.IGNORECASE)
        yield Verdict(line.command, wanted, "right" if right else "other" if said else "unknown", said)


def _said(piece: Piece) -> str:
    return "" if piece.says.startswith(UNTOLD) else piece.says


def _found(wanted: str, pieces: Sequence[Piece], after: int) -> int | None:
    for fits in (str.__eq__, str.startswith):
        for number, piece in enumerate(pieces[after:], after):
            if fits(piece.text, wanted):
                return number
    return None


def measure(path: Path = UNSEEN, *, listed: bool = False) -> list[Figure]:
    """Rows for bench: figure, value, unit, note."""
    lines, verdicts, taken, said, unknown, unread = read(path), list[Verdict](), [], 0, 0, 0
    for line in lines:
        for _ in range(2):  # a page that was never read takes its time once
            began = time.perf_counter()
            found = explain(Asked(line.command, "bash", os.environ.get("PATH", ""), "/"))
            seconds = time.perf_counter() - began
        taken.append(seconds * 1e3)
        said += sum(bool(_said(piece)) for piece in found.pieces)
        unknown += sum(not _said(piece) for piece in found.pieces)
        unread += bool(found.trouble)
        verdicts += judged(line, found.pieces)
    if listed:
        for one in verdicts:
            if one.kind != "right":
                print(f"{one.kind:<8} {one.piece:<24} {one.said!r:<60} {one.command}")
    return _figures(lines, verdicts, taken, (said, unknown, unread))


def _figures(
    lines: list[Line], verdicts: list[Verdict], taken: list[float], counts: tuple[int, int, int]
) -> list[Figure]:
    said, unknown, unread = counts
    kinds = [one.kind for one in verdicts]
    right, other = kinds.count("right"), kinds.count("other")
    note = f"{right} of {right + other}; {kinds.count('unknown')} unknown, {kinds.count('missing')} no piece"
    return [
        (
            "pieces told",
            100 * said / (said + unknown),
            "%",
            f"{said + unknown} pieces of {len(lines)} commands",
        ),
        ("lines not read", float(unread), "", ""),
        ("told with a wanted word", 100 * right / max(right + other, 1), "%", note),
        ("one line", statistics.median(taken), "ms", f"longest {max(taken):.0f}"),
    ]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", type=Path, default=UNSEEN)
    parser.add_argument("--list", action="store_true")
    chosen = parser.parse_args()
    for figure, value, unit, note in measure(chosen.file, listed=chosen.list):
        print(f"{figure:<28} {value:>8.2f} {unit:<3} {note}")
    sys.exit(0)
