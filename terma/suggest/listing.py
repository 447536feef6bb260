"""What a program reads of an answer: the JSON of `terma suggest --json`, its commands as clean as on a
prompt."""

from __future__ import annotations

from typing import Any

from terma.suggest.translate import Assess, clean, written
from terma.text import one_line
from terma.types import Candidate, Final, Query, Risk


def listing(final: Final, engine: str, query: Query, count: int, assess: Assess) -> dict[str, Any]:
    """`{"command", "candidates": [{"command", "score", "source", "risk", "placeholders", "note"}],
    "engine"}`.

    At most `count` candidates, best first, none twice; `command` is the first one. `candidates` is empty when
    nothing visible is left of any answer."""
    shown: dict[str, dict[str, Any]] = {}
    for candidate in map(clean, final.candidates):
        if candidate.command and candidate.command not in shown and len(shown) < count:
            risk = assess(candidate.command, query.cwd, query.shell)
            shown[candidate.command] = _one(written(candidate, query), risk)
    candidates = list(shown.values())
    first = candidates[0]["command"] if candidates else ""
    return {"command": first, "candidates": candidates, "engine": engine}


def _one(candidate: Candidate, risk: Risk) -> dict[str, Any]:
    slots = [
        {"name": one_line(slot.name), "start": slot.start, "end": slot.end} for slot in candidate.placeholders
    ]
    return {
        "command": candidate.command,
        "score": round(candidate.score, 4),
        "source": one_line(candidate.source),
        "risk": {"level": risk.level, "reasons": [one_line(reason) for reason in risk.reasons]},
        "placeholders": slots,
        "note": one_line(candidate.note),
    }
