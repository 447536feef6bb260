"""The times of a session, in words: for a person, and for a model, who has no clock to hold them against."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_UNITS = ((86400.0, "day"), (3600.0, "hour"), (60.0, "minute"), (1.0, "second"))


def lasting(seconds: float) -> str:
    """A span of time in words, by its largest unit: 3 hours."""
    for size, name in _UNITS:
        if seconds >= size or name == "second":
            return _counted(round(max(seconds, 0.0) / size), name)
    return ""


def in_words(about: Mapping[str, Any], now: float) -> dict[str, Any]:
    """What is known of a session (Entry.about), with words in the place of seconds. `now`: seconds since 1970."""
    told = dict(about)
    for key in ("created", "ended"):
        if told.get(key):
            told[key] = f"{lasting(now - told[key])} ago"
    if told.get("quiet") is not None:
        told["quiet"] = lasting(told["quiet"])
    if "ttl" in told:
        told["ttl"] = f"{_exactly(told['ttl'])} after its end" if told["ttl"] else "never forgotten"
    return told


def _exactly(seconds: float) -> str:
    """The same for what somebody has set: by the largest unit in which it is a whole number."""
    for size, name in _UNITS:
        if seconds >= size and seconds % size == 0:
            return _counted(int(seconds // size), name)
    return f"{seconds:g} seconds"


def _counted(count: int, name: str) -> str:
    return f"{count} {name}{'' if count == 1 else 's'}"
