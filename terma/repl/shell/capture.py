"""Takes a shell's output as it comes: to whoever shows it, and the first and last of it for the text afterwards."""

from __future__ import annotations

import re
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from terma.output import plain
from terma.sessions import prompts

HEAD = 256 * 1024  # bytes
TAIL = 768 * 1024
_BLOCK = 32 * 1024
_PROMPT = 8 * 1024  # bytes of prompts, for what is said there
_PROMPT_SECONDS = 0.3  # until a prompt has been drawn
_BETWEEN = 16 * 1024  # bytes of programs in the background
_TRACE = re.compile(r"^\+.*_terma_session.*$\n?", re.M)  # what set -x tells of our own hooks
_COMPLAINT = re.compile(r"^-?(?:bash|zsh|fish): .*\Z", re.M | re.S)


@dataclass(frozen=True, slots=True)
class Taken:
    """The first and last bytes of an output, and how many there were between them that are gone."""

    head: bytes
    tail: bytes
    dropped: int

    def text(self, columns: int, rows: int) -> tuple[str, int]:
        """What a terminal of that size showed of it, with a line in the place of the middle where that is missing; and
        how many bytes are."""
        if not self.dropped:
            return _text(self.head + self.tail, columns, rows), 0
        first = self.head.rpartition(b"\n")[0] or self.head
        last = self.tail.partition(b"\n")[2] or self.tail
        dropped = self.dropped + len(self.head) - len(first) + len(self.tail) - len(last)
        return (
            f"{_text(first, columns, rows)}\n[... {dropped} bytes ...]\n{_text(last, columns, rows)}",
            dropped,
        )


class Capture:
    """A terma.sessions.ring.Store that keeps the output of one command, between `begin` and `end`."""

    def __init__(self) -> None:
        self._show: Callable[[bytes], None] = _nobody
        self.hidden: Callable[[], bool] = bool  # whether it is a prompt that comes
        self.taking = False
        self._offset = 0
        self._last = b""  # the end of all that came
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._kept = 0  # bytes of the tail
        self._seen = 0
        self._taken = Taken(b"", b"", 0)  # the latest that was taken
        self._prompt = b""  # the latest of what was hidden
        self._revealed = False
        self._prompt_since = 0.0
        self._between = b""
        self._complaint: bytes | None = None  # it, when the line that was entered had come to its end

    @contextmanager
    def revealed(self) -> Iterator[None]:
        """Show what is hidden as well, from the latest on."""
        self._show(self._prompt)
        self._revealed = True
        try:
            yield
        finally:
            self._revealed = False

    def begin(self) -> None:
        """A command was entered: forget the last one's output."""
        self._forget()
        self._prompt, self._complaint = b"", None
        self.taking = True

    def refused(self) -> None:
        """The line that was entered came to an end, or stands there still, and it may never have begun."""
        if self._complaint is None:
            self._complaint = b"" if self._seen else self._prompt

    def complaint(self) -> str:
        """What the shell said of a line that it could not read: it did so before there was any output."""
        found = _COMPLAINT.search(plain((self._complaint or b"").decode("utf-8", "replace")))
        return found[0].strip() if found else ""

    @contextmanager
    def shown_to(self, show: Callable[[bytes], None]) -> Iterator[None]:
        """Hand the output to `show` as it comes."""
        self._show = show
        try:
            yield
        finally:
            self._show = _nobody

    def taken(self) -> Taken:
        """What was kept of the output; it begins anew."""
        dropped = self._seen - self._kept - len(self._head)
        kept = Taken(bytes(self._head), b"".join(self._tail), dropped)
        self._forget()
        self._taken = kept
        return kept

    def latest(self) -> bytes:
        """The end of all that was printed, as the terminal got it: who takes the shell over goes on from there."""
        if self.taking:
            return (bytes(self._head) if not self._kept else b"") + b"".join(self._tail)
        return (self._taken.tail or self._taken.head) + self._between + self._prompt

    def at_prompt(self) -> None:
        """The shell is there again: what comes now is the prompt's, or of programs in the background."""
        self.taking = False
        self._prompt_since = time.monotonic()

    def between(self) -> str:
        """What programs in the background printed while no command ran, once."""
        text = plain(self._between.decode("utf-8", "replace"))
        self._between = b""
        return text

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

    def _forget(self) -> None:
        self._head.clear()
        self._tail.clear()
        self._kept = self._seen = 0

    # what a session asks of its store

    @property
    def start(self) -> int:
        return self._offset - len(self._last)

    @property
    def end(self) -> int:
        return self._offset

    def write(self, data: bytes) -> None:
        self._offset += len(data)
        self._last = (self._last + data)[-prompts.TAIL :]
        if not self.taking or self.hidden():
            self._aside(data)
            return
        self._show(data)
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

    def _aside(self, data: bytes) -> None:
        """What is no output of the command: the prompt, and, when that is there, what jobs in the background say."""
        if self._revealed:
            self._show(data)
        if self.hidden() or time.monotonic() < self._prompt_since + _PROMPT_SECONDS:
            self._prompt = (self._prompt + data)[-_PROMPT:]
        elif b"\x1b" not in data:  # a prompt that is drawn late moves the cursor about
            self._between = (self._between + data)[-_BETWEEN:]

    def read(self, at: int, limit: int) -> bytes:
        """From offset `at` on, as far as it is still here: what came before was passed on."""
        begin = max(at - self.start, 0)
        return self._last[begin : begin + limit]

    def clear(self) -> None:
        pass

    def finish(self) -> None:
        pass

    def remove(self) -> None:
        pass

    def leave(self) -> None:
        pass

    @property
    def behind(self) -> bool:
        return False


def _text(data: bytes, columns: int, rows: int) -> str:
    text = plain(data.decode("utf-8", "replace"), columns, rows)
    return _TRACE.sub("", text).rstrip() if "_terma_session" in text else text


def _nobody(_: bytes) -> None:
    pass
