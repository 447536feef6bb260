"""The lines in parts, no author in two: what is learned from some is judged by the others."""

from __future__ import annotations

from training.pairs import Line

FOLDS = 4
ONE_HAND = (
    "x"  # authors whose name begins so are one, who wrote by subject: too alike to be judged by one another
)


def folds(lines: list[Line]) -> list[list[Line]]:
    """The lines in FOLDS parts, no author in two."""
    names = sorted({line.author for line in lines})

    def fold(line: Line) -> int:
        if line.author.startswith("tests"):  # the same hand all over: a line is as new as another
            return sum(map(ord, line.nl)) % FOLDS
        if line.author.startswith(
            ONE_HAND
        ):  # said anew by the same hand: the same command is never on both sides
            return sum(map(ord, line.refs[0] if line.refs else line.nl)) % FOLDS
        return names.index(line.author) % FOLDS

    return [[line for line in lines if fold(line) == k] for k in range(FOLDS)]
