"""The embedded explainer: what a failed command's output says, in plain words, and what to type instead."""

from __future__ import annotations

from terma.offline.explain.explainer import explain
from terma.offline.explain.model import Explanation, Failure
from terma.types import Fix

__all__ = ["Explanation", "Failure", "Fix", "explain"]
