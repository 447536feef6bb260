"""The row that says that something is under way: for how long, and how much has come."""

from __future__ import annotations

import sys
from dataclasses import dataclass

INTERVAL = 0.1  # seconds between two of its looks
SILENT = 2.0  # seconds after which a person asks who it is that says nothing
EARLY = "⠋"  # drawn before anything is imported that could draw
_WHEEL = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_PLAIN_WHEEL = "|/-\\"
_PER_TOKEN = 4  # characters, as a rule of thumb: until the server says how many there were


@dataclass(slots=True)
class Spinner:
    """`begun` is on the clock that `row` is given (seconds). `characters` have come so far; `spent` tokens were used by
    the requests before this one of the same question. `whom` is named where nothing has come for a while."""

    begun: float
    what: str = ""
    whom: str = ""
    characters: int = 0
    spent: int = 0

    def row(self, now: float, colours: bool = True) -> str:
        """`⠹ 3.2 s · 120 tokens`, without what is not known; `⠹ claude · 3.2 s` while that is silent."""
        passed = max(now - self.begun, 0.0)
        wheel = _WHEEL if _unicode() else _PLAIN_WHEEL
        parts = [span(passed)]
        if passed >= SILENT and not self.characters:
            parts.insert(0, self.whom)
        parts = [part for part in (self.what, *parts) if part]
        tokens = self.spent + -(-self.characters // _PER_TOKEN)
        if tokens:
            parts.append(f"{'~' if self.characters else ''}{tokens} tokens")
        said = (" · " if _unicode() else " - ").join(parts)
        turn = wheel[int(passed / INTERVAL) % len(wheel)]
        return f"\x1b[36m{turn}\x1b[0m \x1b[2m{said}\x1b[0m" if colours else f"{turn} {said}"


def span(seconds: float) -> str:
    """A duration as it is read at a glance: `3.2 s`, `1 min 12 s`."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    return f"{int(seconds) // 60} min {int(seconds) % 60} s"


def _unicode() -> bool:
    return "utf" in (getattr(sys.stdout, "encoding", None) or "").lower()
