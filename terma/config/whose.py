"""Who may say what a setting is: the person's own file, or also a variable, which any directory can set.

A directory's environment (direnv, an exported .env) is the directory's word, and no program can tell it from what a
shell's start-up file exported. So each field of the settings says in its metadata which of three it is:

ANYONE    a variable may choose it: names, numbers, what harms nobody.
PERSON    the file alone: where words and keys go, what is run for a key, what is allowed unasked.
stricter  a variable may only make it stricter than the file does: `stricter(rule)` with one of the rules below.

A field without one is an error of ours: `terma.config.layers` refuses its variable, and the tests name it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

KEY = "whose"
ANYONE = {KEY: "anyone"}
PERSON = {KEY: "person"}
TABLE = {KEY: "table"}  # its fields say it

Rule = Callable[[Any, Any], Any]  # the file's value, the variable's: what holds


def stricter(rule: Rule) -> dict[str, Rule]:
    """The metadata of a setting that a variable may only make stricter."""
    return {KEY: rule}


def off(own: bool, other: bool) -> bool:
    """On only where both say so."""
    return own and other


def less(own: float, other: float) -> float:
    """The smaller limit, where 0 is none."""
    return min((one for one in (own, other) if one), default=own)


def among(own: tuple[Any, ...], other: tuple[Any, ...]) -> tuple[Any, ...]:
    """What both name."""
    return tuple(one for one in own if one in other)


def both(own: tuple[Any, ...], other: tuple[Any, ...]) -> tuple[Any, ...]:
    """What either names: for lists of what is forbidden."""
    return (*own, *(one for one in other if one not in own))


def lower_risk(own: str, other: str) -> str:
    """The level from which on less is done."""
    return "medium" if "medium" in (own, other) else own
