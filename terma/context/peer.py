"""One question and its answer over a unix socket that must be the same person's."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import stat
import struct
from pathlib import Path

from terma.errors import TermaError, UnsafePath
from terma.paths import check_private

_CHUNK = 256 * 1024  # bytes


async def ask(address: str, question: bytes, *, end: bytes = b"", limit: int, private: bool = False) -> bytes:
    """What the socket `address` answers to `question`, up to `end` (which is included) or, without one, up to the end
    of the stream. An address that begins with NUL is an abstract one (Linux).

    Raises UnsafePath unless socket and listener are ours, and with `private` its folder closed to everyone else;
    TermaError when the answer is longer than `limit` bytes; OSError when nothing listens."""
    if not address.startswith("\0"):
        _check(Path(address), private)
    loop = asyncio.get_running_loop()
    with socket.socket(socket.AF_UNIX) as line:
        line.setblocking(False)
        await loop.sock_connect(line, address)
        _check_listener(line, address)
        await loop.sock_sendall(line, question)
        answer = bytearray()
        while chunk := await loop.sock_recv(line, _CHUNK):
            answer += chunk
            if len(answer) > limit:
                raise TermaError(f"more than {limit // 1024 // 1024} MB of text", "clear the scrollback")
            if end and answer.endswith(end):
                break
    return bytes(answer)


def _check(path: Path, private: bool) -> None:
    info = path.lstat()
    if not stat.S_ISSOCK(info.st_mode):
        raise UnsafePath(f"{path} is no socket")
    if info.st_uid != os.geteuid():
        raise UnsafePath(f"{path} belongs to another user")
    if private:
        check_private(path.parent)


def _check_listener(line: socket.socket, address: str) -> None:
    """On Linux the kernel names who listens; elsewhere the file's owner, checked before, is what is known."""
    if hasattr(socket, "SO_PEERCRED"):
        with contextlib.suppress(struct.error):
            _pid, uid, _gid = struct.unpack("3i", line.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
            if uid != os.geteuid():
                raise UnsafePath(f"another user listens on {address.lstrip(chr(0))}")
