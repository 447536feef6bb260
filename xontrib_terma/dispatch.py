"""Decides what `terma ARGS` runs in xonsh: an answer in this process, or the program.

xonsh tells an alias of this kind nothing but its words; who calls us knows the pipe around it, and is looked at.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from types import FrameType
from typing import Any

from xontrib_terma import reach

ANSWERED = ("why", "last")  # here, with the agent that runs
ASKED = (*ANSWERED, "recipe", "ask", "chat")  # what concerns the last command
MAX_KEPT = 20  # calls that were looked up and have not run
MAX_CALLERS = 20  # frames between an alias and what builds its command


@dataclass(frozen=True, slots=True)
class Place:
    """Where a command stands. `spec` is what xonsh builds of it, None when that is not known."""

    spec: Any = None
    is_fed: bool = False  # it reads a pipe or a file
    is_shown: bool = False  # it writes to the terminal, past xonsh
    is_unsafe: bool = (
        False  # its reader may end first, and xonsh 0.19 loses its own output when an alias outlives a pipe
    )


def route(session: Any, args: list[str]) -> list[str]:
    """What to run instead of `terma ARGS`.

    A question about a failure is answered here where it is piped on, captured or redirected; on a terminal, with text
    that is piped in, and without a failure it begins a conversation."""
    asks = bool(args) and any(map(str.isspace, args[0]))
    place = _place()
    plain = bool(args) and not any(arg.startswith("-") for arg in args)
    if plain and (asks or args[0] in ANSWERED):
        talks = asks and find_spec("terma.commands.ask") is not None
        if not talks or not (place.is_fed or place.is_shown or session.memory.status <= 0):
            if not place.is_unsafe:
                return ["_terma_say", _keep(session, args)]
            args = ["why", *args] if asks else args  # the same answer, by the program
    if place.spec is not None and (asks or not args or args[0] in ASKED):
        place.spec.env = {**(place.spec.env or {}), **_last_command(session.memory)}
    return reach.program(session.environment(), *args)


def _last_command(memory: Any) -> dict[str, str]:
    """What the program is told of it, as zsh and bash do."""
    if memory.status < 0:
        return {}
    return {
        "TERMA_LAST_COMMAND": memory.command[: reach.MAX_COMMAND],
        "TERMA_LAST_STATUS": str(memory.status),
        "TERMA_LAST_DURATION": str(memory.duration),
        "TERMA_LAST_DIR": memory.directory,
        "TERMA_LAST_STATUSES": " ".join(map(str, memory.statuses)),
        "TERMA_LAST_SHELL": "xonsh",
    }


def _keep(session: Any, args: list[str]) -> str:
    """A name for `args`: xonsh expands `~` and `$NAME` in what an alias returns, and these are a person's words."""
    session.calls += 1
    while len(session.said) >= MAX_KEPT:
        del session.said[next(iter(session.said))]
    name = f"call-{session.calls}"
    session.said[name] = args
    return name


def _place() -> Place:
    """Where the alias that is being looked up stands."""
    spec: Any = None
    frame: FrameType | None = sys._getframe(1)
    for _ in range(MAX_CALLERS):
        frame = frame.f_back if frame is not None else None
        if frame is None:
            break
        if frame.f_code.co_name == "resolve_alias":
            spec = frame.f_locals.get("self")
        elif frame.f_code.co_name == "cmds_to_specs" and spec is not None:
            known = frame.f_locals
            pipe, before = known.get("cmds", ()), known.get("specs", ())
            is_last = len(pipe) == 2 * len(before) + 1
            is_shown = is_last and known.get("captured") in (False, "hiddenobject") and spec.stdout is None
            is_unsafe = not is_last and not hasattr(spec, "pipe_channels")  # newer ones wait for the alias
            return Place(spec, bool(before) or spec.stdin is not None, is_shown and os.isatty(1), is_unsafe)
    return Place(spec)
