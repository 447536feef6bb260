"""Remembers at which lines somebody has entered something: there the program had waited, so such a line is a prompt.

A prompt changes from one time to the next: directory, number, clock, host. What stays is compared, and whether the line
editor behind it had asked for bracketed paste, which it asks for at its prompt alone."""

from __future__ import annotations

import re
from collections.abc import Iterable

_MOST = 8  # lines
_PATH = re.compile(r"[\w.+-]*[/~][\w./~+-]*")
_DIGITS = re.compile(r"\d+")
_HEAD = re.compile(r"\W*\w+")


class Homes:
    """The lines, as they look, and whether bracketed paste was on; the latest last."""

    def __init__(self) -> None:
        self._known: list[tuple[str, bool]] = []

    def __bool__(self) -> bool:
        return bool(self._known)

    def learn(self, line: str, paste: bool) -> None:
        """Something was entered at `line`."""
        if line:
            self._known = [*[one for one in self._known if one != (line, paste)], (line, paste)][-_MOST:]

    def know(self, line: str, paste: bool) -> bool:
        """Whether `line` is one of them, or one of the same prompt."""
        return any(paste == then and _alike(line, known) for known, then in self._known)

    def kept(self) -> list[list[str | bool]]:
        """For who goes on with them: `go_on` takes this."""
        return [[line, paste] for line, paste in self._known]

    def go_on(self, kept: Iterable[tuple[str, bool]]) -> None:
        self._known = [(str(line), bool(paste)) for line, paste in kept]


def _alike(line: str, known: str) -> bool:
    if line == known:
        return True
    if not line or line[-1] != known[-1]:
        return False
    short, long = sorted((_shape(line), _shape(known)), key=len)
    if short == long or (re.search(r"\w", short) and long.endswith(short)):  # (venv) before it
        return True
    heads = _HEAD.match(line), _HEAD.match(known)
    return all(heads) and heads[0][0] == heads[1][0]  # type: ignore[index]


def _shape(line: str) -> str:
    return _DIGITS.sub("0", _PATH.sub("/", line))
