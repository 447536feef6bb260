"""Whose process is at the other end of a unix socket: sessions are their person's alone."""

from __future__ import annotations

import os
import socket
import struct
import sys


def peer_uid(connection: socket.socket) -> int:
    """The effective user of the process at the other end (SO_PEERCRED; LOCAL_PEERCRED on macOS and BSD).

    Raises OSError when the system does not say."""
    if sys.platform == "linux":
        _, uid, _ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
        return int(uid)
    # struct xucred of sys/ucred.h: version, uid, number of groups, 16 groups; SOL_LOCAL is 0, LOCAL_PEERCRED
    # is 1.
    _, uid = struct.unpack("2I", connection.getsockopt(0, 1, 76)[:8])
    return int(uid)


def peer_pid(connection: socket.socket) -> int:
    """The process at the other end, or the one that listens there; 0 where the system does not say."""
    try:
        if sys.platform == "linux":
            return int(
                struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0]
            )
        return int(struct.unpack("i", connection.getsockopt(0, 2, 4))[0])  # LOCAL_PEERPID
    except (OSError, struct.error):
        return 0


def is_ours(connection: socket.socket) -> bool:
    """Whether the process at the other end is this person's."""
    try:
        return peer_uid(connection) == os.geteuid()
    except OSError:
        return False
