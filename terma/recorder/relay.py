"""Moves bytes between the outer terminal and the shell's, both ways, with back-pressure and nothing in between.

One poll loop. What cannot be written is kept, and while it is, its source is not read: memory stays bounded, and the
program that floods is slowed down by its own terminal as it would be without us. Forwarding comes before looking.
"""

from __future__ import annotations

import contextlib
import os
import select
from collections.abc import Callable
from typing import Protocol

CHUNK = 16384  # bytes a read asks for; Linux gives some 4 KiB of a PTY at a time
_READS = 16  # of the shell's output before the keyboard is looked at again
_INPUT_LIMIT = 65536  # bytes typed or pasted that a program has not read yet
_IN = select.POLLIN | select.POLLHUP | select.POLLERR


class Guest(Protocol):
    """What else waits for descriptors in the same loop (the socket of serve.Server). `generation` changes with what
    `interests` says."""

    @property
    def generation(self) -> int: ...
    def interests(self) -> dict[int, int]: ...
    def timeout(self) -> float | None: ...
    def handle(self, descriptor: int) -> None: ...
    def expire(self) -> None: ...


class Relay:
    """`reader` and `writer` are the outer terminal, `master` the shell's side of the PTY, `wakeup` a pipe that holds
    the numbers of signals that came."""

    def __init__(self, reader: int, writer: int, master: int, wakeup: int) -> None:
        self.reader, self.writer, self.master, self.wakeup = reader, writer, master, wakeup
        self._to_screen = b""
        self._to_shell = b""
        os.set_blocking(master, False)
        os.set_blocking(wakeup, False)
        self._screen = select.poll()  # while the screen is slow, and nothing else happens
        self._screen.register(wakeup, select.POLLIN)
        self._screen.register(reader, select.POLLIN)
        self._screen.register(writer, select.POLLOUT | (select.POLLIN if reader == writer else 0))
        self._only_room = [(writer, select.POLLOUT)]

    def run(self, seen: Callable[[bytes], None], signalled: Callable[[int], bool], guest: Guest) -> bool:
        """Relay until `signalled(number)` says that it is over (True) or a terminal is gone (False).

        `seen` gets every piece of output after it was passed on."""
        poll = select.poll()
        registered: set[int] = set()
        known: tuple[object, ...] = ()
        own = {self.reader, self.writer, self.master, self.wakeup}
        while True:
            state = (not self._to_screen, not self._to_shell, self._has_room(), guest.generation)
            if state != known:
                wanted = self._interests() | guest.interests()
                for handle in registered - wanted.keys():
                    poll.unregister(handle)
                for handle, mask in wanted.items():
                    poll.register(handle, mask)
                registered, known = set(wanted), state
            patience = guest.timeout()
            ready = dict(poll.poll(patience))
            if self.wakeup in ready:
                for number in os.read(self.wakeup, 4096):
                    if signalled(number):
                        return True
            if self.reader in ready and not self._keys(ready[self.reader]):
                return False
            if self._to_shell and ready.get(self.master, 0) & select.POLLOUT:
                self._feed_shell()
            if self._to_screen and ready.get(self.writer, 0) & (select.POLLOUT | select.POLLERR):
                self._paint()
            if not self._to_screen and ready.get(self.master, 0) & _IN and not self._output(seen, _READS):
                return False
            for handle in ready.keys() - own:
                guest.handle(handle)
            if patience is not None:
                guest.expire()

    def drain(self, seen: Callable[[bytes], None], limit: int) -> None:
        """After the shell's end: what it still wrote, at most `limit` reads, to a terminal that takes its time."""
        with contextlib.suppress(OSError):
            for _ in range(limit):
                if self._to_screen:
                    select.select([], [self.writer], [], 1.0)
                    self._paint()
                elif not self._output(seen, 1, until_empty=True):
                    return

    def _has_room(self) -> bool:
        """Whether more keys may be read: the program has not left too many of them unread."""
        return len(self._to_shell) < _INPUT_LIMIT

    def _interests(self) -> dict[int, int]:
        screen = select.POLLOUT if self._to_screen else 0
        shell = select.POLLOUT if self._to_shell else 0
        keys = select.POLLIN if self._has_room() else 0
        wanted = {self.wakeup: select.POLLIN, self.reader: keys}
        wanted[self.writer] = wanted.get(self.writer, 0) | screen
        wanted[self.master] = shell | (0 if self._to_screen else select.POLLIN)
        return wanted

    def _keys(self, events: int) -> bool:
        """Whether the outer terminal is still there."""
        if not events & _IN:
            return True
        try:
            data = os.read(self.reader, CHUNK)
        except BlockingIOError:
            return not events & select.POLLHUP
        except OSError:
            return False
        if data:
            self._to_shell += data
            self._feed_shell()
        return bool(data)

    def _feed_shell(self) -> None:
        with contextlib.suppress(BlockingIOError):
            written = os.write(self.master, self._to_shell)
            self._to_shell = self._to_shell[written:]

    def _output(self, seen: Callable[[bytes], None], reads: int, until_empty: bool = False) -> bool:
        """Pass on what the shell's side wrote; False when nobody is left there (or, asked so, nothing was)."""
        for _ in range(reads):
            try:
                data = os.read(self.master, CHUNK)
            except BlockingIOError:
                return not until_empty
            except OSError:  # EIO: the last program closed its side
                return False
            if not data:
                return False
            try:
                written = os.write(self.writer, data)
            except BlockingIOError:
                written = 0
            if written < len(data):
                self._to_screen = self._write_on(data[written:])
            seen(data)
            if self._to_screen:
                break
        return True

    def _write_on(self, data: bytes) -> bytes:
        """Write as the screen takes it, until it is done or something else happens; what is left."""
        while data and not self._to_shell and self._screen.poll() == self._only_room:
            with contextlib.suppress(BlockingIOError):
                data = data[os.write(self.writer, data) :]
        return data

    def _paint(self) -> None:
        with contextlib.suppress(BlockingIOError):
            written = os.write(self.writer, self._to_screen)
            self._to_screen = self._to_screen[written:] if written < len(self._to_screen) else b""
