"""What a look at the files or at the command showed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """What a look at the files showed: a sentence, and the command that follows from it, "" where none does."""

    said: str
    fix: str = ""
