"""The embedded engine: natural language to commands with the standard library alone."""

from terma.offline.engine import Engine

__all__ = ["Engine"]
