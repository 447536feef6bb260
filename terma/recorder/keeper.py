"""Keeps a recorded shell's terminal for the jobs that outlive it: what they print still comes to the outer one."""

from __future__ import annotations

import contextlib
import os
import select
import signal

_READ = 16384  # bytes
_ENDING = (signal.SIGHUP, signal.SIGTERM)


def is_held(master: int) -> bool:
    """Whether a program still has the other side of `master` open."""
    poll = select.poll()
    poll.register(master, 0)
    return not any(events & select.POLLHUP for _, events in poll.poll(0))


def keep(master: int, writer: int) -> None:
    """Leave a process behind that passes on what comes from `master` until nobody can write there, or read `writer`.

    Where we lead the outer session, our own exit hangs its terminal up: nothing can be passed on from then on, and the
    process stays until there is something, so that who holds the outer terminal learns that it is held (and lost)."""
    leads = os.getsid(0) == os.getpid()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)  # none is lost to the handlers of who forks
    if os.fork():
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return
    try:
        for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP, signal.SIGTTOU):
            signal.signal(number, signal.SIG_IGN)  # the outer shell's own affair
        signal.set_wakeup_fd(-1)
        for number in _ENDING:
            signal.signal(number, signal.SIG_DFL)
        if leads:
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        os.set_blocking(master, True)
        with contextlib.suppress(OSError):  # EIO: the last job has closed it, or the outer terminal is gone
            while data := os.read(master, _READ):
                while data:
                    select.select([], [writer], [])
                    with contextlib.suppress(BlockingIOError):
                        data = data[os.write(writer, data) :]
    finally:
        os._exit(0)
