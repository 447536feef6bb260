"""Which parts of a session's output are prompts and what was typed at them: no program printed those."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

from terma.sessions.ring import Readable

_MOST = 4096


class Spans:
    """The hidden stretches of a store, oldest first; the last one may be open."""

    def __init__(self, store: Readable, *, hidden: bool) -> None:
        self._store = store
        self.count = 0  # of all that were ever closed
        self._closed: deque[tuple[int, int]] = deque(maxlen=_MOST)
        self._open: int | None = store.end if hidden else None

    @property
    def hidden(self) -> bool:
        """Whether what comes now is hidden."""
        return self._open is not None

    def hide(self) -> None:
        if self._open is None:
            self._open = self._store.end

    def show(self, at: int | None = None) -> None:
        """What comes now is seen, or what stands from offset `at` on, which is in the open one."""
        if self._open is not None:
            self._closed.append((self._open, self._store.end if at is None else at))
            self.count += 1
            self._open = None

    def newest(self, count: int) -> list[tuple[int, int]]:
        """The last `count` that were closed, oldest first."""
        return list(self._closed)[max(len(self._closed) - count, 0) :] if count > 0 else []

    @property
    def open(self) -> int | None:
        """Where the one begins that is open."""
        return self._open

    def go_on(self, closed: Iterable[Sequence[int]], open_: int | None) -> None:
        """As another one was: its `newest` and `open`."""
        self._closed.extend((int(first), int(last)) for first, last in closed)
        self._open = open_

    def printed(self, at: int, limit: int, until: int) -> tuple[bytes, int]:
        """What is not hidden from offset `at` on and before `until`, at most `limit` bytes; where to go on."""
        store = self._store
        end = min(store.end if self._open is None else self._open, until)
        for first, last in self._closed:
            if first <= at < last:
                at = last
            elif at < first:
                end = min(end, first)
                break
        if at >= end:
            return b"", at
        at = max(at, store.start)
        data = store.read(at, min(limit, end - at))
        return data, at + len(data)
