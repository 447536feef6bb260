"""The person's terminal in the place of a shell's while a command runs: their keys in, its output out, their size.

The terminal is raw meanwhile, so that Ctrl+C, Ctrl+Z and Ctrl+\\ are keys of the shell's own terminal, which sends the
signals to what runs there. Output goes through a descriptor of our own that never blocks: a terminal that is slow
makes the program wait, and keys are read on.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import termios
import time
import tty
from collections.abc import Callable
from typing import Any, Protocol

from terma.errors import UsageError
from terma.repl.shell.bounding import KEY, Bounding
from terma.repl.shell.modes import Modes
from terma.repl.shell.passwords import Passwords
from terma.repl.shell.plain_output import PlainOutput
from terma.repl.shell.replies import asks, without_answers
from terma.repl.tty.foreground import plain_terminal
from terma.sessions import pty
from terma.sessions.probe import BUSY, UNKNOWN, Look
from terma.sessions.session import EXITED, IDLE, MORE, Session
from terma.text import strip_ansi

_HIGH, _LOW = 256 * 1024, 64 * 1024  # bytes that wait for the terminal, when the program waits and goes on
_POLL = 0.02  # seconds, where a terminal cannot be waited for (kqueue and /dev/tty)
_LATEST = 1024  # bytes
_ANSWERS = 0.15  # seconds for a terminal to answer a question
_SLOW = 10.0  # seconds for a terminal to take what is left
_INTERRUPTS = b"\x03\x1c"
_NAMES = {3: "Ctrl+C", 0x1C: "Ctrl+\\"}
_SUSPEND = b"\x1a"
_SIGNALS = b"\x03\x1a\x1c"
_ENDING = re.compile(rb"[\x03\x04\x1a\x1c]")
_ENTERING = re.compile(r"[\r\n]|(?!^)\x0f")  # Ctrl+O behind text enters it, too


class Handles(Protocol):
    """Two descriptors of one terminal."""

    @property
    def input(self) -> int: ...
    @property
    def output(self) -> int: ...


class Passthrough:
    """From `open` to `close`, the person's. `gone` is called when the terminal is closed under us."""

    def __init__(
        self,
        terminal: Handles,
        session: Session,
        passwords: Passwords,
        gone: Callable[[], None],
        lines: int = 0,
        plain: bool = False,
    ) -> None:
        """`lines` of the output are shown, 0: all. `plain`: nobody was asked, so it may write text only."""
        self.last_key = 0.0
        # When they pressed Ctrl+C or Ctrl+\ while it worked, as time.monotonic has it, and which of them last.
        self.presses: list[float] = []
        self.pressed = "Ctrl+C"
        self.refused = False  # they answered with that key what it asked, and have typed nothing since
        self.suspended = 0.0  # when they pressed Ctrl+Z last and the terminal stopped by it what runs
        self.asked_to_stop = 0.0  # when they pressed it last, also where it is the program's own key (vim)
        self._came = bytearray()  # keys that were read, and given to nobody yet
        self._handing: asyncio.Task[None] | None = None
        self.ahead = bytearray()  # what was typed, and probably not read by the command
        self.unsure = False  # whether more than that was not read
        self.lost = False  # the terminal is not there any more
        self._terminal, self._session, self._passwords, self._gone = terminal, session, passwords, gone
        self._modes = Modes()
        self._bound = self._bounding(lines) if lines else None
        self._plain = PlainOutput(self._reads_keys) if plain else None
        self._pending = bytearray()
        self._drained = asyncio.Event()
        self._paused = self._writing = False
        self._size = os.terminal_size((0, 0))
        self._latest = b""  # the end of what was written
        self._written = 0.0
        self._before: list[Any] = []
        self._output, self._own = terminal.output, False
        self._loop = asyncio.get_running_loop()
        self._polling: asyncio.TimerHandle | None = None
        self._winch: Any = None

    def open(self) -> tuple[int, int] | None:
        """Take the terminal; its columns and rows, where it has a size."""
        with contextlib.suppress(termios.error, OSError):
            self._before = termios.tcgetattr(self._terminal.input)
        with contextlib.suppress(OSError):
            flags = os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC
            self._output = os.open(os.ttyname(self._terminal.output), flags)
            self._own = True
        size = self._fit()
        if self._before:
            with contextlib.suppress(termios.error, OSError):
                tty.setraw(self._terminal.input, termios.TCSADRAIN)
        self._listen()
        with contextlib.suppress(ValueError, RuntimeError):  # not the main thread
            self._winch = signal.getsignal(signal.SIGWINCH)
            self._loop.add_signal_handler(signal.SIGWINCH, self._fit)
        return size

    async def close(self) -> None:
        """Give it back as it was, whatever the command did to it."""
        try:
            if not self.lost:
                if self._bound is not None:
                    self._bound.close()
                await self._hear_answers()
                self._deaf()
                if self._handing is not None:
                    await self._handing
                undo = self._modes.undo()
                self.write(undo + (b"\r\n" if self._in_a_line() else b""))
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_SLOW):
                        await self._empty()
        finally:
            self._deaf()
            self._stop_writing()
            if self._before:
                with contextlib.suppress(termios.error, OSError):
                    termios.tcsetattr(self._terminal.input, termios.TCSADRAIN, self._before)
            if self._own:
                os.close(self._output)
            with contextlib.suppress(ValueError, RuntimeError):
                self._loop.remove_signal_handler(signal.SIGWINCH)
                if self._winch is not None:
                    signal.signal(signal.SIGWINCH, self._winch)

    async def _hear_answers(self) -> None:
        """Where the command asked the terminal something just before its end, wait for the answers: they would stand
        on the next prompt."""
        rest = _ANSWERS - (time.monotonic() - self._written)
        if rest > 0 and asks(self._latest):
            await asyncio.sleep(rest)
            self.ahead[:] = without_answers(bytes(self.ahead))

    def _in_a_line(self) -> bool:
        """Whether the cursor stands behind text; what was on the alternate screen is gone with it."""
        text = strip_ansi(self._latest.rpartition(b"\x1b[?1049l")[2].decode("utf-8", "replace")).rstrip("\r")
        return bool(text) and not text.endswith("\n")

    # output

    def _bounding(self, lines: int) -> Bounding:
        return Bounding(
            lines,
            self.write,
            lambda: self._size.columns,
            self._reads_keys,
            not plain_terminal(),
            not os.environ.get("NO_COLOR"),
        )

    def _reads_keys(self) -> bool:
        """Whether a program reads single keys; the shell does so behind each command."""
        master = self._session.master
        with contextlib.suppress(OSError):
            raw = not _local_modes(master) & termios.ICANON
            return raw and os.tcgetpgrp(master) != self._session.process.pid
        return False

    def show(self, data: bytes) -> None:
        """Show what the command printed, as far as it is to be seen."""
        if self._plain is not None:
            data = self._plain.feed(data)
        if self._bound is None:
            self.write(data)
        else:
            self._bound.feed(data)

    def tick(self) -> None:
        """Called now and then while the command runs: what is told of what is not shown is brought up to date."""
        if self._bound is not None:
            self._bound.tick()

    @property
    def rest(self) -> bytes:
        """What of the output was not shown, for a terminal."""
        return self._bound.rest if self._bound is not None else b""

    def write(self, data: bytes) -> None:
        """Show `data`, as soon as the terminal takes it."""
        if not data or self.lost:
            return
        self._modes.feed(data)
        self._latest, self._written = (self._latest + data[-_LATEST:])[-_LATEST:], time.monotonic()
        waiting = bool(self._pending)
        self._pending += data
        if not waiting:
            self._flush()
        self._throttle()

    def _flush(self) -> None:
        try:
            while self._pending:
                del self._pending[: os.write(self._output, self._pending[:65536])]
        except BlockingIOError:
            if not self._writing:
                self._loop.add_writer(self._output, self._flush)
                self._writing = True
            self._throttle()
            return
        except OSError:
            self._lose()
        self._stop_writing()
        self._throttle()
        self._drained.set()

    def _throttle(self) -> None:
        if not self._paused and len(self._pending) > _HIGH:
            self._paused = True
            self._session.pause()
        elif self._paused and len(self._pending) < _LOW:
            self._paused = False
            self._session.resume()

    async def _empty(self) -> None:
        while self._pending and not self.lost:
            self._drained.clear()
            await self._drained.wait()

    def _stop_writing(self) -> None:
        if self._writing:
            self._writing = False
            with contextlib.suppress(OSError, ValueError):
                self._loop.remove_writer(self._output)

    # keys

    def _listen(self) -> None:
        try:
            self._loop.add_reader(self._terminal.input, self._keys)
        except OSError:
            self._poll()

    def _poll(self) -> None:
        import select

        if select.select([self._terminal.input], [], [], 0)[0]:
            self._keys()
        self._polling = None if self.lost else self._loop.call_later(_POLL, self._poll)

    def _deaf(self) -> None:
        if self._polling is not None:
            self._polling.cancel()
        else:
            with contextlib.suppress(OSError, ValueError):
                self._loop.remove_reader(self._terminal.input)

    def _keys(self) -> None:
        try:
            data = os.read(self._terminal.input, 4096)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._lose()
            return
        self.last_key = time.monotonic()
        self._fit()  # a signal may be late
        if self._bound is not None and self._bound.holding and KEY in data:
            self._bound.all()
            data = data.replace(KEY, b"")
        self._came += data
        if self._handing is None:
            self._handing = self._loop.create_task(self._hand_on())

    async def _hand_on(self) -> None:
        """Give the keys to the command; once it has ended they are for what comes next. A shell that has the foreground
        stands at its prompt, or at a question of its own (`read`): what it printed and nobody has read yet tells."""
        try:
            while self._came:
                data = bytes(self._came)
                self._came.clear()
                seen = None if self._ended() else self._session.look()
                if seen is not None and seen.leader:
                    await self._session.catch_up()
                if seen is None or self._ended():
                    self.ahead += data
                else:
                    self._follow(data, seen)
                    self._session.keys(data)
        finally:
            self._handing = None

    def _ended(self) -> bool:
        """Whether the command is known to have ended."""
        return self._session.phase in (IDLE, MORE, EXITED)

    def _follow(self, data: bytes, seen: Look) -> None:
        """Note, before the program sees them, what the keys mean to it."""
        modes = _local_modes(self._session.master)
        unseen = seen.canonical and not seen.echo
        self._passwords.typed(data, unseen)
        self.refused = False
        if _SUSPEND in data:
            self.asked_to_stop = self.last_key
        if modes & termios.ISIG and any(byte in data for byte in _SIGNALS):
            self.ahead.clear()  # the terminal throws away what was not read
            pressed = [byte for byte in data if byte in _INTERRUPTS]
            if pressed:
                self.pressed = _NAMES[pressed[-1]]
            if not seen.waits:
                self.presses += [self.last_key] * len(pressed)
            else:  # at a prompt of its own (python, psql) it is a key like others, unless it ends by it (sudo)
                self.refused = bool(pressed)
            if _SUSPEND in data:
                self.suspended = self.last_key
            return
        if seen.waits:
            self.presses.clear()  # it has outlived them
        if unseen or not seen.canonical or seen.doing not in (BUSY, UNKNOWN):
            self.ahead.clear()
        elif seen.doing == BUSY:
            self.ahead += data
        else:
            self.unsure = True  # another user's program (sudo): it may have read them, or not

    def turn(self) -> None:
        """The command waits for input: so it has read what was typed, and what it asks is seen."""
        self.ahead.clear()
        if self.presses and self._session.look().waits:
            self.presses.clear()  # it lives on at a prompt of its own: python, psql
        if self._bound is not None:
            self._bound.turn()

    def left(self) -> str:
        """The keys that were typed ahead, as the terminal sent them, given out once: as far as the first that would
        enter the line, and behind the last that was to end or stop what ran."""
        keys = _ENDING.split(without_answers(bytes(self.ahead)))[-1]
        self.ahead.clear()
        return _ENTERING.split(keys.decode("utf-8", "replace"), maxsplit=1)[0].rstrip("\x1b")

    def _lose(self) -> None:
        self.lost = True
        self._pending.clear()
        self._deaf()
        self._throttle()
        self._gone()

    # size

    def _fit(self) -> tuple[int, int] | None:
        with contextlib.suppress(OSError, UsageError):
            columns, rows = size = os.get_terminal_size(self._terminal.output)
            if size != self._size and columns and rows and self._session.phase != EXITED:
                self._size = size
                pty.resize(self._session.master, columns, rows)
                return columns, rows
        return None


def _local_modes(master: int) -> int:
    try:
        return int(termios.tcgetattr(master)[3])
    except (OSError, termios.error):
        return 0
