"""The module `re`, but that a pattern is compiled when it is first used: of the agent's five hundred and fifty a first
answer uses a fifth. Written `from terma import regex as re`; a pattern that cannot be compiled says so at its first use
(tests/unit/test_regex.py compiles all)."""

from __future__ import annotations

import re
from re import *  # noqa: F403 all that `re` offers, under its own names
from re import NOFLAG
from typing import TYPE_CHECKING, Any

if not TYPE_CHECKING:

    def compile(pattern, flags=NOFLAG):
        """As re.compile, later."""
        return LatePattern(pattern, flags)


class LatePattern:
    """A compiled pattern, once something of it is asked for; what was asked for is kept beside it."""

    def __init__(self, pattern: str, flags: int) -> None:
        self._made: Any = None
        self._pattern, self._flags = pattern, flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if self._made is None:
            self._made = re.compile(self._pattern, self._flags)
        found = getattr(self._made, name)
        setattr(self, name, found)
        return found

    def __repr__(self) -> str:
        return f"re.compile({self._pattern!r}, {self._flags!r}), used late"
