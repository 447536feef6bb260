"""`python -I -m terma.agent`: the agent's process, from the lock to the last answer.

The socket accepts before asyncio is imported, so whoever started the agent goes on while it warms up.
"""

from __future__ import annotations

import contextlib
import gc
import os
import resource
import sys

from terma import inherited, levels, paths
from terma.agent.endpoint import Endpoint
from terma.errors import TermaError

IDLE_SECONDS = 3600.0


def main(arguments: list[str]) -> int:
    """Serve in this process. `--ready-fd=N`: write `ok`, or a line that says why not, to descriptor N and
    close it; `--foreground`: log to standard error. Exit status 1 when the socket cannot be had."""
    ready = next((int(word.partition("=")[2]) for word in arguments if word.startswith("--ready-fd=")), None)
    inherited.forget()  # whoever started it, by `terma agent run` perhaps
    gc.disable()  # until everything is loaded: server._settle
    try:
        endpoint = Endpoint(paths.socket_path())
    except TermaError as error:
        _tell(ready, f"{error.code}\t{error.message}\t{error.hint}")
        return 1
    _tell(ready, "ok")
    try:
        _serve(endpoint, foreground="--foreground" in arguments)
    finally:
        endpoint.close()
    return 0


def _tell(ready: int | None, line: str) -> None:
    if ready is None:
        if line != "ok":
            sys.stderr.write("terma: " + line.split("\t")[1] + "\n")
        return
    with contextlib.suppress(OSError):
        os.write(ready, line.encode("utf-8", "replace"))
        os.close(ready)


def _serve(endpoint: Endpoint, foreground: bool) -> None:
    # asyncio imports ssl when it is there: 4 MB and 20 ms that a unix socket does not need. Only asyncio's
    # own TLS is missing for it; a provider that speaks TLS brings ssl by itself.
    hidden = "ssl" not in sys.modules
    if hidden:
        sys.modules["ssl"] = None  # type: ignore[assignment]
    import asyncio

    if hidden:
        del sys.modules["ssl"]
    _allow_many_files()
    from terma.agent.log import NAME, Log
    from terma.agent.parts import Limits
    from terma.agent.server import Agent

    told = levels.of(os.environ)
    log = Log(None if foreground else paths.state_dir() / NAME, told.debug, told.info)
    try:
        idle = float(os.environ.get("TERMA_IDLE_SECONDS") or IDLE_SECONDS)
    except ValueError:
        idle = IDLE_SECONDS

    async def live() -> None:
        await Agent(endpoint, log, idle, Limits()).run()

    asyncio.run(live())


def _allow_many_files() -> None:
    """Every connected shell is an open file, and the usual limit is 1024 (256 on macOS)."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 4096 if hard == resource.RLIM_INFINITY else min(4096, hard)
    if soft < wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
