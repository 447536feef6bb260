"""One client's requests: as many at once as are allowed, and room again when one has ended."""

from __future__ import annotations

import threading
from typing import Any, cast

import pytest

from terma.mcp.calls import MOST_AT_ONCE, Call, Calls
from terma.mcp.protocol import Failure, Wire


def test_one_request_more_than_are_allowed_is_refused_until_one_has_ended() -> None:
    wire: Any = object()
    calls, gate = Calls(cast(Wire, wire)), threading.Event()
    ended = threading.Semaphore(0)

    def answer(call: Call) -> None:
        gate.wait(30)
        ended.release()

    for ident in range(MOST_AT_ONCE):
        calls.begin(ident, None, answer)
    with pytest.raises(Failure, match=f"more than {MOST_AT_ONCE} requests at once"):
        calls.begin("one more", None, answer)
    assert len(calls._calls) == MOST_AT_ONCE
    gate.set()
    for _ in range(MOST_AT_ONCE):
        assert ended.acquire(timeout=30)
    assert not ended.acquire(blocking=False), "what was refused never ran"
