"""A reader's weights as bytes: what `plain.Reader.of` reads."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from zlib import crc32

import numpy as np

from training.reader.vocabulary import Vocabulary

_MOST = 127
_NORMS = ("n1", "n2", "n3")
# A matrix as it is read, and those that stand side by side in it.
_LAYER = {"around": ("a.q", "a.k", "a.v"), "out": ("a.o",), "wide": ("wide",), "narrow": ("narrow",)}
_ACROSS = {"asks": ("c.q",), "known": ("c.k", "c.v"), "told": ("c.o",)}
_ALONE = ("link", "pk", "pq", "pqj")


class _Body:
    """The bytes, and the head that says what is where."""

    def __init__(self, size: int, heads: int) -> None:
        self.bytes = bytearray()
        self.head: dict[str, Any] = {
            "size": size, "heads": heads, "tables": {}, "matrices": [], "plain": {}, "names": {},
        }  # fmt: skip

    def table(self, name: str, rows: np.ndarray) -> None:
        """One byte a number."""
        step = float(np.abs(rows).max()) / _MOST or 1.0
        whole = np.clip(np.round(rows / step), -_MOST, _MOST).astype(np.int8)
        self.head["tables"][name] = [len(self.bytes), *whole.shape, step]
        self.bytes += whole.tobytes()

    def plain(self, name: str, row: np.ndarray) -> None:
        self.head["plain"][name] = [round(float(value), 5) for value in row.ravel()]

    def matrix(self, name: str, parts: list[tuple[np.ndarray, np.ndarray]]) -> None:
        """Matrices side by side, each (from, to), with their biases."""
        self.table(name, np.concatenate([weight.T for weight, _ in parts], 1))
        self.plain(name, np.concatenate([bias for _, bias in parts]))
        self.head["matrices"].append(name)

    def names(self, name: str, numbers: Mapping[str, int]) -> None:
        rows = sorted((crc32(key.encode("utf-8", "replace")), number) for key, number in numbers.items())
        self.bytes += b"\0" * (-len(self.bytes) % 4)
        self.head["names"][name] = [len(self.bytes), len(rows)]
        for at in (0, 1):
            self.bytes += np.array([row[at] for row in rows], "<u4").tobytes()


def written(model: Any, vocabulary: Vocabulary, size: int, heads: int) -> bytes:
    """A model of training/reader/learn."""
    parts: dict[str, np.ndarray] = {
        k: v.detach().float().cpu().numpy() for k, v in model.state_dict().items()
    }
    body = _Body(size, heads)
    for name in ("word", "srun", "spos", "text", "pair", "prog", "crun", "cpos", "join"):
        body.table(name, parts[f"{name}.weight"])
    body.table("out", parts["out.weight"])
    body.plain("out", parts["out.bias"])
    body.plain("tag", parts["tag"])
    body.head["listens"], body.head["reads"] = len(model.enc), len(model.dec)
    layers = [*(f"enc.{n}" for n in range(len(model.enc))), *(f"dec.{n}" for n in range(len(model.dec)))]
    for layer in layers:
        for name, beside in (_LAYER | (_ACROSS if layer.startswith("dec") else {})).items():
            each = [f"{layer}.{part}" for part in beside]
            body.matrix(f"{layer}.{name}", [(parts[f"{at}.weight"], parts[f"{at}.bias"]) for at in each])
    for name in _ALONE:
        body.matrix(name, [(parts[f"{name}.weight"], parts[f"{name}.bias"])])
    for at in ("sn", "dn", *(f"{layer}.{norm}" for layer in layers for norm in _NORMS)):
        if f"{at}.weight" in parts:
            body.plain(f"{at}.g", parts[f"{at}.weight"])
            body.plain(f"{at}.b", parts[f"{at}.bias"])
    for name in ("words", "texts", "pairs", "progs", "outs"):
        body.names(name, getattr(vocabulary, name))
    return json.dumps(body.head, separators=(",", ":")).encode() + b"\n" + bytes(body.bytes)
