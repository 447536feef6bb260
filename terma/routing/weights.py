"""What each piece of evidence is worth, in log-odds: above 0 for a command, below for words.

The numbers are learned from labelled lines (`make train-router`, training/routing.py) and stand in weights.json, by the
names that the router's rules give them. A name that nothing was learned of is worth nothing. What a shape is worth
behind a kind of program is what it is worth anywhere, and what was learned of that kind beside it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from terma.routing.shapes import Shape

TABLE = Path(__file__).with_name("weights.json")
WHY: dict[Shape, str] = {
    "option": "is an option", "there": "is a file here", "path": "looks like a file", "number": "is a number",
    "name": "looks like a name", "usual": "is a usual name",
    "quoted": "is quoted", "expansion": "is expanded by the shell", "assignment": "is an assignment",
    "strong": "is a word of a sentence", "question": "is a question word",
    "polite": "is polite", "about": "speaks about a program", "foreign": "is a word of another language",
    "script": "is a word in another script", "spoken": "ends as in a sentence", "weak": "is a preposition or the like",
    "loose": "may belong to a sentence", "complaint": "complains of a program",
    "describing": "describes something",
    "english": "is plain English", "plain": "may be a word",
}  # fmt: skip


_learned: Mapping[str, float] | None = None


def of(name: str) -> float:
    """What the evidence called `name` is worth."""
    table = _learned if _learned is not None else use(json.loads(TABLE.read_text(encoding="utf-8")))
    return table.get(name, 0.0)


def use(learned: Mapping[str, float]) -> Mapping[str, float]:
    """Take these numbers from now on: those of the file, or of a training that is under way."""
    global _learned  # noqa: PLW0603 one table, as the module's file is one
    _learned = learned
    return learned


def of_kind(name: str, kind: str) -> float:
    """The same behind a program that takes operands of `kind`, "" for one of which nothing is known."""
    return of(name) + of(f"{name} / {kind or 'unknown'}")
