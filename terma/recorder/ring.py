"""Keeps what the last commands printed within fixed bounds: the first and the last part of each, in memory only."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from terma.marks import ENTER, AltScreen, Mark

HEAD = 64 * 1024  # bytes of a command's output that are kept from its beginning
TAIL = 192 * 1024  # and from its end
COMMANDS = 50
TOTAL = 4 * 1024 * 1024  # bytes of all finished commands together
NESTED = 16  # shells inside shells, each with a command that runs
_LONGEST_EOL_MARK = 256  # bytes, with its colours
_SP_END = re.compile(rb"( +)\r( *)\r\Z")
_SGR = re.compile(rb"(?:\x1b\[[0-9;]*[mK]|\x1b\([0B]|\x0f)*\Z")
_CHARACTER = re.compile(rb"[\x20-\x7e\xc2-\xf4][\x80-\xbf]*\Z")


@dataclass(slots=True)
class Command:
    """One command's output as it grows. `owner` is the pid of the shell that runs it."""

    owner: bytes
    text: bytes | None = None
    cwd: bytes = b""
    status: int | None = None
    running: bool = True
    alt_screen: bool = False
    columns: int = 0
    _head: bytearray = field(default_factory=bytearray)
    _tail: bytearray = field(default_factory=bytearray)  # a ring of TAIL bytes once the head is full
    _past_head: int = 0  # bytes that came after it

    def write(self, data: bytes) -> None:
        """Append output. The ring is never moved or grown: that took half of the time of a flood."""
        if not self._tail:
            room = HEAD - len(self._head)
            self._head += data[:room]
            if len(data) <= room:
                return
            data = data[room:]
            self._tail = bytearray(TAIL)
        if len(data) > TAIL:
            self._past_head += len(data) - TAIL
            data = data[-TAIL:]
        at = self._past_head % TAIL
        self._past_head += len(data)
        end = at + len(data)
        if end <= TAIL:
            self._tail[at:end] = data
        else:  # around the corner
            room = TAIL - at
            self._tail[at:] = data[:room]
            self._tail[: len(data) - room] = data[room:]

    @property
    def is_empty(self) -> bool:
        """Whether nothing was printed."""
        return not self._head and not self.alt_screen

    @property
    def dropped(self) -> int:
        """Bytes that stood between the two parts."""
        return max(0, self._past_head - TAIL)

    @property
    def size(self) -> int:
        return len(self._head) + len(self._tail) + len(self.text or b"") + len(self.cwd)

    def output(self) -> bytes:
        """Both parts, with a line between them that counts what is missing."""
        lost, at = self.dropped, self._past_head % TAIL
        if not lost:
            whole = bytes(self._head + self._tail[: self._past_head])
        else:
            between = f"\r\n… {lost} bytes dropped …\r\n".encode()
            whole = b"".join((self._head, between, self._tail[at:], self._tail[:at]))
        return whole if self.running else without_prompt_sp(whole, self.columns)

    def as_dict(self) -> dict[str, Any]:
        """What the socket says of it."""
        return {
            "command": None if self.text is None else self.text.decode("utf-8", "replace"),
            "status": self.status,
            "cwd": self.cwd.decode("utf-8", "replace"),
            "output": self.output().decode("utf-8", "replace"),
            "dropped": self.dropped,
            "running": self.running,
            "alt_screen": self.alt_screen,
        }


class Ring:
    """The finished commands, oldest out first, and those that still run, the innermost last."""

    def __init__(self) -> None:
        self.finished: deque[Command] = deque()
        self.running: list[Command] = []
        self.columns = 0  # of the terminal now; the session keeps it up to date
        self._alternate = False
        self._total = 0

    def write(self, data: bytes) -> None:
        """Output without a mark: the innermost running command's, unless it has the alternate screen."""
        if self.running and not self._alternate:
            self.running[-1].write(data)

    def take(self, parts: Iterable[bytes | Mark | AltScreen]) -> None:
        """What a Scanner found."""
        for part in parts:
            if isinstance(part, bytes):
                self.write(part)
            elif isinstance(part, Mark):
                self._mark(part)
            else:
                self._alternate = part is ENTER
                if self.running and self._alternate:
                    self.running[-1].alt_screen = True

    def last(self, count: int) -> list[dict[str, Any]]:
        """At most `count` commands, in the order in which they ended, then those that run."""
        everything = [*self.finished, *self.running]
        return [command.as_dict() for command in islice(everything, max(0, len(everything) - count), None)]

    def _mark(self, mark: Mark) -> None:
        owner = mark.fields.get("aid", b"")
        if mark.letter == "C":
            self._begin_again(owner)
            self._close(owner, None, {})
            self._alternate = False
            self.running.append(Command(owner))
            self._describe(self.running[-1], mark.fields)
            if len(self.running) > NESTED:
                self._finish(self.running.pop(0))
        elif mark.letter == "D":
            self._close(owner, mark.status, mark.fields)
        elif mark.letter == "A":  # a prompt while its command "runs": the shell was replaced (exec zsh)
            self._close(owner, None, {})

    def _begin_again(self, owner: bytes) -> None:
        """Forget a command of this shell that a second beginning follows at once: one line that bash takes for two (an
        alias of two lines) prints the mark for each, and has one end."""
        if self.running and self.running[-1].owner == owner:
            last = self.running[-1]
            if last.text is None and last.is_empty:
                self.running.pop()

    def _close(self, owner: bytes, status: int | None, fields: dict[str, bytes]) -> None:
        """End the command of this shell, and with it what ran inside it and never said so."""
        while any(command.owner == owner for command in self.running):
            command = self.running.pop()
            if command.owner == owner:
                command.status = status
                self._describe(command, fields)
            self._finish(command)

    def _describe(self, command: Command, fields: dict[str, bytes]) -> None:
        command.text = fields.get("cmdline_url", command.text)
        command.cwd = fields.get("cwd_url", command.cwd)

    def _finish(self, command: Command) -> None:
        command.running, command.columns = False, self.columns
        self.finished.append(command)
        self._total += command.size
        while len(self.finished) > COMMANDS or self._total > TOTAL:
            self._total -= self.finished.popleft().size


def without_prompt_sp(output: bytes, columns: int) -> bytes:
    """`output` without what zsh prints before its hooks run, to find out whether a line was left unfinished.

    That is PROMPT_EOL_MARK (an inverse % or #), blanks to the end of the line, CR, as many blanks as the mark is
    wide, CR (Src/utils.c, preprompt)."""
    found = _SP_END.search(output, max(0, len(output) - 2 * columns - 8))
    if columns <= 0 or found is None:
        return output
    width = len(found[2])
    blanks = columns - width
    if not blanks - 1 <= len(found[1]) <= blanks + 1:  # a terminal that wraps early gets one less
        return output
    start = max(0, found.start() - _LONGEST_EOL_MARK)
    mark = output[start : found.start()]
    for _ in range(width):
        mark = _SGR.sub(b"", mark)
        character = _CHARACTER.search(mark, max(0, len(mark) - 4))
        if character is None:
            return output
        mark = mark[: character.start()]
    return output[:start] + (_SGR.sub(b"", mark) if width else mark)
