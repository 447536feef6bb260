"""Remembers which command left what running, so that a job is called what was entered and not what it became."""

from __future__ import annotations

import asyncio
import re
import shlex
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import replace

from terma.sessions import processes
from terma.sessions.survivors import Survivor, name_of
from terma.text import one_line

_STARTERS = ("nohup", "setsid", "exec", "command", "time", "nice", "env", "sudo")
_PARTS = re.compile(r"[;|&\n(){}]")  # of a command of more than one
_TO_HANDLES = re.compile(r"\d*[<>]&\d*-?|&>>?")
_LONGEST = 200  # code points
_REMEMBERED = 100  # commands
_YOUNG = 0.3  # seconds in which a process may still be about to fork or to become what was asked for
_PAUSE = 0.02  # seconds between two looks at such ones


class Jobs:
    """`look` finds what lives of all that was started; `clock` counts as Survivor.began does."""

    def __init__(
        self, look: Callable[[], Awaitable[list[Survivor]]], clock: Callable[[], float] = processes.now
    ) -> None:
        self._look, self._clock = look, clock
        self._entered: deque[tuple[float, str]] = deque(maxlen=_REMEMBERED)  # when it was, oldest first
        self._from: dict[int, str] = {}  # the command that started a process, by its number

    def enter(self, command: str) -> None:
        """`command` is entered now: what begins from here on is its doing, up to the next one."""
        self._entered.append((self._clock(), command))

    async def left(self) -> list[Survivor]:
        """What lives."""
        found = await self._settled()
        self._from = {one.pid: self._from.get(one.pid) or self._starter(one) for one in found}
        return [_as_entered(one, self._from[one.pid]) for one in found]

    async def started(self) -> tuple[str, ...]:
        """What the command entered last, which has just ended, has left running."""
        before = set(self._from)
        latest = self._entered[-1][1] if self._entered else ""
        return tuple(
            one.command
            for one in await self.left()
            if one.pid not in before and not one.stopped and self._from[one.pid] == latest
        )

    async def _settled(self) -> list[Survivor]:
        """Two looks that agree, when something has only just begun: setsid forks once more, a shell that has forked
        is about to become a program, and whoever looks between sees neither name nor number that last."""
        found = await self._look()
        while any(self._clock() - one.began < _YOUNG for one in found):
            await asyncio.sleep(_PAUSE)
            before, found = found, await self._look()
            if found == before:
                break
        return found

    def _starter(self, one: Survivor) -> str:
        """The last command that was entered before it began; the last of all where that is not known."""
        for at, command in reversed(self._entered):
            if not one.began or at <= one.began + processes.TICK:
                return command
        return ""


def _as_entered(one: Survivor, command: str) -> Survivor:
    """A program may have turned into another one, or not yet have (a shim): what was entered is what a person knows."""
    text = command.strip().removesuffix("&").strip()
    if not one.command:  # a subshell, which has no name of its own
        return replace(one, command=one_line(text, _LONGEST) or "?")
    try:
        words = shlex.split(text)
    except ValueError:
        return one
    if not words or _PARTS.search(_TO_HANDLES.sub("", text)) or len(text) > _LONGEST:
        return one  # a job of several parts: the process says which of them it is
    while len(words) > 1 and (words[0] in _STARTERS or "=" in words[0] or words[0].startswith("-")):
        words = words[1:]
    return replace(one, command=one_line(text), name=name_of(words))
