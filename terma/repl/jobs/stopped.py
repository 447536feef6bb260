"""The shell as a model's commands have it: one that the person stops (Ctrl+Z) goes on where they say."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Literal

from terma.dialogue import IfBusy, Ran
from terma.errors import TermaError
from terma.repl.jobs.leaving import kept
from terma.repl.prompt.choosing import one_of
from terma.repl.shell.persistent import PersistentShell
from terma.repl.tty.terminal import Terminal
from terma.sessions import processes
from terma.sessions.survivors import Survivor
from terma.shell_syntax import ShellSyntaxError
from terma.shell_syntax.dialects import BASH
from terma.shell_syntax.nodes import Compound
from terma.shell_syntax.parser import parse
from terma.text import one_line

Next = Literal["here", "session", "end"]
ASKED = "stopped: where does it go on?"
WORDS = ("here", "session", "end it")
_KEYS: dict[str, Next] = {
    **dict.fromkeys(("h", "here", "\r", "\n"), "here"),
    **dict.fromkeys(("s", "session"), "session"),
    **dict.fromkeys(("e", "end"), "end"),
}
_LOOKS = 60  # at what was asked to end, before it is made to
SHOWN = 18  # characters of what stopped, so that question and keys stand in one row
_PAUSE = 0.05  # seconds between two of them


class Attending:
    """A dialogue.Shell over `shell`. `say` tells the person where the command is now."""

    def __init__(
        self,
        shell: PersistentShell,
        say: Callable[[str], None],
        coloured: Callable[[], bool],
        find: Callable[[], Terminal | None] = Terminal.find,
    ) -> None:
        self._shell, self._say, self._coloured, self._find = shell, say, coloured, find

    @property
    def cwd(self) -> str:
        return self._shell.cwd

    @property
    def name(self) -> str:
        return self._shell.name

    @property
    def last(self) -> Ran | None:
        """How the latest run went, also when it was cancelled."""
        return self._shell.last

    async def run(
        self, command: str, *, within: float | None = None, if_busy: IfBusy = "refuse", plain: bool = False
    ) -> Ran:
        """As in dialogue.Shell. What was stopped is asked about: Ctrl+C there leaves it stopped."""
        since = processes.now()
        ran = await self._shell.run(command, within=within, if_busy=if_busy, plain=plain)
        if ran.ended_by == "stop" and in_parts(command, self._shell.name):
            ran = await self._part(ran, since)
        asked = f"only {one_line(ran.alone, SHOWN)} stopped: where does it go on?" if ran.alone else ASKED
        while ran.ended_by == "stop":
            match await one_of(self._find, asked, WORDS, _KEYS, self._coloured()):
                case "here":
                    more = await self._shell.run("fg", within=within, plain=plain)
                    ran = _both(ran, more)
                case "session":
                    return await self._elsewhere(ran)
                case "end":
                    if await self._end(since):
                        return replace(ran, ended_by="end", status=None)
                    break
                case _:
                    break
        return ran

    async def close(self) -> None:
        await self._shell.close()

    async def _part(self, ran: Ran, since: float) -> Ran:
        """With what was stopped of a command that the shell does not keep together."""
        stopped = _begun_after(since, await self._shell.left())
        alone = one_line(stopped[-1].command, 100) if stopped else "one part of it"
        return replace(ran, alone=alone)

    async def _elsewhere(self, ran: Ran) -> Ran:
        stopped = [one for one in await self._shell.left() if one.stopped]
        try:
            name = await kept(self._shell, stopped[-1].name if stopped else "command", "fg")
        except TermaError as error:
            self._say(f"it cannot go on as a session: {error.message}")
            return ran
        self._say(f"still running: terma session attach {name}")
        return replace(ran, ended_by="timeout", state="running", status=None, session=name)

    async def _end(self, since: float) -> bool:
        """End what stopped of all that began after `since`: other stopped jobs are the person's own. Whether all of it
        is gone; what is not is told."""
        stopped = _begun_after(since, await self._shell.left())
        if not stopped:
            self._say("which job it is cannot be told: it stays as it is")
            return False
        for number in (signal.SIGTERM, signal.SIGKILL):
            for one in stopped:
                _signal(one, number)
            for _ in range(_LOOKS):
                living = {(one.pid, one.began) for one in await self._shell.left()}
                if living.isdisjoint((one.pid, one.began) for one in stopped):
                    return True
                await asyncio.sleep(_PAUSE)
        self._say(f"it cannot be ended from here: {', '.join(one_line(one.command) for one in stopped)}")
        return False


def in_parts(command: str, shell: str) -> bool:
    """Whether Ctrl+Z stops a part of it alone: bash keeps no list and no loop together, and goes on behind what was
    stopped, or gives the rest up. zsh makes one job of all of it."""
    if shell != "bash":
        return False
    try:
        statements = parse(command, BASH).statements
    except ShellSyntaxError:
        return False
    if len(statements) != 1 or len(statements[0].pipelines) != 1:
        return bool(statements)
    first, *more = statements[0].pipelines[0].commands
    return not more and isinstance(first, Compound) and first.kind != "subshell"


def _begun_after(since: float, found: list[Survivor]) -> list[Survivor]:
    """The stopped ones among those; where no start is told, only one that cannot be another."""
    stopped = [one for one in found if one.stopped]
    told = [one for one in stopped if one.began and one.began >= since - processes.TICK]
    return told or [one for one in stopped if len(stopped) == 1 and not one.began]


def _signal(one: Survivor, number: int) -> None:
    """To all of its job, as a key would: a part that still waits to be continued ends only then."""
    with suppress(OSError):
        group = os.getpgid(one.pid)
        for sent in (number, signal.SIGCONT):
            os.killpg(group, sent)


def _both(first: Ran, second: Ran) -> Ran:
    """One command that was stopped in between."""
    output = "\n".join(filter(None, (first.output, second.output)))
    return replace(
        second,
        command=first.command,
        output=output,
        seconds=first.seconds + second.seconds,
        dropped=first.dropped + second.dropped,
        restarted=first.restarted,
        alone=first.alone,
    )
