"""The shell as a model's commands have it: one that the person stops (Ctrl+Z) goes on where they say."""

from __future__ import annotations

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

Next = Literal["here", "session", "end"]
ASKED = "stopped: where does it go on?"
WORDS = ("here", "session", "end it")
_KEYS: dict[str, Next] = {
    **dict.fromkeys(("h", "here", "\r", "\n"), "here"),
    **dict.fromkeys(("s", "session"), "session"),
    **dict.fromkeys(("e", "end"), "end"),
}


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
        ran = await self._shell.run(command, within=within, if_busy=if_busy, plain=plain)
        while ran.ended_by == "stop":
            match await one_of(self._find, ASKED, WORDS, _KEYS, self._coloured()):
                case "here":
                    more = await self._shell.run("fg", within=within, plain=plain)
                    ran = _both(ran, more)
                case "session":
                    return await self._elsewhere(ran)
                case "end":
                    await self._end()
                    return replace(ran, ended_by="interrupt")
                case _:
                    break
        return ran

    async def close(self) -> None:
        await self._shell.close()

    async def _elsewhere(self, ran: Ran) -> Ran:
        stopped = [one for one in await self._shell.left() if one.stopped]
        try:
            name = await kept(self._shell, stopped[-1].name if stopped else "command", "fg")
        except TermaError as error:
            self._say(f"it cannot go on as a session: {error.message}")
            return ran
        self._say(f"still running: terma session attach {name}")
        return replace(ran, ended_by="timeout", state="running", status=None, session=name)

    async def _end(self) -> None:
        for one in await self._shell.left():
            if one.stopped:
                for number in (signal.SIGTERM, signal.SIGCONT):
                    with suppress(OSError):
                        os.kill(one.pid, number)


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
    )
