"""What a typed line is taken for: the router's decision, what a person forced, and what a command could destroy."""

from __future__ import annotations

import os
from collections.abc import Callable

from terma.repl.prompt.line import Kind, Meant
from terma.repl.prompt.shell_names import Names
from terma.repl.prompt.slash import parse
from terma.routing import Known, forced, route
from terma.types import Risk

LEAVING = (
    "exit",
    "quit",
    "logout",
    "bye",
)  # typed by somebody who wants to leave; `!exit` ends the shell instead
_LOOKED_AT = 4_000  # code points: a longer line is a paste


class Judging:
    """`known` is the shell's own view of the world, asked for at each line; `assess` tells the risk of a command."""

    def __init__(self, known: Callable[[], Known], assess: Callable[[str], Risk]) -> None:
        self._known = known
        self._assess = assess

    def __call__(self, line: str, kind: Kind = "") -> Meant:
        if not line.strip():
            return Meant("", "")
        mark, rest = forced(line)
        if kind in ("command", "prompt"):
            return self._as(kind, rest if mark else line.strip(), certain=True)
        if mark:
            return self._as(mark, rest, certain=True)
        if parse(line) is not None:
            return Meant("slash", line.strip(), certain=True)
        if line.strip() in LEAVING:
            return Meant("slash", "/quit", certain=True)
        found = route(line[:_LOOKED_AT], self._known())
        meant = self._as(found.kind, line.strip() if found.kind == "prompt" else line.rstrip())
        return Meant(meant.kind, meant.text, found.unsure, False, meant.risk)

    def _as(self, kind: Kind, text: str, certain: bool = False) -> Meant:
        risk = self._assess(text[:_LOOKED_AT]) if kind == "command" else Risk()
        return Meant(kind, text, False, certain, risk)


def surroundings(cwd: str, names: Names) -> Known:
    """The router's facts about the shell."""
    path = os.environ.get("PATH", os.defpath)
    return Known(path=path, shell=names.kind, aliases=names.aliases, functions=names.functions, cwd=cwd)
