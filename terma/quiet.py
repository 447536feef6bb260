"""Whether a key is an answer: what was typed before a question could be read was meant for something else.

Everything in terma that asks a person asks through here. What waits unread is thrown away, then nothing may be typed
for QUIET seconds; only then the question shows how it is answered, and takes it.
"""

from __future__ import annotations

import os
import select
import sys
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TextIO

QUIET = 0.5  # seconds in which nobody typed: less than anybody needs to read a question and to answer it
ALONE = 0.15  # seconds behind a key in which more of the same word comes, where it belongs to one
EARLY = "(what was typed before you could read this counts for nothing)"
STOP = (b"\x03", b"\x04")  # Ctrl+C, Ctrl+D: to stop is never too early


@dataclass
class Quiet:
    """How long it has been quiet. `seconds` before an answer, and `alone` behind each of its keys; `early` counts what
    was typed too soon and dropped; `clock` is in seconds."""

    seconds: float = QUIET
    alone: float = ALONE
    clock: Callable[[], float] = time.monotonic
    early: int = 0
    _since: float = field(init=False)

    def __post_init__(self) -> None:
        self.drawn()

    def drawn(self) -> None:
        """The question stands there now, all of it."""
        self._since = self.clock()

    def heard(self) -> None:
        """Something was typed that is no answer: whoever types is busy with something else."""
        self.early += 1
        self._since = self.clock()

    @property
    def left(self) -> float:
        """Seconds until an answer counts; 0 when it does."""
        return max(self._since + self.seconds - self.clock(), 0.0)


def settle(quiet: Quiet, read: Callable[[float], bytes | None]) -> bytes | None:
    """Drop what comes until it has been quiet for long enough: None then. `read` waits so many seconds for keys: None
    when there were none, b"" at the end of the input. What ended it: b"", or the keys that begin with Ctrl+C or
    Ctrl+D."""
    while (left := quiet.left) > 0:
        keys = read(left)
        if keys is None:
            continue
        if keys[:1] in (b"", *STOP):
            return keys
        quiet.heard()
    return None


def flush(handle: int) -> None:
    """Throw away what was typed and not read."""
    with suppress(termios.error, OSError):
        termios.tcflush(handle, termios.TCIFLUSH)


@contextmanager
def unseen(handle: int) -> Iterator[None]:
    """Keys one by one and without their echo; what was typed before is thrown away. A terminal that is gone is left
    as it is: reading says so."""
    try:
        before = termios.tcgetattr(handle)
    except (termios.error, OSError):
        yield
        return
    wanted = [*before[:6], list(before[6])]
    wanted[3] &= ~(termios.ICANON | termios.ECHO | termios.ISIG | termios.IEXTEN)
    wanted[6][termios.VMIN], wanted[6][termios.VTIME] = 1, 0
    with suppress(termios.error, OSError):
        termios.tcsetattr(handle, termios.TCSAFLUSH, wanted)
    try:
        yield
    finally:
        with suppress(termios.error, OSError):  # FLUSH: what came in the last instant was no answer either
            termios.tcsetattr(handle, termios.TCSAFLUSH, before)


def keys_of(handle: int) -> Callable[[float], bytes | None]:
    """A `read` for `settle`: what is typed on the terminal `handle`."""

    def read(seconds: float) -> bytes | None:
        if not select.select([handle], [], [], seconds)[0]:
            return None
        try:
            return os.read(handle, 4096)
        except OSError:
            return b""

    return read


def yes(question: str, *, usual: bool = False) -> bool:
    """Whether the person at standard input and output says yes to `question`; `usual` is what Enter alone means.

    False where nobody is there, at the end of the input, and on Ctrl+D. Raises KeyboardInterrupt on Ctrl+C."""
    answer = line(question, "[Y/n] " if usual else "[y/N] ")
    if answer is None:
        return False
    word = answer.strip().lower()
    return usual if not word else word in ("y", "yes")


def line(question: str, prompt: str) -> str | None:
    """One line from the person who has read `question`; `prompt` appears when it may be typed. None where nobody is
    there. Raises KeyboardInterrupt."""
    out = next((stream for stream in (sys.stdout, sys.stderr) if stream.isatty()), None)
    if out is None or not sys.stdin.isatty():
        return None
    handle = sys.stdin.fileno()
    print(_fitted(question, _columns(out), len(prompt) + 2), end=" ", file=out, flush=True)
    with unseen(handle):
        quiet = Quiet()
        stopped = settle(quiet, keys_of(handle))
    if stopped is not None:
        print(file=out)
        if stopped[:1] == STOP[0]:
            raise KeyboardInterrupt
        return None
    print(f"\n{EARLY}\n{prompt}" if quiet.early else prompt, end="", file=out, flush=True)
    try:
        typed = os.read(handle, 4096)  # of a terminal one line; what stands behind it answers nothing
    except OSError:
        typed = b""
    return typed.decode("utf-8", "replace") if typed else None


def _columns(out: TextIO) -> int:
    """How wide the terminal is; 80 where it does not say."""
    with suppress(OSError, ValueError):
        return os.get_terminal_size(out.fileno()).columns or 80
    return 80


def _fitted(question: str, columns: int, behind: int) -> str:
    """`question` in lines that break between words, with room for `behind` columns after the last. What is indented is
    a line to be read as it is."""
    from textwrap import fill

    def broken(line: str) -> str:
        if line[:1].isspace() or len(line) < columns:
            return line
        return fill(line, max(columns - 1, 20), break_on_hyphens=False, break_long_words=False)

    room = "\0" * behind
    return "\n".join(map(broken, f"{question} {room}".split("\n"))).removesuffix(room).removesuffix(" ")
