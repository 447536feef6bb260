"""JSON-RPC 2.0, a message a line: what comes in is checked, what goes out is written whole."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any, BinaryIO

PARSE_ERROR, INVALID_REQUEST, NO_METHOD, BAD_PARAMS = -32700, -32600, -32601, -32602
NO_RESOURCE = -32002
LONGEST = 4 * 1024 * 1024  # bytes of one message
Message = dict[str, Any]


class Failure(Exception):
    """An answer that is an error, with its code, and data where there is more to say."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code, self.data = code, data


class Wire:
    """Both directions. Any thread may write."""

    def __init__(self, source: BinaryIO, sink: BinaryIO) -> None:
        self._source, self._sink = source, sink
        self._lock = threading.Lock()

    def messages(self) -> Iterator[list[Message]]:
        """What each line holds: one message, or several (a batch, as version 2025-03-26 has it). Lines that hold
        none are answered here."""
        while line := self._source.readline(LONGEST + 1):
            if not line.strip():
                continue
            if len(line) > LONGEST:
                self.error(None, INVALID_REQUEST, f"a message of over {LONGEST} bytes")
                while line and not line.endswith(b"\n"):
                    line = self._source.readline(LONGEST)
                continue
            try:
                held = json.loads(line)
            except (ValueError, RecursionError):
                self.error(None, PARSE_ERROR, "the message is not JSON")
                continue
            yield [one for one in (held if isinstance(held, list) else [held]) if self._is_message(one)]

    def _is_message(self, one: Any) -> bool:
        fine = isinstance(one, dict) and one.get("jsonrpc") == "2.0"
        fine = fine and (isinstance(one.get("method"), str) or "result" in one or "error" in one)
        if not fine:
            self.error(None, INVALID_REQUEST, "not a JSON-RPC 2.0 message")
        return fine

    def result(self, ident: Any, value: Any) -> None:
        self._write({"jsonrpc": "2.0", "id": ident, "result": value})

    def error(self, ident: Any, code: int, message: str, data: Any = None) -> None:
        told = {"code": code, "message": message} | ({} if data is None else {"data": data})
        self._write({"jsonrpc": "2.0", "id": ident, "error": told})

    def request(self, ident: str, method: str, params: Message) -> None:
        self._write({"jsonrpc": "2.0", "id": ident, "method": method, "params": params})

    def notify(self, method: str, params: Message) -> None:
        self._write({"jsonrpc": "2.0", "method": method, "params": params})

    def _write(self, message: Message) -> None:
        line = json.dumps(message).encode("ascii") + b"\n"
        with self._lock:
            self._sink.write(line)
            self._sink.flush()
