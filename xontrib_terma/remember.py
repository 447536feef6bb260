"""Remembers the last command: text, exit status, duration, directory, and what Python printed of it.

xonsh tells of every command but those that do not compile; these are seen by a line that was accepted and then never
began. A subprocess prints past xonsh, so its output is the terminal's to tell; Python's own is here, with its
traceback.
"""

from __future__ import annotations

import os
import re
import sys
import time
from typing import Any

OWN = ("?why", "_terma_why", "_terma_say", "terma")  # a question is not what is asked about
# terma, also behind a variable that is set for it, what runs it or its folder
_BEHIND = re.compile(
    r"\s*(?:(?:\$?[A-Za-z_]\w*=\S*|command|time|nice|env)\s+)*"
    r"(?:\S*/)?(?:python[\d.]*\s+-m\s+)?terma(?:\s+(?P<words>.*))?\Z",
    re.DOTALL,
)
MAX_OUTPUT = 16_000  # code points, the last ones
INTERRUPTED = 130


class Memory:
    """`status` is -1 while nothing is known; `duration` is in microseconds; `output` is Python's, "" when none."""

    def __init__(self, xsh: Any) -> None:
        self._xsh = xsh
        self.command, self.status, self.duration, self.directory = "", -1, 0, ""
        self.statuses: tuple[int, ...] = ()  # of the commands of its last pipeline
        self._pipeline: Any = None  # the last one before it began
        self.output, self.raised = "", False
        self.missing = False  # it was no command: xonsh's status for that is 1, and tells nobody
        self._misses = False  # the same of what runs
        self._is_fresh = False
        self.unfixable = False  # the agent knows no fix of that
        self.answered = False  # a conversation was asked since: its answer may hold a command
        self._typed: str | None = None  # a line that was accepted and has not begun
        self._from = ""

    @property
    def has_failed(self) -> bool:
        """Whether there is something to mend: a command that the person ended with ^C has not failed."""
        return self.status > 0 and self.status not in (INTERRUPTED, 148) and not self.unfixable

    def has_just_failed(self) -> bool:
        """The same for the first who asks behind a command."""
        fresh, self._is_fresh = self._is_fresh, False
        return fresh and self.has_failed

    def accepted(self) -> None:
        """A line was accepted; its text follows."""
        self._typed = ""

    def read(self, line: str) -> None:
        """The line, as it is about to be compiled. Called more than once for each; the first is what was typed."""
        if self._typed == "":
            self._typed = line

    def begin(self, line: str) -> bool:
        """It compiled and begins. Whether it is a command and not a question to us."""
        self._typed, self._misses = None, False
        self._from = _here()
        self._pipeline = getattr(self._xsh, "lastcmd", None)
        return not is_ours(line)

    def miss(self) -> None:
        """A name on the line that runs is no command."""
        self._misses = True

    def end(self, line: str, status: int | None, output: str | None, times: list[float]) -> None:
        """It has ended. `status` as xonsh has it: None after a ^C in Python, negative for a signal."""
        if is_ours(line):
            self.answered = self.answered or asks_a_conversation(line)
            return
        error = _raised()
        self._note(line, _exit_status(status, error), round((times[1] - times[0]) * 1e6), self._from)
        self.statuses = self._ended()
        self.missing = self._misses
        self.output = (output or "")[-MAX_OUTPUT:]
        if isinstance(error, Exception) and not _is_of_the_shell(error):
            self.raised = True
            self.output = _traceback(error)[-MAX_OUTPUT:]

    def settle(self) -> bool:
        """At a new prompt: whether the line before it did not compile, which is then the last command."""
        line, self._typed = self._typed, None
        if not line or not line.strip() or is_ours(line):
            return False
        try:
            self._xsh.execer.compile(line, mode="single", glbs=self._xsh.ctx, locs=None, filename="<xonsh>")
        except Exception as error:
            self._note(line, 1, 0, _here())
            self.output, self.raised = f"{type(error).__name__}: {error}"[-MAX_OUTPUT:], True
            return True
        return False  # a comment

    def _ended(self) -> tuple[int, ...]:
        """How each command of the pipeline that just ran ended; () where none ran, or xonsh does not tell."""
        ran = getattr(self._xsh, "lastcmd", None)
        codes = [] if ran is None or ran is self._pipeline else getattr(ran, "pipestatus", [])
        return (
            tuple(_exit_status(code, None) for code in codes)
            if all(isinstance(c, int) for c in codes)
            else ()
        )

    def _note(self, line: str, status: int, duration: int, directory: str) -> None:
        self.command, self.status = line.strip("\n"), status
        self.duration, self.directory = duration, directory
        self.output, self.raised, self.unfixable, self.statuses = "", False, False, ()
        self.answered = "|" in line and is_ours(line.rpartition("|")[2])
        self.missing, self._is_fresh = False, True


def is_ours(line: str) -> bool:
    """Whether a command line asks terma."""
    word = line.split(maxsplit=1)[:1]
    named = bool(word) and (word[0] in OWN or word[0].startswith("?why"))
    return named or ("terma" in line and _BEHIND.match(line) is not None)


def asks_a_conversation(line: str) -> bool:
    """Whether it is a question in words, and no other command of terma's."""
    found = _BEHIND.match(line)
    first = ((found["words"] if found else None) or "").split(maxsplit=1)[:1] or [""]
    return found is not None and (first[0] in ("", "ask", "chat") or first[0][0] in "-\"'")


def _exit_status(status: int | None, error: BaseException | None) -> int:
    if isinstance(error, KeyboardInterrupt):
        return INTERRUPTED
    if status is None:
        return 0 if error is None else 1
    return 128 - status if status < 0 else status


def _raised() -> BaseException | None:
    """What the command raised. xonsh hands it to nobody, but calls us from the function that holds it."""
    frame = sys._getframe(1)
    for _ in range(12):
        if frame.f_back is None:
            return None
        frame = frame.f_back
        if frame.f_code.co_name == "default" and "exc_info" in frame.f_locals:
            error = frame.f_locals["exc_info"][1]
            return error if isinstance(error, BaseException) else None
    return None


def _is_of_the_shell(error: BaseException) -> bool:
    """xonsh's own errors (command not found, a failed command) say all in what they print."""
    return type(error).__name__ in (
        "XonshError",
        "CalledProcessError",
        "XonshCalledProcessError",
        "SystemExit",
    )


def _traceback(error: BaseException) -> str:
    """The traceback without xonsh's own frames, as Python prints it."""
    import traceback

    here = traceback.TracebackException.from_exception(error, limit=-30)
    inside = [frame for frame in here.stack if f"{os.sep}xonsh{os.sep}" not in frame.filename]
    here.stack = traceback.StackSummary.from_list(inside)
    return "".join(here.format())


def _here() -> str:
    try:
        return os.getcwd()  # noqa: PTH109 a string, and no import of pathlib
    except OSError:
        return ""


def now() -> float:
    """Seconds of a clock that never goes back."""
    return time.monotonic()
