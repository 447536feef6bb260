"""Gradient-boosted trees for yes or no, by LightGBM; written so that nothing is needed where they are used."""

from __future__ import annotations

from typing import Any

import lightgbm
import numpy as np

ROUNDS = 200
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
    def trees(self) -> dict[str, list[Any]]:
        """As terma.offline.trust.accept.Trees reads them."""
        flat: dict[str, list[Any]] = {"roots": [], "feature": [], "number": [], "right": []}
        for tree in self._model.dump_model()["tree_info"]:
            flat["roots"].append(len(flat["feature"]))
            _add(tree["tree_structure"], flat)
        return flat


def _add(node: dict[str, Any], flat: dict[str, list[Any]]) -> None:
    at = len(flat["feature"])
    leaf = "split_feature" not in node
    flat["feature"].append(-1 if leaf else node["split_feature"])
    flat["number"].append(round(float(node["leaf_value"]), 4) if leaf else round(float(node["threshold"]), 5))
    flat["right"].append(0)
    if not leaf:
        _add(node["left_child"], flat)
        flat["right"][at] = len(flat["feature"])
        _add(node["right_child"], flat)


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
