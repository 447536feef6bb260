"""Joins stdin and stdout to a unix socket, for a bash that finds no nc with -U and no socat.

Run as `python -I -S -c TEXT SOCKET`; the few imports are what makes it start fast. The write half stays open:
the agent takes its end for a cancel.
"""

import posix
import sys
from _socket import AF_UNIX, SOCK_STREAM, socket

try:
    peer = socket(AF_UNIX, SOCK_STREAM)
    peer.connect(sys.argv[1])
    while data := posix.read(0, 65536):
        peer.sendall(data)
    while data := peer.recv(65536):
        while data:
            data = data[posix.write(1, data) :]
except OSError:
    sys.exit(1)
