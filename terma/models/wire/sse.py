"""Server-sent events, read from bytes as they come (WHATWG HTML, section 9.2: the event stream format)."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

MAX_EVENT = 8 * 2**20  # code points of one event; no model says so much in one


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """One event: its data lines joined by newlines, and its type, "" when not given."""

    data: str
    event: str = ""


class EventParser:
    """`feed` bytes, cut anywhere; `close` gives what a server left without its empty line.

    Raises ValueError when one event grows past MAX_EVENT."""

    def __init__(self) -> None:
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._rest = ""  # of a line whose end has not come
        self._return = False  # the last character was CR: an LF behind it belongs to it
        self._first = True
        self._data: list[str] = []
        self._event = ""
        self._size = 0

    def feed(self, chunk: bytes) -> list[ServerEvent]:
        """The events that are whole after `chunk`."""
        return self._take(self._decode(chunk))

    def close(self) -> list[ServerEvent]:
        """The end of the stream. The standard drops an unfinished event; servers forget the last newline, so it
        counts."""
        return self._take(self._decode(b"", True) + "\n\n")

    def _take(self, text: str) -> list[ServerEvent]:
        if self._first and text:
            self._first, text = False, text.removeprefix("\ufeff")
        if self._return and text:
            self._return, text = False, text.removeprefix("\n")
        if text.endswith("\r"):
            self._return = True
        *lines, self._rest = (self._rest + text).replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self._size += len(text)
        if self._size > MAX_EVENT:
            raise ValueError("an event of the stream is too long")
        return [event for line in lines if (event := self._line(line)) is not None]

    def _line(self, line: str) -> ServerEvent | None:
        if not line:
            return self._dispatch()
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif name == "event":
            self._event = value
        return None  # a comment, `id`, `retry`, or a field that does not exist

    def _dispatch(self) -> ServerEvent | None:
        data, event = self._data, self._event
        self._data, self._event, self._size = [], "", 0
        return ServerEvent("\n".join(data), event) if data else None
