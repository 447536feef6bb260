"""What models cost, per day, in one small file; and the limit that a person set."""

from __future__ import annotations

import json
import time
from functools import cache
from pathlib import Path
from typing import Any

from terma import paths
from terma.chat import ModelError, Usage
from terma.config import Limits

KEPT_DAYS = 92
COUNTED = ("answers", "prompt_tokens", "completion_tokens", "cached_tokens", "cost", "unpriced")


class Ledger:
    """Answers, tokens and US dollars per model and day. An answer whose price is not known is counted as such."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._days: dict[str, dict[str, dict[str, Any]]] | None = None

    def days(self) -> dict[str, dict[str, dict[str, Any]]]:
        """{"2026-01-31": {"model": {"answers", "prompt_tokens", "completion_tokens", "cached_tokens", "cost",
        "unpriced"}}}; `unpriced` counts answers whose price is not known."""
        if self._days is None:
            try:
                read = json.loads(self._file.read_text(encoding="utf-8"))
                self._days = read if isinstance(read, dict) else {}
            except (OSError, ValueError):
                self._days = {}
        return self._days

    def add(self, model: str, usage: Usage) -> None:
        """Count one answer and write the file, whole or not at all. A full disk costs the count, not the answer."""
        entry = self.days().setdefault(today(), {}).setdefault(model, dict.fromkeys(COUNTED, 0))
        entry["answers"] += 1
        entry["prompt_tokens"] += usage.prompt_tokens
        entry["completion_tokens"] += usage.completion_tokens
        entry["cached_tokens"] += usage.cached_tokens
        if usage.cost is None:
            entry["unpriced"] += 1
        else:
            entry["cost"] += usage.cost
        for old in sorted(self.days())[:-KEPT_DAYS]:
            del self.days()[old]
        try:
            paths.write_atomic(self._file, json.dumps(self.days()).encode())
        except OSError:
            return

    def hold(self, limits: Limits) -> None:
        """Raises ModelError when today's tokens or dollars have reached the person's limit."""
        spent = self.days().get(today(), {}).values()
        tokens = sum(entry["prompt_tokens"] + entry["completion_tokens"] for entry in spent)
        cost = sum(entry["cost"] for entry in spent)
        hint = "it ends at midnight; terma config set limits."
        if limits.daily_tokens and tokens >= limits.daily_tokens:
            message = f"your limit of {limits.daily_tokens} tokens a day is reached"
            raise ModelError("quota", message, f"{hint}daily_tokens N")
        if limits.daily_cost and cost >= limits.daily_cost:
            message = f"your limit of ${limits.daily_cost:g} a day is reached"
            raise ModelError("quota", message, f"{hint}daily_cost N")


@cache
def ledger() -> Ledger:
    """The one of this process."""
    return Ledger(paths.state_dir() / "usage.json")


def today() -> str:
    return time.strftime("%Y-%m-%d")
