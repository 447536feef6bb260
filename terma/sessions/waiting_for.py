"""Waits over several sessions for the first of several named patterns, matched on the asker's own time."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping
from typing import Any

from terma.errors import TermaError
from terma.sessions.matching import Pattern

Item = dict[str, Any]
Take = Callable[[Item], bool]
Ask = Callable[[str, Mapping[str, Any], Take], dict[str, Any]]
_NAMED = re.compile(r"([A-Za-z_][\w-]*)=(.*)", re.DOTALL)


def wait(ask: Ask, args: Mapping[str, Any]) -> dict[str, Any]:
    """Ask for the operation `wait`: session (which), ended_by (idle, exit, pattern, timeout), pattern (its name), and
    what is known of each under `sessions`. Raises TermaError."""
    patterns = dict(map(named, args.get("pattern") or ()))
    fields = dict(args) | {"until": args.get("until") or ("exit" if patterns else "idle")}
    fields |= {"pattern": None, "stream": bool(patterns)}
    found = _Found(patterns)
    try:
        result = ask("wait", fields, found.take)
    finally:
        found.close()
    if not found.name:
        return result | {"pattern": None}
    brief = ask("wait", fields | {"stream": False, "timeout": 0.0}, lambda _: False)  # as they are now
    return brief | {"session": found.session, "ended_by": "pattern", "pattern": found.name}


def named(text: str) -> tuple[str, str]:
    """The name of a pattern and its expression; one without a name is its own."""
    found = _NAMED.fullmatch(text)
    return (found[1], found[2]) if found else (text, text)


class _Found:
    """Feeds what each session prints to every pattern: each keeps its own text of each session. Raises UsageError for
    an expression that is wrong, before anything is waited for."""

    def __init__(self, patterns: Mapping[str, str]) -> None:
        self._expressions = patterns
        self._patterns: dict[tuple[str, str], Pattern] = {}
        self._first: dict[str, Pattern] = {}  # each expression's, until a session prints something
        self.session = self.name = ""
        try:
            for name, expression in patterns.items():
                self._first[name] = Pattern(expression)
        except TermaError:
            self.close()
            raise

    def take(self, item: Item) -> bool:
        """Whether one is found now."""
        data = base64.b64decode(item["data"])
        for name, expression in self._expressions.items():
            key = (item["session"], name)
            if key not in self._patterns:
                first = name in self._first
                self._patterns[key] = self._first.pop(name) if first else Pattern(expression)
            if self._patterns[key].feed(data):
                self.session, self.name = item["session"], name
                return True
        return False

    def close(self) -> None:
        for pattern in (*self._first.values(), *self._patterns.values()):
            pattern.close()
