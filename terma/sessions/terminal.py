"""A program on its PTY, whatever it is: hears what it prints as fast as others can bear, types to it, sees its end."""

from __future__ import annotations

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

from terma.errors import TermaError, UsageError
from terma.sessions import pty, shells
from terma.sessions.channel import Channel
from terma.sessions.keyboard import Keyboard
from terma.sessions.modes import Modes
from terma.sessions.pace import Pace
from terma.sessions.probe import Inspector
from terma.sessions.ring import Store

LEFT = (
    "when it exited, programs that it had started still had its terminal: "
    "what they print since then is lost; > FILE keeps it"
)


def _nothing() -> None:
    pass


@dataclass(frozen=True, slots=True)
class Parts:
    """What a terminal is made of. `kind` tells how its program marks, with marks that hold `nonce`; `ended` is called
    once, at its end."""

    channel: Channel
    store: Store
    inspector: Inspector
    kind: shells.Kind = shells.NONE
    nonce: str = ""
    ended: Callable[[], None] = _nothing


class Terminal(ABC):
    """Needs a running event loop."""

    def __init__(self, parts: Parts) -> None:
        self.channel, self.store = parts.channel, parts.store
        self.process = parts.channel.process
        self.exit_status: int | None = None  # of the program, once it has exited
        self.last_output = self.last_input = time.monotonic()
        self.modes = Modes()
        self.pace = Pace()
        self.exited = False
        self.lost = ""  # one line, where it ended because the process that held it did
        self.left = False  # others had its terminal yet when it exited, and print to nobody now
        self._ended = parts.ended
        self._keyboard = Keyboard(parts.channel.master)
        self._changes: set[asyncio.Future[None]] = set()
        self._loop = asyncio.get_running_loop()
        parts.channel.open(self)

    @property
    def master(self) -> int:
        """The PTY's; -1 once it is closed."""
        return self.channel.master

    @abstractmethod
    def took(self, data: bytes) -> None:
        """What was printed, as it comes."""

    @abstractmethod
    def gone(self) -> None:
        """The program has exited, and all that it printed was taken."""

    # what it prints

    def heard(self, data: bytes) -> None:
        """The channel tells this."""
        self.last_output = time.monotonic()
        self.modes.take(data, self.store.end)
        self.took(data)
        self._notify()

    def rest(self, count: int) -> float:
        return self.pace.rest(count)

    async def catch_up(self) -> None:
        """Take what was printed already, within a bound."""
        await self.channel.catch_up()

    def pause(self) -> None:
        """Take no more of what is printed: the program waits when the terminal is full."""
        self.channel.pause()

    def resume(self) -> None:
        self.channel.resume()

    def quiet(self) -> float:
        """Seconds since anything was printed or typed."""
        return time.monotonic() - max(self.last_output, self.last_input)

    async def change(self, seconds: float | None) -> bool:
        """Wait until something is printed or it exits; False after `seconds` without that."""
        future: asyncio.Future[None] = self._loop.create_future()
        self._changes.add(future)
        try:
            async with asyncio.timeout(seconds):
                await future
            return True
        except TimeoutError:
            return False
        finally:
            self._changes.discard(future)

    def _notify(self) -> None:
        for future in self._changes:
            if not future.done():
                future.set_result(None)

    # what it is told

    def written(self, data: bytes) -> None:
        """Hand over keys; they are written as fast as the program reads. Raises TermaError when it does not."""
        if self.exited:
            raise TermaError(
                self.lost or "the program of this session has exited",
                "terma session create NAME --if-not-exists makes another",
            )
        if not self._keyboard.takes(len(data)):
            raise TermaError(
                "the program does not read what is typed", "terma session kill, or wait until it does"
            )
        self.last_input = time.monotonic()
        self._keyboard.write(data)

    def drop_keys(self) -> None:
        """Forget what was typed and has not reached the terminal."""
        self._keyboard.forget()

    def resize(self, columns: int, rows: int) -> None:
        if self.exited:
            raise UsageError("the program of this session has exited", "there is no terminal to resize")
        pty.resize(self.master, columns, rows)

    # its end

    def ended(self, code: int | None) -> None:
        """The channel tells this, once."""
        self.exit_status = code if code is None or code >= 0 else 128 - code
        self.exited = True
        self.store.finish()
        self.left = self.left or pty.is_held(self.master)  # told twice where another agent goes on
        self.close()
        self.gone()
        self._notify()
        self._ended()

    @property
    def loss(self) -> str:
        """One line: what of its output nobody can have; "" where all is there."""
        return self.lost or (LEFT if self.left else "")

    def close(self) -> None:
        """Give back the terminal; a program that still has it is hung up on."""
        self._keyboard.close()
        self.channel.close()
