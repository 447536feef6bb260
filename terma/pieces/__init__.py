"""A command, piece by piece, in words, before it runs: what is known of each on this machine, and what is not."""

from __future__ import annotations

from terma.pieces.explain import explain
from terma.pieces.model import Asked, Explained, Piece

__all__ = ["Asked", "Explained", "Piece", "explain"]
