"""What a program reads of an answer: the JSON of `terma suggest --json`, its commands as clean as on a
prompt."""

from __future__ import annotations

from typing import Any

from terma.errors import UnknownAnswer, UnsureAnswer
from terma.suggest.translate import Assess, clean, written
from terma.text import one_line
from terma.types import Candidate, Final, Query, Risk


def listing(final: Final, engine: str, query: Query, count: int, assess: Assess) -> dict[str, Any]:
    """`{"command", "candidates": [{"command", "score", "source", "risk", "placeholders", "note"}],
    "engine", "confidence", "second"}`.

    At most `count` candidates, best first, none twice; `command` is the first one. `candidates` is empty when
    nothing visible is left of any answer."""
    shown: dict[str, dict[str, Any]] = {}
    for candidate in map(clean, final.candidates):
        if candidate.command and candidate.command not in shown and len(shown) < count:
            risk = assess(candidate.command, query.cwd, query.shell)
            shown[candidate.command] = _one(written(candidate, query), risk)
    candidates = list(shown.values())
    first = candidates[0]["command"] if candidates else ""
    confidence = candidates[0]["score"] if candidates else 0.0
    return {
        "command": first,
        "candidates": candidates,
        "engine": (final.candidates[0].by if final.candidates else "") or engine,
        "confidence": confidence,
        "second": None,
    }


def unsure(error: UnknownAnswer, engine: str, query: Query, assess: Assess) -> dict[str, Any]:
    """The same where there is no answer: no command, why, and under `second` what is nearest, never to be inserted
    unseen: `{"command", "confidence", "risk", "unknown"}`, its command "" where nothing is near."""
    answer: dict[str, Any] = {
        "command": "",
        "candidates": [],
        "engine": engine,
        "confidence": 0.0,
        "second": None,
    }
    if isinstance(error, UnsureAnswer):
        near = clean(Candidate(error.nearest, error.confidence, engine))
        risk = assess(near.command, query.cwd, query.shell) if near.command else Risk()
        answer["second"] = {
            "command": written(near, query).command,
            "confidence": round(near.score, 4),
            "risk": {"level": risk.level, "reasons": [one_line(reason) for reason in risk.reasons]},
            "unknown": [one_line(word) for word in error.unknown],
        }
    return answer | {"message": one_line(error.message), "hint": one_line(error.hint)}


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
