"""Remembers which command left what running, so that a job is called what was entered and not what it became."""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace

from terma.risk.model import Call
from terma.risk.syntax import read
from terma.risk.wrappers import inner_calls, scripts
from terma.sessions import processes
from terma.sessions.survivors import Survivor, name_of
from terma.text import one_line

_DEEPEST = 4  # programs that run programs, scripts in scripts
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
        self.stopped: frozenset[int] = frozenset()  # processes that waited to be continued at the last look

    def enter(self, command: str) -> None:
        """`command` is entered now: what begins from here on is its doing, up to the next one."""
        self._entered.append((self._clock(), command))

    async def left(self) -> list[Survivor]:
        """What lives."""
        found = await self._settled()
        self.stopped = frozenset(one.pid for one in found if one.stopped)
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
    if len(text) > _LONGEST:
        return one
    calls = list(_calls(text, _DEEPEST))
    if calls and not _PARTS.search(_TO_HANDLES.sub("", text)):
        return replace(
            one, command=one_line(text), name=name_of(calls[-1])
        )  # what the wrappers run stands last
    for words in calls:  # of several parts: the one that the process says it is
        said = " ".join(words)
        if one.command.endswith(said) and one.command.removesuffix(said)[-1:] in ("", " ", "/"):
            inner = list(_calls(said, _DEEPEST))
            return replace(one, command=one_line(said), name=name_of(inner[-1] if inner else words))
    return one


def _calls(text: str, deep: int) -> Iterator[list[str]]:
    """The words of each command, and of each that one of them runs, those of wrappers before what they wrap."""
    for call in read(text)[0] if deep else ():
        yield from _within(call, deep)


def _within(call: Call, deep: int) -> Iterator[list[str]]:
    if not deep:
        return
    yield [word.text for word in call.words]
    for inner in inner_calls(call):
        yield from _within(inner, deep - 1)
    for script in scripts(call):
        yield from _calls(script, deep - 1)
