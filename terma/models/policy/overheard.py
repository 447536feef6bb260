"""What the libraries beneath a request log, among its events: for TERMA_VERBOSE_DEPS=1, and for nobody else."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

from terma.chat import ChatEvent
from terma.redact import redact
from terma.text import one_line
from terma.types import Note

MAX_LINES = 400  # of one request
MAX_LINE = 400  # code points


class _Collecting(logging.Handler):
    def __init__(self, secrets: Sequence[str]) -> None:
        super().__init__(logging.DEBUG)
        self.lines: deque[str] = deque()
        self._secrets = [secret for secret in secrets if secret]
        self._left = MAX_LINES

    def emit(self, record: logging.LogRecord) -> None:
        if self._left <= 0:
            return
        self._left -= 1
        try:
            text = record.getMessage()
        except Exception:  # what somebody else logs may not even format
            return
        for secret in self._secrets:
            text = text.replace(secret, "****")
        said = f"{record.name} {record.levelname.lower()}: {redact(text).text}"
        self.lines.append(one_line(said, MAX_LINE))


async def overheard(
    events: AsyncGenerator[ChatEvent, None], secrets: Sequence[str] = ()
) -> AsyncGenerator[ChatEvent, None]:
    """`events`, with what was logged meanwhile as notes ahead of each. `secrets` stand in no note."""
    handler = _Collecting(secrets)
    root = logging.getLogger()
    own = [logger for logger in _loggers() if logger.level or logger is root]
    before = [(logger, logger.level) for logger in own]
    for logger in own:
        logger.setLevel(logging.DEBUG)
    root.addHandler(handler)
    try:
        async with aclosing(events) as coming:
            async for event in coming:
                while handler.lines:
                    yield Note(handler.lines.popleft())
                yield event
        while handler.lines:
            yield Note(handler.lines.popleft())
    finally:
        root.removeHandler(handler)
        for logger, level in before:
            logger.setLevel(level)


def _loggers() -> list[logging.Logger]:
    """The root, and all that exist below it: those with a level of their own would keep theirs."""
    known = logging.root.manager.loggerDict.values()
    return [logging.getLogger(), *(one for one in known if isinstance(one, logging.Logger))]
