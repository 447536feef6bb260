"""What still runs when a conversation ends stays, or is asked about: nothing that was started dies without a word."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Literal, Protocol

from terma import client
from terma.errors import TermaError, UsageError
from terma.repl.prompt.choosing import one_of
from terma.repl.tty.terminal import Terminal
from terma.sessions import handing
from terma.sessions.handing import Program
from terma.sessions.survivors import Survivor
from terma.text import one_line

Fate = Literal["keep", "end", "back"]
Say = Callable[[str], None]
_MOST_NAMES = 100
_SHOWN = 70  # code points of a command line
_ENTER: dict[str, Fate] = {"\r": "keep", "\n": "keep"}
_KEYS: dict[str, Fate] = _ENTER | {"k": "keep", "keep": "keep", "e": "end", "end": "end"}
_BACK: dict[str, Fate] = {"b": "back", "back": "back"}


class Shell(Protocol):
    """A PersistentShell, of which this is all that is needed here."""

    async def left(self) -> list[Survivor]: ...
    async def hand_over(self, take: handing.Take, first: str = "") -> str: ...


async def part(
    shell: Shell,
    say: Say,
    coloured: Callable[[], bool],
    may_stay: bool,
    find: Callable[[], Terminal | None] = Terminal.find,
) -> bool:
    """Settle what still runs in `shell`: whether one may leave now. Jobs go on as a terma session or end, as the person
    says (`may_stay`: they may also go back); without anybody they go on. What needs no terminal goes on by itself.
    Each that goes on is told by `say`, with how to get at it."""
    left = await shell.left()
    jobs = [one for one in left if one.here]
    if jobs and not await _settled(shell, jobs, say, coloured, may_stay, find):
        return False
    for one in left:
        if not one.here:
            say(f"still running: {one_line(one.command, _SHOWN)} (process {one.pid})")
    return True


async def _settled(
    shell: Shell,
    jobs: list[Survivor],
    say: Say,
    coloured: Callable[[], bool],
    may_stay: bool,
    find: Callable[[], Terminal | None],
) -> bool:
    there = find()
    fate: Fate = "keep"
    if there is not None:
        there.close()
        fate = await _fate(jobs, say, coloured, may_stay, find)
    if fate == "back":
        return False
    if fate == "end":
        for one in jobs:
            _end(one)
        return True
    try:
        name = await kept(shell, jobs[0].name)
    except TermaError as error:
        say(f"it cannot go on as a session: {error.message}")
        return not may_stay
    what = _words(jobs) if there is None else "it goes on" if len(jobs) == 1 else "they go on"
    say(f"{what}: terma session attach {name}")
    return True


def _end(one: Survivor) -> None:
    """Also one that the terminal's end would not reach: it has left its session (setsid) and prints there still."""
    with suppress(OSError):
        send = os.killpg if os.getpgid(one.pid) == one.pid else os.kill
        for number in (signal.SIGTERM, signal.SIGCONT):
            send(one.pid, number)


async def _fate(
    jobs: list[Survivor],
    say: Say,
    coloured: Callable[[], bool],
    may_stay: bool,
    find: Callable[[], Terminal | None],
) -> Fate:
    say(_words(jobs))
    asked = "let it go on as a terma session?" if len(jobs) == 1 else "let them go on as a terma session?"
    words = ("keep", "end", "back") if may_stay else ("keep", "end")
    keys = _KEYS | _BACK if may_stay else _KEYS
    return await one_of(find, asked, words, keys, coloured()) or ("back" if may_stay else "keep")


def _words(jobs: list[Survivor]) -> str:
    """`still running: make -j2, ./serve; stopped: vim`."""
    parts = []
    for word, stopped in (("still running", False), ("stopped", True)):
        names = [one_line(one.command, _SHOWN) for one in jobs if one.stopped == stopped]
        if names:
            parts.append(f"{word}: {', '.join(names)}")
    return "; ".join(parts)


async def kept(shell: Shell, name: str, first: str = "") -> str:
    """Hand `shell` to the agent, as a session called like `name`, once `first` was entered there; what it is called.
    Raises TermaError."""

    async def take(master: int, program: Program, printed: bytes) -> str:
        return await asyncio.to_thread(_given, name, master, program, printed)

    return await shell.hand_over(take, first)


def _given(name: str, master: int, program: Program, printed: bytes) -> str:
    """Raises TermaError."""
    for number in range(1, _MOST_NAMES):
        wanted = name if number == 1 else f"{name}-{number}"
        try:
            found = handing.give(master, program, printed, partial(_asked, wanted))
        except TermaError as error:
            if error.code != UsageError.code:
                raise
            continue  # the agent says that the name is taken
        return str(found["session"])
    raise TermaError("no name is left for it", "terma session list")


def _asked(name: str, path: str) -> Mapping[str, Any]:
    agent = client.connect()
    try:
        fields = {"args": json.dumps({"session": name, "path": path})}
        answer: Mapping[str, Any] = agent.ask_json("session_adopt", fields, handing.SECONDS)
        return answer
    finally:
        agent.close()
