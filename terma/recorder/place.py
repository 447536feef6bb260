"""Where a recording is reached: a socket in the runtime directory, named after its recorder and its nonce."""

from __future__ import annotations

import os
from pathlib import Path

from terma.errors import UnsafePath
from terma.paths import MAX_SOCKET_PATH, make_runtime, runtime_dir

PREFIX, SUFFIX = "rec-", ".sock"


def socket_for(nonce: str) -> Path:
    """`rec-PID-NONCE.sock`, so that the path alone tells the shell both. Makes the directory. Raises UnsafePath."""
    directory = runtime_dir()
    make_runtime(directory)
    path = directory / f"{PREFIX}{os.getpid()}-{nonce}{SUFFIX}"
    if len(os.fsencode(path)) > MAX_SOCKET_PATH:
        raise UnsafePath(
            f"the socket path is longer than {MAX_SOCKET_PATH} bytes: {path}",
            "set TERMA_SOCKET to a shorter path",
        )
    return path
