"""The router's weights, learned from labelled lines: `make train-router` writes terma/routing/weights.json.

Every rule of the router names its evidence, and its weight is looked up by that name. Here each weight is a number that
remembers of which names it was made (`Traced`), so that the router itself says what a line's total is made of. The sum
is nearly linear in the weights (a few are shares of others, and a rule may look at a sign): it is made linear at the
weights of the last round, and logistic regression with a quadratic penalty fits the next, until nothing moves.

Each line is judged on three machines (a server, one with all programs that terma knows of, a bare one), since what is
evidence must not hang on what is installed, and lines that hang on a makefile, files, aliases and functions where these
are. The sets in `lines.HELD` are never learned from."""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from terma.routing import Known, weights
from terma.routing.decide import MAX_LINES, _pasted, _signals
from terma.routing.prefix import forced
from tests.unit.routing.lines import LEARNED, SETS, Line, judged, lines, lines_with_context, machine, project

MACHINES = ("server", "full", "bare")
SHARE = "share"  # the names of weights that say how much of another is kept begin so
PENALTY = 0.6  # of a weight, and twice that of what a kind of program adds to it: chosen by sets left out
ROUNDS = 8
FOLDS = 4
Vector = NDArray[np.float64]


class Traced(float):
    """A number with its derivatives by the weights that it was made of."""

    by: Mapping[str, float]

    def __new__(cls, value: float, by: Mapping[str, float]) -> Traced:
        made = super().__new__(cls, value)
        made.by = by
        return made

    def __add__(self, other: Any) -> Traced:
        return Traced(float(self) + float(other), _sum(self.by, 1.0, _by(other), 1.0))

    def __mul__(self, other: Any) -> Traced:
        return Traced(float(self) * float(other), _sum(self.by, float(other), _by(other), float(self)))

    __radd__ = __add__
    __rmul__ = __mul__


def _by(number: Any) -> Mapping[str, float]:
    return number.by if isinstance(number, Traced) else {}


def _sum(
    one: Mapping[str, float], of_one: float, other: Mapping[str, float], of_other: float
) -> Mapping[str, float]:
    found = {name: value * of_one for name, value in one.items()}
    for name, value in other.items():
        found[name] = found.get(name, 0.0) + value * of_other
    return found


class Table(dict[str, float]):
    """Weights by name, as numbers that are traced; a name that is asked for is known from then on."""

    def get(self, name: str, default: Any = 0.0) -> Traced:
        value = self.setdefault(name, 0.5 if name.startswith(SHARE) else default)
        return Traced(value, {name: 1.0})


def total(line: str, known: Known) -> Traced | None:
    """What the evidence of `line` adds up to; None where a prefix settles it."""
    kind, rest = forced(line)
    if kind:
        return None
    texts = [text for text in rest.split("\n") if text.strip()]
    signals = (
        _signals("".join(texts).strip(), known) if len(texts) < 2 else _pasted(rest, texts[:MAX_LINES], known)
    )
    return Traced(0.0, {}) + sum(signal.weight for signal in signals)


def fitted(table: Table, given: list[tuple[Line, Known]]) -> Table:
    """The weights that say best what the lines are, near to nothing where little speaks for more."""
    for turn in range(ROUNDS):
        weights.use(table)
        rows = [
            (found, line.kind == "command")
            for line, known in given
            if (found := total(line.text, known)) is not None
        ]
        names = sorted(table)
        place = {name: i for i, name in enumerate(names)}
        x = np.zeros((len(rows), len(names)))
        for i, (found, _) in enumerate(rows):
            for name, value in found.by.items():
                x[i, place[name]] = value
        w = np.array([table[name] for name in names])
        offset = np.array([float(found) for found, _ in rows]) - x @ w
        after = _regressed(x, offset, np.array([is_one for _, is_one in rows], float), w, names)
        after = (w + after) / 2 if turn > 2 else after  # a rule that looks at a sign may go to and fro
        moved = float(np.abs(after - w).max())
        table.update(zip(names, map(float, after), strict=True))
        print(f"  {len(rows)} lines, {len(names)} weights, the furthest moved {moved:.3f}")
        if moved < 0.02:
            break
    return table


def _regressed(x: Vector, offset: Vector, y: Vector, start: Vector, names: list[str]) -> Vector:
    """Newton's steps of a logistic regression; a line counts a third on each of the three machines."""
    shares = np.array([name.startswith(SHARE) for name in names])
    penalty = np.array([PENALTY * (2 if " / " in name else 1) for name in names])
    centre = np.where(shares, 0.5, 0.0)
    penalty = np.where(shares, 20.0, penalty)
    w = start.copy()
    for _ in range(20):
        p = 1 / (1 + np.exp(-np.clip(offset + x @ w, -30, 30)))
        gradient = x.T @ (p - y) / len(MACHINES) + penalty * (w - centre)
        curvature = (x.T * (p * (1 - p) / len(MACHINES))) @ x + np.diag(penalty)
        step = np.linalg.solve(curvature, gradient)
        w -= step * min(1.0, 2.0 / max(1e-9, float(np.abs(step).max())))
        w = np.where(shares, np.clip(w, 0.0, 1.0), w)
        if float(np.abs(step).max()) < 1e-3:
            break
    return w


def learn(names: Iterable[str], machines: Mapping[str, Known]) -> Table:
    """Weights from the sets called `names`."""
    given = [(line, known) for name in names for line in lines(name) for known in machines.values()]
    given += [
        (line, project(Path(known.cwd).parent, known))
        for known in machines.values()
        for line in lines_with_context()
    ]
    return fitted(Table(), given)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--left-out",
        action="store_true",
        help="judge each quarter of the sets by weights that had not seen it; write nothing",
    )
    arguments = parser.parse_args()
    sets = list(LEARNED)
    with tempfile.TemporaryDirectory() as folder:
        machines = {name: machine(name, Path(folder)) for name in MACHINES}
        if arguments.left_out:
            for fold in (sets[i::FOLDS] for i in range(FOLDS)):
                weights.use(learn((name for name in sets if name not in fold), machines))
                for name in fold:
                    _tell(name, machines)
            return
        table = learn(sets, machines)
        kept = {
            name: round(value, 2) for name, value in sorted(table.items()) if abs(round(value, 2)) >= 0.02
        }
        weights.TABLE.write_text(json.dumps(kept, indent=0) + "\n", encoding="utf-8")
        weights.use(kept)
        for name in SETS:
            _tell(name, machines)


def _tell(name: str, machines: Mapping[str, Known]) -> None:
    found = {where: judged(name, known) for where, known in machines.items()}
    said = ", ".join(
        f"{where} {outcome.right:.1%} ({outcome.sure} wrong unasked)" for where, outcome in found.items()
    )
    print(f"{name}: {said}")


if __name__ == "__main__":
    main()
