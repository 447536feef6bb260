"""`python -I -m terma.models.worker FD IDLE`: serve litellm over socket FD, and die with its other end."""

from __future__ import annotations

import asyncio
import contextlib
import os
import select
import socket
import sys
import threading

NICE = 10
LOOK = 200  # milliseconds


def main() -> int:
    """The exit status: 0 when nobody is left to answer, 1 when litellm cannot be used."""
    connection, idle = socket.socket(fileno=int(sys.argv[1])), float(sys.argv[2])
    trouble: list[BaseException] = []
    loading = threading.Thread(target=_load, args=(trouble,), daemon=True)
    loading.start()
    poll = select.poll()
    poll.register(connection.fileno(), 0)  # hang-up and error are always told
    while loading.is_alive():
        if poll.poll(LOOK):
            return 0  # the agent ended while this was still loading
    if trouble:
        from terma.models.worker.messages import line

        connection.sendall(line({"fatal": f"{type(trouble[0]).__name__}: {trouble[0]}"}))
        return 1
    from terma.models.worker.serving import Serving

    connection.setblocking(False)
    asyncio.run(Serving(connection, idle).run())
    return 0


def _load(trouble: list[BaseException]) -> None:
    """Import litellm in a thread that gives way to others: seconds of work while a person logs in.

    On Linux a thread has a niceness of its own, so the answers later are not slow; elsewhere nothing is changed."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)
    try:
        from terma.models.worker import calls, serving  # noqa: F401

        calls.quiet()
    except BaseException as error:  # a broken installation can raise anything
        trouble.append(error)


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    os._exit(status)  # litellm's threads and exit handlers have nothing to say any more
