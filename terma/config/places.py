"""Values that the settings do not hold but say the place of: "env:VARIABLE", or "command:pass show box"."""

from __future__ import annotations

import os
from collections.abc import Mapping

from terma.errors import TermaError

_SECONDS = 20.0
FORM = '"env:VARIABLE" or "command:…"'


def is_place(text: str) -> bool:
    """Whether `text` says where a value is."""
    return text.startswith(("env:", "command:"))


def value(places: Mapping[str, str], name: str, table: str) -> str:
    """What stands at the place of `name`, read anew each time; of a command's output its first line. `table` is where
    the settings have `places`. Raises TermaError, without the value, where there is none."""
    kind, _, place = places.get(name, "").partition(":")
    found = ""
    if kind == "env":
        found = os.environ.get(place, "")
    elif kind == "command":
        found = _first_line(name, place)
    if not found:
        raise TermaError(f"there is no secret {name!r}", f"[{table}] {name} = {FORM}")
    return found


def _first_line(name: str, command: str) -> str:
    import shlex
    import subprocess

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
        raise TermaError(f"the command for the secret {name!r} failed", "run it by hand to see why") from None
    return done.stdout.partition("\n")[0]
