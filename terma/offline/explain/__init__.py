"""The embedded explainer: what a failed command's output says, in plain words, and what to type instead.

Its rules are read when an explanation is wanted: the line that decides (`evidence`) can be told before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from terma.offline.explain.model import Explanation, Failure
from terma.types import Fix

if TYPE_CHECKING:
    from terma.offline.explain.explainer import explain

__all__ = ["Explanation", "Failure", "Fix", "explain"]


def __getattr__(name: str) -> Any:
    if name == "explain":
        from terma.offline.explain.explainer import explain

        return explain
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
