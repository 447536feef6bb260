"""Takes a shell's output as it comes: to whoever shows it, and the first and last of it for the text afterwards."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

HEAD = 256 * 1024  # bytes
TAIL = 768 * 1024
_BLOCK = 32 * 1024


class Capture:
    """A terma.sessions.ring.Store that keeps the output of one command, between `begin` and `end`."""

    def __init__(self) -> None:
        self.shown: Callable[[bytes], None] = _nobody
        self.hidden: Callable[[], bool] = bool  # whether it is a prompt that comes
        self.taking = False
        self._offset = 0
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._kept = 0  # bytes of the tail
        self._seen = 0

    def begin(self) -> None:
        """A command was entered: forget the last one's output."""
        self._head.clear()
        self._tail.clear()
        self._kept = self._seen = 0
        self.taking = True

    def taken(self) -> tuple[bytes, bytes, int]:
        """The beginning, the end, and how many bytes between them were dropped; it begins anew."""
        head, tail, dropped = bytes(self._head), b"".join(self._tail), self._seen - self._kept
        dropped -= len(head)
        self._head.clear()
        self._tail.clear()
        self._kept = self._seen = 0
        return head, tail, dropped

    def drop_line(self) -> None:
        """Forget what was taken behind the last newline."""
        text = self._tail.pop() if self._tail else bytes(self._head)
        kept = text[: text.rfind(b"\n") + 1]
        if self._head and not self._kept:
            self._head[:] = kept
        else:
            self._tail.append(kept)
            self._kept -= len(text) - len(kept)
        self._seen -= len(text) - len(kept)

    # what a session asks of its store

    @property
    def start(self) -> int:
        return self._offset

    @property
    def end(self) -> int:
        return self._offset

    def write(self, data: bytes) -> None:
        self._offset += len(data)
        if not self.taking or self.hidden():
            return
        self.shown(data)
        self._seen += len(data)
        room = HEAD - len(self._head)
        if room > 0 and not self._tail:
            self._head += data[:room]
            data = data[room:]
        if not data:
            return
        if self._tail and len(self._tail[-1]) + len(data) <= _BLOCK:
            self._tail[-1] += data
        else:
            self._tail.append(data)
        self._kept += len(data)
        while self._kept - len(self._tail[0]) >= TAIL:
            self._kept -= len(self._tail.popleft())

    def read(self, at: int, limit: int) -> bytes:
        return b""  # it was passed on

    def clear(self) -> None:
        pass

    def finish(self) -> None:
        pass

    def remove(self) -> None:
        pass

    def leave(self) -> None:
        pass


def _nobody(_: bytes) -> None:
    pass
