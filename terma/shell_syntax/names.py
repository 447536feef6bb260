"""Names that belong to the shells themselves: their builtins, and the words that run the command behind them."""

from __future__ import annotations

DECLARATIONS = frozenset("declare typeset local export readonly integer float".split())
