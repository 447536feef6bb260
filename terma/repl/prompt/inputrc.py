"""Which keys a person's hands know: the editing mode of readline's own settings, read as readline reads them.

See "Readline Init File Syntax" in the manual of GNU readline: `set`, `$include`, `$if` with `mode=`, `term=`, an
application's name, or a variable.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

Mode = Literal["emacs", "vi"]
_MAX_BYTES = 256 * 1024
_DEPTH = 8  # files that include each other


def editing_mode(environment: Mapping[str, str] = os.environ) -> Mode:
    """ "vi" where $INPUTRC, ~/.inputrc or /etc/inputrc says so. Never raises."""
    named = environment.get("INPUTRC", "")
    home = Path(environment.get("HOME") or "~").expanduser()
    for file in (Path(named).expanduser(),) if named else (home / ".inputrc", Path("/etc/inputrc")):
        reader = _Reader(home, environment.get("TERM", ""))
        if reader.read(file):
            return reader.mode
    return "emacs"


class _Reader:
    def __init__(self, home: Path, term: str) -> None:
        self.mode: Mode = "emacs"
        self._home = home
        self._term = term

    def read(self, file: Path, depth: int = 0) -> bool:
        """Whether there was such a file."""
        try:
            with file.open("rb") as stream:
                text = stream.read(_MAX_BYTES).decode("utf-8", "replace")
        except OSError:
            return False
        open_: list[bool] = []  # of each $if around the line: whether its part holds
        for raw in text.splitlines():
            line = raw.strip()
            word, _, rest = line.partition(" ")
            rest = rest.strip()
            match word.lower():
                case "$if":
                    open_.append(self._holds(rest))
                case "$else" if open_:
                    open_[-1] = not open_[-1]
                case "$endif" if open_:
                    open_.pop()
                case "$include" if all(open_) and depth < _DEPTH:
                    self.read(self._path(rest, file), depth + 1)
                case "set" if all(open_):
                    self._set(rest)
        return True

    def _set(self, rest: str) -> None:
        name, _, value = rest.partition(" ")
        if name.lower() == "editing-mode" and value.strip().lower() in ("vi", "emacs"):
            self.mode = "vi" if value.strip().lower() == "vi" else "emacs"

    def _holds(self, test: str) -> bool:
        name, equals, value = (part.strip() for part in test.partition("="))
        if not equals:
            return name.lower() == "terma"
        if name == "mode":
            return value.lower() == self.mode
        if name == "term":
            return value in (self._term, self._term.partition("-")[0])
        return name.lower() == "editing-mode" and value.lower() == self.mode

    def _path(self, text: str, file: Path) -> Path:
        if text.startswith("~/"):
            return self._home / text[2:]
        return Path(text) if text.startswith("/") else file.parent / text
