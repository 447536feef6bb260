"""Learns terma/offline/trust/tagger.json: a logistic regression by Adagrad over the tokens of labelled lines. A token
is a value where a command of its line repeats it and does not have it by itself (cases/induce)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from terma.offline.cases.induce import induced
from terma.offline.plain import plain
from terma.offline.sentence import Sentence
from terma.offline.tokens import Token
from terma.offline.trust.command import simples
from terma.offline.trust.tagger import SCALE, packed, signs
from training.pairs import Line

ROUNDS = 12
SEEN = 3  # lines in which a word or a sign has to stand to have a weight
UNKNOWN = 0.15  # share of words that are shown as seldom seen: so that what surrounds them is learned
LEARN, SHRINK = 0.25, 2e-6
BATCH = 2048

Labelled = tuple[tuple[Token, ...], tuple[bool, ...]]


def labelled(lines: Iterable[Line], fixed: Mapping[str, frozenset[str]]) -> list[Labelled]:
    """The tokens of each line that has a command, and which of them are values."""
    found: list[Labelled] = []
    for line in lines:
        nl = plain(line.nl)
        taken: set[int] = set()
        read = False
        for ref in line.refs[:3]:
            case = induced(nl, ref, fixed)
            if case is not None:
                read = True
                taken.update(i for i, item in enumerate(case[1]) if item[:1] == "{")
        if read:
            tokens = Sentence.parse(nl).tokens
            found.append((tokens, tuple(i in taken for i in range(len(tokens)))))
    return found


def own(lines: Iterable[Line], fixed: Mapping[str, frozenset[str]]) -> set[str]:
    """`program TAB word` for the words of programs that people say: at least SEEN lines do."""
    counts: Counter[str] = Counter()
    for line in lines:
        said = {token.text.lower() for token in Sentence.parse(plain(line.nl)).tokens}
        counts.update({
            f"{simple.program}\t{word}"
            for ref in line.refs[:3]
            for simple in simples(ref)
            for word in fixed.get(simple.program, frozenset()) & said
        })  # fmt: skip
    return {pair for pair, count in counts.items() if count >= SEEN}


def learn(lines: list[Labelled], own: Iterable[str] = (), seed: int = 7) -> dict[str, Any]:
    """The data of `Tagger`."""
    rng = np.random.default_rng(seed)
    seen = Counter(token.norm for tokens, _ in lines for token in tokens if token.kind == "word")
    numbers: dict[str, int] = {}
    counts: Counter[str] = Counter()
    rows: list[list[int]] = []
    right: list[bool] = []
    for turn in range(2):  # once as they are, once with words shown as seldom seen
        for tokens, values in lines:
            hidden = rng.random(len(tokens)) < UNKNOWN if turn else np.zeros(len(tokens), bool)
            said = [
                ("?" if hidden[i] or (seen[one.norm] < SEEN and not one.stop) else one.norm)
                if one.kind == "word"
                else f"<{one.kind}>"
                for i, one in enumerate(tokens)
            ]
            for i, is_value in enumerate(values):
                found = signs(tokens, said, i)
                counts.update(found)
                rows.append([numbers.setdefault(sign, len(numbers)) for sign in found])
                right.append(is_value)
    width = max(map(len, rows))
    blank = len(numbers)
    x = np.full((len(rows), width), blank, dtype=np.int32)
    for n, row in enumerate(rows):
        x[n, : len(row)] = row
    names = list(numbers)
    keep = np.array([counts[name] >= SEEN * 2 for name in names] + [False])
    x = np.where(keep[x], x, blank)
    weights = _fitted(x, np.array(right, dtype=np.float32), blank, rng)
    return {
        "weights": packed(
            {
                name: round(float(weight) * SCALE)
                for name, weight in zip(names, weights, strict=False)
                if abs(weight) * SCALE >= 3 or name.startswith("is ")
            }
        ),
        "own": "\n".join(sorted(own)),
    }


def _fitted(x: np.ndarray, y: np.ndarray, blank: int, rng: np.random.Generator) -> np.ndarray:
    weights = np.zeros(blank + 1)
    sums = np.full(blank + 1, 1e-4)
    for _ in range(ROUNDS):
        order = rng.permutation(len(y))
        for begin in range(0, len(order), BATCH):
            part = order[begin : begin + BATCH]
            total = weights[x[part]].sum(1)
            blame = (1.0 / (1.0 + np.exp(-np.clip(total, -30, 30))) - y[part]) / len(part)
            slope = np.bincount(x[part].ravel(), np.repeat(blame, x.shape[1]), blank + 1) + SHRINK * weights
            slope[blank] = 0.0
            sums += slope * slope
            weights -= LEARN * slope / np.sqrt(sums)
    return np.asarray(weights)
