"""Where each command of a line runs: what changes the directory in front of it, and where that leads."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from terma.risk.model import Call, Move
from terma.shell_syntax import nodes as tree

NOWHERE = ("",)
_MOST = 8  # directories that are told apart
_CHANGING = {"cd", "chdir"}
_LOOPS = {"for", "select", "while", "until", "repeat", "foreach"}
# The shell's own commands that no program has the name of and that stay where they are; a function may go anywhere.
_STAYING = set(
    ": . [[ alias bg break continue declare disown exit export fg getopts hash jobs let local read readonly return set"
    " setopt shift shopt times trap typeset ulimit umask unalias unset unsetopt wait".split()
) - {"."}


def move_of(call: Call) -> Move | None:
    """Where `call` takes the shell, None when it stays."""
    if not call.words or call.words[0].dynamic:
        return Move(None) if call.words else None
    name, operands = call.words[0].text, [word for word in call.args if word.text not in ("-P", "-L", "--")]
    if name in _CHANGING:
        if not operands:
            return Move("~")
        to = operands[0]
        plain = len(operands) == 1 and not (to.dynamic or to.globs) and to.text[:1] not in ("-", "")
        return Move(to.text if plain else None)
    return None if name in _STAYING or "/" in name or _is_program(name) else Move(None)


@lru_cache(maxsize=256)
def _is_program(name: str) -> bool:
    return shutil.which(name) is not None


def maybe(moves: Iterable[Move]) -> tuple[Move, ...]:
    """`moves` that need not have been made."""
    return tuple(replace(move, sure=False) for move in moves)


def lost_in(command: tree.Compound, made: bool) -> bool:
    """Whether nobody knows where the bodies of `command` begin. `made`: they hold changes of directory."""
    return command.kind in ("function", "coproc") or (command.kind in _LOOPS and made)


def places(moves: Iterable[Move], start: tuple[str, ...]) -> tuple[str, ...]:
    """The directories to which `moves` may lead from those in `start`."""
    found = start
    for move in moves:
        went = NOWHERE if move.to is None else tuple(_joined(place, move.to) for place in found)
        found = tuple(dict.fromkeys(went if move.sure and move.to is not None else (*found, *went)))
        if len(found) > _MOST:
            return (*found[:_MOST], "")
    return found


def _joined(place: str, to: str) -> str:
    home = os.environ.get("HOME", "")
    if to == "~" or to.startswith("~/"):
        return home + to[1:] if home else ""
    if to.startswith("/"):
        return to
    if not place or to.startswith("~") or os.environ.get("CDPATH"):
        return ""
    return os.path.normpath(Path(place) / to)
