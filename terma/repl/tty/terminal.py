"""The terminal of the person who decides: single keys, typed-ahead keys thrown away, its modes put back in any case."""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import termios
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass

from terma import quiet
from terma.repl.display.live import Size, size_of
from terma.repl.tty.foreground import in_front

END = ""  # what `key` returns when there is no more input
_LONG = 100  # characters that are no answer, whatever comes behind them
_POLL = 0.05  # seconds, where a terminal cannot be waited for (kqueue and /dev/tty)


@dataclass(frozen=True, slots=True)
class Terminal:
    """Two descriptors of one terminal; `own` when they were opened here."""

    input: int
    output: int
    own: bool = False

    @classmethod
    def find(cls) -> Terminal | None:
        """Standard input and output where both are a terminal, else the controlling terminal, else None. A process
        in the background has none: reading would stop it."""
        if os.isatty(0) and os.isatty(1) and in_front(0):
            return cls(0, 1)
        try:
            handle = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
        except OSError:
            return None
        if in_front(handle):
            return cls(handle, handle, own=True)
        os.close(handle)
        return None

    def close(self) -> None:
        if self.own:
            os.close(self.input)

    @property
    def size(self) -> Size:
        return size_of(self.output)

    def write(self, text: str) -> None:
        """Write all of it; a terminal that is gone is told by the next key."""
        with contextlib.suppress(OSError):
            write_all(self.output, text.encode(errors="replace"))

    def flush(self) -> None:
        """Throw away what was typed and not read."""
        quiet.flush(self.input)

    @contextmanager
    def raw(self) -> Iterator[None]:
        """Keys as they are pressed, unseen, Ctrl+C among them. What was typed before is thrown away."""
        try:
            before = termios.tcgetattr(self.input)
        except (termios.error, OSError):
            yield  # it is gone: the first key says so
            return
        wanted = list(before)
        wanted[0] &= ~termios.IXON
        wanted[3] &= ~(termios.ICANON | termios.ECHO | termios.ISIG | termios.IEXTEN)
        wanted[6] = list(before[6])
        wanted[6][termios.VMIN], wanted[6][termios.VTIME] = 1, 0
        _set(self.input, termios.TCSAFLUSH, wanted)
        try:
            yield
        finally:
            _set(self.input, termios.TCSADRAIN, before)

    async def key(self) -> str:
        """The next key, or a burst of them as it came (an arrow, a paste); END when the terminal is gone."""
        while True:
            async with _readable(self.input):
                try:
                    data = os.read(self.input, 4096)
                except BlockingIOError:
                    continue
                except OSError:
                    return END
            return data.decode("utf-8", "replace") if data else END

    async def settled(self, still: quiet.Quiet) -> str | None:
        """Drop what is typed until it has been quiet for long enough, as `quiet.settle` does: None then, else the key
        that stops, or END."""
        while (left := still.left) > 0:
            try:
                async with asyncio.timeout(left):
                    key = await self.key()
            except TimeoutError:
                continue
            if key == END or key[:1].encode() in quiet.STOP:
                return key
            still.heard()
        return None

    async def burst(self, still: quiet.Quiet) -> str:
        """The next key with all that follows it at once: a word that is being typed is one answer, and no other."""
        keys = await self.key()
        while 0 < len(keys) < _LONG and keys[:1].encode() not in quiet.STOP:
            try:
                async with asyncio.timeout(still.alone):
                    more = await self.key()
            except TimeoutError:
                break
            if more == END:
                break
            keys += more
        return keys


def write_all(handle: int, data: bytes) -> None:
    """Write `data`, also where a program left the descriptor non-blocking. Raises OSError."""
    while data:
        try:
            data = data[os.write(handle, data) :]
        except BlockingIOError:
            select.select([], [handle], [], 1.0)


def _set(handle: int, when: int, modes: list[object]) -> None:
    with contextlib.suppress(termios.error, OSError):
        termios.tcsetattr(handle, when, modes)  # type: ignore[arg-type]


@asynccontextmanager
async def _readable(handle: int) -> AsyncGenerator[None, None]:
    """Wait until there is something to read."""
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    try:
        loop.add_reader(handle, ready.set)
    except OSError:
        while not select.select([handle], [], [], 0)[0]:  # noqa: ASYNC110 - nothing can be waited for
            await asyncio.sleep(_POLL)
        yield
        return
    try:
        await ready.wait()
    finally:
        loop.remove_reader(handle)
    yield
