"""A bounded log that never hurts: what the agent did, without what anyone typed.

Words of the user and answers of an engine are written only under TERMA_DEBUG=1, of the agent or of who asks. A full
disk, a missing directory or a file of someone else costs the line and nothing more; `problem` says so to `terma agent
status`.
"""

from __future__ import annotations

import os
import sys
import time
import traceback
from pathlib import Path

from terma.levels import Levels

MAX_BYTES = 256 * 1024  # of one file; one older file stands beside it
NAME = "agent.log"


class Log:
    """Appends lines to `path` (mode 0600), or to standard error when `path` is None."""

    def __init__(
        self, path: Path | None, debug: bool = False, info: bool = False, deps: bool = False
    ) -> None:
        self.path = path
        self.debug = debug
        self.deps = deps
        self._info = info or debug
        self.problem = ""

    def at(self, told: Levels) -> Log:
        """This log for one request, which may want more told."""
        return Log(self.path, self.debug or told.debug, self._info or told.info, told.deps)

    def info(self, event: str, **facts: object) -> None:
        """Like `write`, for what is asked and how it went, without words: under TERMA_ENV=dev or TERMA_DEBUG=1."""
        if self._info:
            self.write(event, **facts)

    def write(self, event: str, **facts: object) -> None:
        """One line: the time (UTC), `event`, and `facts` as key=value. Never raises OSError."""
        words = [time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), str(os.getpid()), event]
        line = " ".join([*words, *(f"{key}={value!s}" for key, value in facts.items())])
        self._append(ascii(line)[1:-1][:4000] + "\n")

    def user_text(self, event: str, **facts: object) -> None:
        """Like `write`, for what may hold words of the user: only under TERMA_DEBUG=1."""
        if self.debug:
            self.write(event, **facts)

    def crash(self, event: str, error: BaseException) -> None:
        """Where `error` arose: its type and the places in the code; its message only under TERMA_DEBUG=1."""
        places = [f"{frame.name}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)]
        self.write(event, error=type(error).__name__, at=">".join(places[-8:]))
        self.user_text(event, message=str(error))

    def _append(self, line: str) -> None:
        data = line.encode()
        if self.path is None:
            sys.stderr.write(line)
            return
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle = self._open(self.path)
            try:
                self.problem = "" if os.write(handle, data) == len(data) else "the disk is full"
            finally:
                os.close(handle)
        except OSError as error:
            self.problem = error.strerror or type(error).__name__

    def _open(self, path: Path) -> int:
        """Opened for every line: the agent says little, and a log that someone moved or removed is made
        anew."""
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        handle = os.open(path, flags, 0o600)
        if os.fstat(handle).st_size < MAX_BYTES:
            return handle
        os.close(handle)
        path.replace(path.with_suffix(".log.1"))
        return os.open(path, flags, 0o600)
