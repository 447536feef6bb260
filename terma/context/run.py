"""Asks another program for text without ever waiting on it for long: bounded output, and killed with its children."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
from collections import deque
from collections.abc import Mapping, Sequence

from terma.errors import TermaError
from terma.starting import REAPED, started
from terma.text import one_line

MAX_BYTES = 4 * 1024 * 1024  # of stdout, its end: what a terminal shows last stands there
_MAX_REASON = 4096  # bytes of stderr


class Failed(TermaError):
    """The program ended with another status than 0. `status` is that status, `reason` its own words."""

    code = "source"

    def __init__(self, program: str, status: int, reason: str) -> None:
        super().__init__(f"{program}: {reason or f'it ended with status {status}'}")
        self.status = status
        self.reason = reason


async def output_of(
    argv: Sequence[str], *, path: str = "", env: Mapping[str, str] | None = None, bare: bool = False
) -> bytes:
    """The last MAX_BYTES of what `argv` writes to stdout. It is found on `path` (a PATH; "" for the agent's own), reads
    nothing, has no terminal, and runs in a process group that is killed when this task is cancelled. Its environment is
    ours with `env`, or with `bare` nothing but `env` and PATH.

    Raises TermaError when it is not on `path`, Failed when it ends with a status other than 0."""
    search = path or os.environ.get("PATH", os.defpath)
    search = ":".join(folder for folder in search.split(":") if folder.startswith("/"))
    program = shutil.which(argv[0], path=search)
    if program is None:
        raise TermaError(f"{argv[0]} is not on the PATH", "install it, or add its folder to PATH")
    starting = asyncio.get_running_loop().subprocess_exec(
        _Heard,
        program,
        *argv[1:],
        stdin=asyncio.subprocess.DEVNULL,
        start_new_session=True,
        env={**({} if bare else os.environ), "PATH": search, **(env or {})},
    )
    transport, heard = await started(starting, lambda pair: _end(pair[0], pair[1].ended))
    try:
        await asyncio.shield(heard.ended)
    finally:
        await _end(transport, heard.ended)
    status = transport.get_returncode()
    if status:
        raise Failed(argv[0], status, one_line((heard.errors or heard.text).decode("utf-8", "replace"), 160))
    return heard.text


async def _end(transport: asyncio.SubprocessTransport, ended: asyncio.Future[None]) -> None:
    """Kill what still runs of the program's group and let go of its pipes, which a child of its own may hold open."""
    if not ended.done():
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(transport.get_pid(), signal.SIGKILL)
    transport.close()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(REAPED):
            await asyncio.shield(ended)


class _Heard(asyncio.SubprocessProtocol):
    """Keeps the end of stdout and the beginning of stderr. `ended` is done when the program is, pipes and all."""

    def __init__(self) -> None:
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.errors = b""
        self._chunks: deque[bytes] = deque()
        self._size = 0

    @property
    def text(self) -> bytes:
        return b"".join(self._chunks)[-MAX_BYTES:]

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == 2:
            self.errors += data[: _MAX_REASON - len(self.errors)]
            return
        self._chunks.append(data)
        self._size += len(data)
        while self._size - len(self._chunks[0]) >= MAX_BYTES:
            self._size -= len(self._chunks.popleft())

    def connection_lost(self, _error: Exception | None) -> None:
        if not self.ended.done():
            self.ended.set_result(None)
