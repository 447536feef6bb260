"""What a run that ended had done, from its log: another goes on from there, and looks at the screen anew."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from terma.text import sanitize
from terma.vision import log
from terma.vision.errors import EyesError
from terma.vision.strategy import Past
from terma.vision.types import DECISION


@dataclass(frozen=True, slots=True)
class Resumed:
    """`past` are the decisions that something came of; `done` is how many steps of a script were among them."""

    goal: str
    past: tuple[Past, ...]
    done: int


def resumed(folder: Path) -> Resumed:
    """The run in `folder`. Raises EyesError where there is none, or it reached its goal."""
    lines = log.read(folder)
    goal = next((str(line["goal"]) for line in lines if line.get("what") == "begin" and "goal" in line), "")
    if not goal:
        raise EyesError(f"{folder}: the log does not say what was to be reached", "terma eyes run GOAL")
    if any(line.get("what") == "end" and line.get("status") == "completed" for line in lines):
        raise EyesError("that run has reached its goal", "terma eyes run GOAL begins another")
    past: list[Past] = []
    done, decided = 0, None
    for line in lines:
        if line.get("what") == "decide":
            decided = line
        elif line.get("what") == "result" and decided is not None:
            past += _past(decided, sanitize(str(line.get("result", ""))))
            done = max(done, int(decided.get("step") or 0))
            decided = None
    return Resumed(goal, tuple(past), done)


def _past(decided: dict[str, Any], result: str) -> list[Past]:
    try:
        return [Past(DECISION.validate_python(decided.get("decision")), result)]
    except ValidationError:
        return []  # of a version that knew other actions
