"""Gradient-boosted trees for yes or no, by LightGBM; written so that nothing is needed where they are used."""

from __future__ import annotations

from typing import Any

import lightgbm
import numpy as np

ROUNDS = 400
SETTINGS = {
    "objective": "binary", "learning_rate": 0.05, "num_leaves": 31, "min_sum_hessian_in_leaf": 12.0, "lambda_l2": 4.0,
    "bagging_fraction": 0.7, "bagging_freq": 1, "feature_fraction": 0.6, "seed": 7, "deterministic": True,
    "force_row_wise": True, "num_threads": 1, "verbose": -1,
}  # fmt: skip


class Boost:
    """Trees fitted to rows of features with labels 0/1 and weights."""

    def __init__(self, x: np.ndarray, y: np.ndarray, w: np.ndarray) -> None:
        self._model = lightgbm.train(SETTINGS, lightgbm.Dataset(x, y, weight=w), ROUNDS)

    def predict(self, x: np.ndarray) -> np.ndarray:
        """The log odds of each row."""
        return np.asarray(self._model.predict(x, raw_score=True))

    @property
    def trees(self) -> list[list[list[float]]]:
        """As terma.offline.trust.accept reads them: nodes [feature (-1: a leaf), bound, left, right, value]."""
        return [_flat(tree["tree_structure"]) for tree in self._model.dump_model()["tree_info"]]


def _flat(root: dict[str, Any]) -> list[list[float]]:
    nodes: list[list[float]] = []

    def add(node: dict[str, Any]) -> int:
        number = len(nodes)
        nodes.append([-1, 0.0, 0, 0, float(node.get("leaf_value", 0.0))])
        if "split_feature" in node:
            left, right = add(node["left_child"]), add(node["right_child"])
            nodes[number] = [node["split_feature"], float(node["threshold"]), left, right, 0.0]
        return number

    add(root)
    return nodes


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
