"""Gradient-boosted trees for yes or no, in numpy: small, and with nothing to install where they are used."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

BINS = 40


@dataclass
class Boost:
    """`fit` on rows of features with labels 0/1 and weights; `trees` as terma.offline.trust.accept reads them."""

    rounds: int = 100
    rate: float = 0.12
    depth: int = 4
    least: float = 12.0  # summed hessian below which no leaf is made
    smooth: float = 4.0
    share: float = 0.7  # of features that each tree may look at
    rows: float = 0.6  # of lines that each tree sees
    seed: int = 7
    bias: float = 0.0
    trees: list[list[list[float]]] = field(default_factory=list)

    def fit(self, x: np.ndarray, y: np.ndarray, w: np.ndarray) -> Boost:
        rng = np.random.default_rng(self.seed)
        edges = [np.unique(np.quantile(x[:, f], np.linspace(0, 1, BINS)[1:-1])) for f in range(x.shape[1])]
        binned = np.stack([np.searchsorted(edges[f], x[:, f], side="left") for f in range(x.shape[1])], 1)
        p = float((y * w).sum() / w.sum())
        self.bias = float(np.log(p / (1 - p)))
        score = np.full(len(y), self.bias)
        for _ in range(self.rounds):
            prob = 1 / (1 + np.exp(-score))
            g, h = w * (y - prob), w * prob * (1 - prob)
            features = rng.choice(x.shape[1], max(1, int(self.share * x.shape[1])), replace=False)
            tree: list[list[float]] = []
            rows = np.flatnonzero(rng.random(len(y)) < self.rows)
            self._grow(tree, binned, edges, g, h, rows, features, 0)
            self.trees.append(tree)
            score += predict_tree(tree, x)
        return self

    def _grow(self, tree, binned, edges, g, h, rows, features, level) -> int:  # type: ignore[no-untyped-def]
        number = len(tree)
        tree.append([-1, 0.0, 0, 0, float(self.rate * g[rows].sum() / (h[rows].sum() + self.smooth))])
        if level >= self.depth or h[rows].sum() < 2 * self.least:
            return number
        best = (1e-3, -1, 0)
        total_g, total_h = g[rows].sum(), h[rows].sum()
        base = total_g**2 / (total_h + self.smooth)
        for f in features:
            size = len(edges[f]) + 1
            sum_g = np.cumsum(np.bincount(binned[rows, f], g[rows], size))[:-1]
            sum_h = np.cumsum(np.bincount(binned[rows, f], h[rows], size))[:-1]
            if not len(sum_g):
                continue
            gain = (
                sum_g**2 / (sum_h + self.smooth)
                + (total_g - sum_g) ** 2 / (total_h - sum_h + self.smooth)
                - base
            )
            gain[(sum_h < self.least) | (total_h - sum_h < self.least)] = 0
            at = int(gain.argmax())
            if gain[at] > best[0]:
                best = (float(gain[at]), int(f), at)
        if best[1] < 0:
            return number
        f, at = best[1], best[2]
        low = binned[rows, f] <= at
        left = self._grow(tree, binned, edges, g, h, rows[low], features, level + 1)
        right = self._grow(tree, binned, edges, g, h, rows[~low], features, level + 1)
        tree[number] = [f, float(edges[f][at]), left, right, 0.0]
        return number

    def predict(self, x: np.ndarray) -> np.ndarray:
        return np.full(len(x), self.bias) + sum(predict_tree(tree, x) for tree in self.trees)


def predict_tree(tree: list[list[float]], x: np.ndarray) -> np.ndarray:
    out = np.zeros(len(x))
    todo = [(0, np.arange(len(x)))]
    while todo:
        number, rows = todo.pop()
        f, threshold, left, right, value = tree[number]
        if f < 0:
            out[rows] = value
            continue
        low = x[rows, int(f)] <= threshold
        todo += [(int(left), rows[low]), (int(right), rows[~low])]
    return out


def isotonic(score: np.ndarray, right: np.ndarray, weight: np.ndarray) -> tuple[list[float], list[float]]:
    """Pool adjacent violators: (cuts, share right from each cut on), with a pinch of doubt where lines are few."""
    order = np.argsort(score)
    blocks: list[list[float]] = []
    for i in order:
        blocks.append([float(right[i] * weight[i]), float(weight[i]), float(score[i]), float(score[i])])
        while len(blocks) > 1 and blocks[-2][0] / blocks[-2][1] >= blocks[-1][0] / blocks[-1][1]:
            last = blocks.pop()
            blocks[-1] = [blocks[-1][0] + last[0], blocks[-1][1] + last[1], blocks[-1][2], last[3]]
    cuts, meant = [], []
    for good, mass, low, high in blocks:
        cuts.append(round((low + high) / 2, 4))
        meant.append(round((good + 0.5) / (mass + 1.0), 4))
    meant = list(np.maximum.accumulate(meant)) if meant else []
    return cuts, [float(value) for value in meant]
