"""One recorded shell from its start to its end: its terminal, the signals, and the exit status that is handed on.

The shell is started first; what records it is imported while the shell reads its start-up files.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import termios
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from terma.errors import TermaError
from terma.recorder import keeper, place, rc
from terma.recorder.terminal import Outer, copy_size

if TYPE_CHECKING:
    from terma.marks import Scanner
    from terma.recorder.ring import Ring

_ENDING = (signal.SIGHUP, signal.SIGTERM, signal.SIGINT, signal.SIGQUIT)
_WATCHED = (*_ENDING, signal.SIGWINCH, signal.SIGCHLD, signal.SIGCONT, signal.SIGTSTP)
_LAST_READS = (
    1024  # after the shell's end: the PTY holds far less, but a job in the background may go on writing
)
_FAREWELL = 2.0  # seconds for the shell to end after its terminal is gone
NOT_EXECUTABLE = 126


def nested(environment: dict[str, str]) -> bool:
    """Whether this terminal is already recorded by a `terma shell` that lives."""
    path = environment.get("TERMA_RECORDING", "")
    if not path:
        return False
    from terma.recorder import serve

    if not serve.answers(path):
        return False
    with contextlib.suppress(OSError):
        return os.ttyname(0) == environment.get("TERMA_RECORDING_TTY", os.ttyname(0))
    return True


def record(shell: str, words: Sequence[str], hooks: Path) -> int:
    """Run `shell` recorded in this terminal; its exit status (128+N for signal N). Raises TermaError, OSError."""
    environment = dict(os.environ)
    if nested(environment):  # what is printed here is recorded already: it simply is a shell
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # Python ignores it
        os.execve(shell, [shell, *words], environment)  # noqa: S606 the person's own
    try:
        outer = Outer()
    except (OSError, termios.error) as error:
        raise TermaError("terma shell needs a terminal", "run it where you type commands") from error
    nonce = os.urandom(8).hex()
    path = place.socket_for(nonce)
    master, slave = os.openpty()
    pad = _scratch()
    recording = rc.Recording(
        str(path), os.ttyname(slave), hooks, f"/proc/{os.getpid()}/fd/{pad}" if pad else ""
    )
    start = rc.start(shell, words, environment, recording)
    return _Session(outer, master, slave).run(start, path, None if start.plain_marks else nonce)


def _scratch() -> int:
    """A file that has no name and lies in memory, for bash's history; 0 where the system has none (macOS)."""
    try:
        return os.memfd_create("terma-recording", os.MFD_CLOEXEC)
    except (AttributeError, OSError):
        return 0


class _Session:
    scanner: Scanner
    ring: Ring

    def __init__(self, outer: Outer, master: int, slave: int) -> None:
        self.outer, self.master, self.slave = outer, master, slave
        self.child = 0
        self.columns = 0
        self.status: int | None = None  # as os.waitpid gives it
        self.ended_by = 0  # the signal that ended us before the shell

    def run(self, start: rc.Start, path: Path, nonce: str | None) -> int:
        """Start the shell, record it until it ends; its exit status."""
        termios.tcsetattr(self.slave, termios.TCSANOW, self.outer.before)
        self._resize()
        wakeup, waker = os.pipe()
        os.set_blocking(waker, False)
        handlers = {number: signal.signal(number, _noted) for number in _WATCHED}
        before = signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
        try:
            self.child = _spawn(start, self.slave)
            self.outer.raw()
            self._relay(path, nonce, wakeup, start.mixed_marks)
        finally:
            self.outer.restore()
            self._leave()
            signal.set_wakeup_fd(before)
            for number, handler in handlers.items():
                signal.signal(number, handler)
            for handle in (wakeup, waker):
                os.close(handle)
            self.outer.close()
        return self._exit_status()

    def _relay(self, path: Path, nonce: str | None, wakeup: int, plain: bool) -> None:
        from terma import marks
        from terma.recorder import relay, ring, serve

        self.ring, self.scanner = ring.Ring(), marks.Scanner(nonce, plain=plain)
        serve.sweep(path.parent)
        server = serve.Server(path, self.answer)
        try:
            pump = relay.Relay(self.outer.reader, self.outer.writer, self.master, wakeup)
            if pump.run(self.see, self.signalled, server) and not self.ended_by:
                os.close(self.slave)
                self.slave = -1
                pump.drain(self.see, _LAST_READS)
        finally:
            server.close()

    def see(self, data: bytes) -> None:
        """Remember what was passed on. Most of a flood holds no escape sequence, and takes the short way."""
        if self.scanner.is_plain(data):
            self.ring.write(data)
        else:
            self.ring.columns = self.columns
            self.ring.take(self.scanner.scan(data))

    def answer(self, count: int) -> bytes:
        """The JSON of the last `count` commands."""
        import json

        columns, lines = os.get_terminal_size(self.master)
        commands = self.ring.last(count)
        reply = {"version": 1, "commands": commands, "columns": columns, "lines": lines}
        return json.dumps(reply).encode("ascii")

    def signalled(self, number: int) -> bool:
        """React to a signal; whether the session is over."""
        if number == signal.SIGWINCH:
            self._resize()
        elif number == signal.SIGCHLD:
            return self._reap()
        elif number == signal.SIGTSTP:
            self._stop()
        elif number == signal.SIGCONT:
            self._resume()
        elif number in _ENDING:
            self.ended_by = number
            return True
        return False

    def _resize(self) -> None:
        with contextlib.suppress(OSError):
            self.columns = copy_size(0, self.master)

    def _reap(self) -> bool:
        """Whether the shell has ended; one that stopped itself (`suspend`) stops us with it."""
        with contextlib.suppress(ChildProcessError):
            pid, status = os.waitpid(self.child, os.WNOHANG | os.WUNTRACED)
            if pid and os.WIFSTOPPED(status):
                self._stop()
                os.kill(self.child, signal.SIGCONT)
            elif pid:
                self.status = status
        return self.status is not None

    def _stop(self) -> None:
        """Give the terminal back and stop; the one who started us continues us, and the terminal is ours again."""
        if os.getsid(0) == os.getpid():
            return  # nobody would continue us
        self.outer.restore()
        os.kill(os.getpid(), signal.SIGSTOP)
        self._resume()

    def _resume(self) -> None:
        with contextlib.suppress(OSError, termios.error):
            self.outer.raw()
            self._resize()

    def _leave(self) -> None:
        """Close the shell's terminal and wait for the shell a little. Jobs that outlive a shell that has ended by
        itself keep the terminal; a shell that is still there is hung up on."""
        if self.status is not None and self.slave < 0 and not self.ended_by and keeper.is_held(self.master):
            keeper.keep(self.master, self.outer.writer)
        os.close(self.master)
        if self.slave >= 0:
            os.close(self.slave)
        until = time.monotonic() + _FAREWELL
        while self.child and self.status is None and time.monotonic() < until:
            if not self._reap():
                time.sleep(0.01)

    def _exit_status(self) -> int:
        if self.ended_by:
            return 128 + self.ended_by
        if self.status is None:
            return 128 + signal.SIGHUP
        code = os.waitstatus_to_exitcode(self.status)
        return code if code >= 0 else 128 - code


def _noted(number: int, frame: object) -> None:
    """A handler in Python must exist for the wakeup pipe to be written; the relay's loop does the rest."""


def _spawn(start: rc.Start, slave: int) -> int:
    """The pid of the shell, leader of a new session on the terminal `slave`. It inherits nothing else of ours."""
    pid = os.fork()
    if pid:
        return pid
    try:
        for caught in (*_WATCHED, signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores the last two
            signal.signal(caught, signal.SIG_DFL)
        os.setsid()
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
        for standard in range(3):
            os.dup2(slave, standard)
        os.execve(start.program, start.arguments, start.environment)  # noqa: S606 the person's own shell
    except OSError as error:
        os.write(2, f"terma: {start.program}: {error.strerror}\n".encode("utf-8", "replace"))
    finally:
        os._exit(NOT_EXECUTABLE)
