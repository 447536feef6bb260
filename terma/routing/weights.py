"""What each shape of operand is worth as evidence, for each kind of program: the numbers of the router."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from terma.routing.shapes import Shape

# What a word of each shape is worth behind a program of which nothing is known.
USUAL: dict[Shape, float] = {
    "option": 1.5, "there": 1.6, "path": 1.3, "number": 0.3, "name": 0.4, "quoted": 0.8, "expansion": 1.5,
    "assignment": 1.2, "strong": -4.0, "question": -4.0, "polite": -3.5, "about": -3.0, "complaint": -4.5,
    "foreign": -2.5, "script": -1.8, "spoken": -2.5, "usual": 0.8, "weak": -2.4, "loose": -1.0,
    "describing": -1.8, "english": -1.0, "plain": -0.6,
}  # fmt: skip
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
# What a kind of program makes of the shapes that are words, where it differs.
KINDS: dict[str, Mapping[Shape, float]] = {
    "nothing": {"plain": -2.2, "english": -2.4, "weak": -3.3, "loose": -2.2, "name": -0.8, "path": 0.2, "number": 0.2},
    "number": {"number": 1.6, "plain": -2.2, "english": -2.6, "name": -0.6, "path": -0.5},
    "files": {"plain": -0.8, "english": -2.0, "name": 0.3, "loose": -1.6, "about": -2.4, "describing": -2.6},
    "reads": {"plain": -1.9, "english": -2.2, "name": 0.3, "loose": -1.8, "about": -2.4, "describing": -2.6},
    "script": {"plain": -3.2, "english": -2.2, "name": 0.0, "loose": -1.8, "describing": -2.6},
    "own": {"plain": -0.2, "english": -0.5, "about": -1.5},
    "new": {"plain": 0.0, "english": -0.5, "name": 0.6, "about": -2.2, "weak": -3.5, "polite": -2.2, "question": -1.2},
    "editor": {"plain": 0.0, "english": -1.2, "name": 0.6, "about": -3.2, "weak": -3.5},
    "text": {
        "english": 0.0, "plain": 0.0, "foreign": 0.0, "weak": 0.0, "script": 0.0, "spoken": 0.0, "number": 0.0,
        "strong": -0.2, "question": -0.2, "polite": -0.3, "about": -0.3, "usual": 0.0, "complaint": -0.3, "loose": 0.0,
        "describing": 0.0,
    },
    "said": {"english": -0.6, "plain": -0.3, "polite": -0.8, "about": -2.0, "weak": -1.2},
    "names": {"plain": -1.0, "english": -1.1},
    "process": {"plain": 0.0, "english": -0.7, "name": 0.5},
    "host": {"plain": -0.1, "english": -1.5, "name": 0.6, "path": 1.5},
    "launch": {"plain": -0.2, "english": -0.6, "name": 0.6},
    "urls": {"plain": -2.0, "english": -2.6, "name": 0.6, "path": 1.5},
    "pattern": {"plain": -0.2, "english": -0.7, "name": 0.6, "weak": -3.4},
    "expression": {"plain": -1.8, "english": -2.4, "number": 0.8},
    "user": {"plain": -1.0, "english": -2.2},
    "variables": {"plain": -1.0, "english": -1.4, "name": 0.8, "assignment": 2.5},
    "verb": {"plain": -0.2, "english": -0.6, "weak": -3.6, "describing": -2.4, "name": 0.4, "number": 0.3},
    "late": {"plain": -0.2, "english": -0.6},
    "edits": {"plain": -0.8, "english": -1.4},
    "binds": {"about": -1.8, "question": -2.2, "polite": -2.2, "plain": 0.2, "english": -0.4, "name": 0.8},
    "target": {"plain": -0.8, "english": -1.2, "name": 0.5, "assignment": 1.5},
}  # fmt: skip
NAMING = -0.4  # a noun by which people call files, where files are taken
LOGIN = 0.2  # a name of a person or a machine, where one is taken
SPOKEN = -0.7  # more, for each bare word behind a program whose name is a word itself: `sort numbers`
AFTER_TARGET = -1.4  # more, for what stands behind a target and is none: `make tests pass`
LEADING = -1.0  # more, for a preposition behind the program and before another word: `tar without paths`
FURTHER = {
    "verb": -0.9,
    "names": -1.2,
    "late": -0.9,
    "host": -2.0,
    "editor": -1.2,
}  # more, for each bare word but the first
AGAIN = -0.4  # the same where nothing else is said, and for words that are no English
# A plain English word that is the only operand: where it may name something.
ALONE = {"host": -0.5, "user": -0.5, "process": -0.5, "names": -0.5, "files": -1.6}
VALUE = 0.3  # of what is held against a bare word that may be the value of the option before it
BEHIND_OPTION = 0.6  # the same behind an option and another word, or at the end: `head -1 list`
DOUBT = 0.1  # of what a verb is worth that stands in front of a sentence: `git merge is confusing`


@lru_cache(64)
def shape_weights(kind: str) -> Mapping[Shape, float]:
    """What the shapes are worth behind a program of `kind`, "" for one of which nothing is known."""
    return {**USUAL, **KINDS.get(kind, {})}
