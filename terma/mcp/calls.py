"""The requests that are being answered: each in a thread of its own, with its progress, and ended when cancelled."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Callable
from typing import Any

from terma import client
from terma.errors import TermaError
from terma.mcp.protocol import INVALID_REQUEST, Failure, Wire

PROGRESS_SECONDS = 1.0
MOST_AT_ONCE = 64


class Call:
    """One request. `agent` is the connection that its answer comes over."""

    def __init__(self, token: Any) -> None:
        self.token = token
        self.cancelled = threading.Event()
        self.done = threading.Event()
        self.agent: client.Connection | None = None
        self.stop: Callable[[], None] = lambda: None  # what ends it besides
        self.heard = 0  # bytes of output so far
        self.last: Callable[[], str] = str  # the last line of it, as a model may have it

    def cancel(self) -> None:
        self.cancelled.set()
        self.stop()
        if self.agent is not None:
            with contextlib.suppress(TermaError):
                self.agent.cancel()


class Calls:
    """All of one client's."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._calls: dict[str, Call] = {}
        self._lock = threading.Lock()

    def begin(self, ident: Any, token: Any, answer: Callable[[Call], None]) -> None:
        """Run `answer` in a thread; with a `token`, the client is told how it goes. Raises Failure for too many."""
        call = Call(token)
        with self._lock:
            if len(self._calls) >= MOST_AT_ONCE:
                raise Failure(INVALID_REQUEST, f"more than {MOST_AT_ONCE} requests at once")
            self._calls[_key(ident)] = call
        threading.Thread(target=self._run, args=(ident, call, answer), daemon=True).start()
        if token is not None:
            threading.Thread(target=self._progress, args=(call,), daemon=True).start()

    def cancel(self, ident: Any) -> None:
        """The client wants no answer any more."""
        with self._lock:
            call = self._calls.get(_key(ident))
        if call is not None:
            call.cancel()

    def cancel_all(self) -> None:
        with self._lock:
            calls = list(self._calls.values())
        for call in calls:
            call.cancel()

    def _run(self, ident: Any, call: Call, answer: Callable[[Call], None]) -> None:
        try:
            answer(call)
        finally:
            call.done.set()
            with self._lock:
                self._calls.pop(_key(ident), None)

    def _progress(self, call: Call) -> None:
        began = time.monotonic()
        while not call.done.wait(PROGRESS_SECONDS) and not call.cancelled.is_set():
            seconds = round(time.monotonic() - began, 1)
            params = {"progressToken": call.token, "progress": seconds}
            message = ": ".join(filter(None, (f"{call.heard} bytes of output", call.last())))
            self._wire.notify("notifications/progress", params | {"message": message})


def _key(ident: Any) -> str:
    """Ids 1 and "1" are two."""
    return json.dumps(ident)
