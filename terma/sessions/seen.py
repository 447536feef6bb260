"""Remembers what the readers of a screen saw, so that each can ask for what has changed since."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Pictures:
    """What one reader has seen of a screen, row by row: `before` by its last call, `now` by the one that goes on."""

    before: list[str] = field(default_factory=list)
    now: list[str] = field(default_factory=list)

    def changed(self, rows: list[str], first: bool) -> list[int]:
        """Which of `rows` are not as they were at the reader's last call; `first`: a call begins with this."""
        if first:
            self.before = self.now
        self.now = rows
        before = [*self.before, *[""] * len(rows)]
        return [at for at, row in enumerate(rows) if row != before[at]]
