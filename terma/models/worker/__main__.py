"""`python -I -m terma.models.worker FD IDLE`: serve litellm over socket FD, and die with its other end."""

from __future__ import annotations

import asyncio
import os
import select
import socket
import sys
import threading

NICE = 5
LOOK = 200  # milliseconds


def main() -> int:
    """The exit status: 0 when nobody is left to answer, 1 when litellm cannot be used."""
    connection, idle = socket.socket(fileno=int(sys.argv[1])), float(sys.argv[2])
    os.nice(NICE)
    loaded = threading.Event()
    threading.Thread(target=_watch, args=(connection.fileno(), loaded), daemon=True).start()
    try:
        from terma.models.worker import calls, serving

        calls.quiet()
    except Exception as error:  # a broken installation can raise anything
        from terma.models.worker.messages import line

        connection.sendall(line({"fatal": f"{type(error).__name__}: {error}"}))
        return 1
    loaded.set()
    connection.setblocking(False)
    asyncio.run(serving.Serving(connection, idle).run())
    return 0


def _watch(fd: int, loaded: threading.Event) -> None:
    """Importing takes seconds in which nothing is read: see the other end close all the same."""
    poll = select.poll()
    poll.register(fd, 0)  # hang-up and error are always told
    while not loaded.is_set():
        if poll.poll(LOOK):
            os._exit(0)


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    os._exit(status)  # litellm's threads and exit handlers have nothing to say any more
