"""Placeholders for what a model must never see: {{secret:NAME}} becomes a password here, on its way to the keys."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Mapping

from terma.vision.errors import EyesError

PLACEHOLDER = re.compile(r"\{\{secret:([A-Za-z0-9_-]{1,64})\}\}")
_SECONDS = 20.0


class Secrets:
    """`places`: a name and where its value is ("env:VARIABLE", "command:pass show box"), read anew each time."""

    def __init__(self, places: Mapping[str, str]) -> None:
        self._places = dict(places)

    def __repr__(self) -> str:
        return f"Secrets({', '.join(sorted(self._places))})"

    def fill(self, text: str) -> str:
        """`text` with every placeholder replaced. Raises EyesError, without the value, for one that has none."""
        return PLACEHOLDER.sub(lambda found: self._value(found[1]), text)

    def _value(self, name: str) -> str:
        kind, _, place = self._places.get(name, "").partition(":")
        value = ""
        if kind == "env":
            value = os.environ.get(place, "")
        elif kind == "command":
            value = _first_line(name, place)
        if not value:
            raise EyesError(
                f"there is no secret {name!r}", f'[eyes.secrets] {name} = "env:VARIABLE" or "command:…"'
            )
        return value


def has(text: str) -> bool:
    """Whether a placeholder stands in it."""
    return PLACEHOLDER.search(text) is not None


def _first_line(name: str, command: str) -> str:
    try:
        done = subprocess.run(
            shlex.split(command),
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=_SECONDS,
            check=True,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        raise EyesError(f"the command for the secret {name!r} failed", "run it by hand to see why") from None
    return done.stdout.partition("\n")[0]
