"""Matches regular expressions on what programs print, within a bound of time: some would go on for ever.

Python's matcher backtracks, and holds up its whole process meanwhile. Expressions that cannot take long (no
repetition, no alternative) are matched here; all others in a child, which is ended when it takes too long.
"""

from __future__ import annotations

import codecs
import json
import re
import select
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from terma.errors import TermaError, UsageError
from terma.sessions.echo import Echo
from terma.text import strip_ansi

if TYPE_CHECKING:
    import subprocess

SECONDS = 5.0  # for one look at one text
_START = 20.0  # seconds that the child may take to be there
_WINDOW = 16 * 1024  # characters that a match in a stream may span
_CHILD = Path(__file__).with_name("_matcher.py")
_ENDS = re.compile(r"\r+\n?")
_SLOW = re.compile(r"[*+?{|]|\(\?|\\[1-9]")


class Matcher:
    """One expression. Close it, or use it as a context manager. Raises UsageError for one that is wrong."""

    def __init__(self, expression: str, ignore_case: bool = False, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._expression = expression
        self._child: subprocess.Popen[bytes] | None = None
        flags = re.MULTILINE | (re.IGNORECASE if ignore_case else 0)
        if not _SLOW.search(expression):
            try:
                self._fast = re.compile(expression, flags)
            except re.error as error:
                raise _wrong(expression, str(error)) from error
            return
        import subprocess  # few expressions need a child, and every command would wait for this

        self._child = subprocess.Popen(
            [sys.executable, "-I", "-S", str(_CHILD)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        wrong = self._ask([int(flags), expression], max(seconds, _START))
        if wrong is not None:
            self.close()
            raise _wrong(expression, str(wrong))

    def search(self, text: str) -> bool:
        """Whether it is found anywhere. Raises TermaError when that takes too long."""
        return bool(self.lines([text]))

    def lines(self, lines: list[str]) -> list[int]:
        """The numbers (from 0) of those in which it is found. Raises TermaError when that takes too long."""
        if self._child is None:
            return [number for number, line in enumerate(lines) if self._fast.search(line)]
        return list(self._ask(lines, self._seconds))

    def close(self) -> None:
        """End the child."""
        if self._child is not None:
            self._child.kill()
            self._child.wait()
            for pipe in (self._child.stdin, self._child.stdout):
                with suppress(OSError):  # what it has not read
                    if pipe is not None:
                        pipe.close()

    def _ask(self, value: Any, seconds: float) -> Any:
        assert self._child is not None and self._child.stdin is not None and self._child.stdout is not None
        deadline = time.monotonic() + seconds
        answer = b""
        try:
            self._child.stdin.write(json.dumps(value).encode() + b"\n")
            self._child.stdin.flush()
            while not answer.endswith(b"\n"):
                left = deadline - time.monotonic()
                if left <= 0 or not select.select([self._child.stdout], [], [], left)[0]:
                    raise TimeoutError
                piece = self._child.stdout.read1(65536)  # type: ignore[attr-defined]
                if not piece:
                    raise BrokenPipeError
                answer += piece
        except (BrokenPipeError, TimeoutError) as error:
            self.close()
            raise TermaError(
                f"{self._expression!r} takes longer than {seconds:g} s to match this output",
                "a repetition inside a repetition, such as (a+)+, is what takes so long",
            ) from error
        return json.loads(answer)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self.close()


def _wrong(expression: str, reason: str) -> UsageError:
    return UsageError(f"{expression!r} is no regular expression: {reason}", "escape . * + ? ( ) [ ] { } |")


class Pattern:
    """A regular expression over a stream, with escape sequences taken out. Close it. Raises UsageError."""

    def __init__(self, expression: str) -> None:
        self._matcher = Matcher(expression)
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._text = ""

    def feed(self, data: bytes) -> bool:
        """Whether it is found in what came so far, where a row that is written anew begins a line: bash goes back to
        the first column before a command prints. Raises TermaError when to say so takes too long."""
        self._text = (self._text + self._decode(data))[-_WINDOW - len(data) :]
        return self._matcher.search(_ENDS.sub("\n", strip_ansi(self._text)))

    def close(self) -> None:
        self._matcher.close()


class BehindEcho:
    """A pattern that does not see what comes back of `typed`."""

    def __init__(self, pattern: Pattern, typed: str) -> None:
        self._pattern, self._typed = pattern, typed
        self._echo = Echo(typed)

    def stands(self, row: bytes) -> None:
        """What stood before the output in its row; said before anything is fed."""
        self._echo = Echo(self._typed, row)

    def feed(self, data: bytes) -> bool:
        """As Pattern does."""
        shown = self._echo.filter(data)
        return bool(shown) and self._pattern.feed(shown)
