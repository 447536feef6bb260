"""Tells a client when a session that it has subscribed to comes to rest: its command has ended, it asks, or has exited.

Up to 2025-11-25 that is resources/subscribe, one resource at a time; from 2026-07-28 on a request,
subscriptions/listen, that stays open as long as its client listens.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Sequence
from typing import Any

from terma import client
from terma.errors import TermaError
from terma.mcp.calls import Call
from terma.mcp.protocol import BAD_PARAMS, INVALID_REQUEST, NO_RESOURCE, Failure, Message, Wire
from terma.mcp.resources import session_of
from terma.text import one_line

MAX_SUBSCRIPTIONS = 32  # at once, of one client
_ID = "io.modelcontextprotocol/subscriptionId"
_UPDATED = "notifications/resources/updated"


class Subscriptions:
    """Those of one client."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._calls: dict[str, Call] = {}
        self._lock = threading.Lock()

    def subscribe(self, params: Message, call: Call) -> Message:
        """Answer resources/subscribe. Raises Failure."""
        uri = _text(params.get("uri"))
        _check([session_of(uri)], call)
        own = Call(None)
        with self._lock:
            if uri in self._calls:
                return {}
            if len(self._calls) >= MAX_SUBSCRIPTIONS:
                raise Failure(INVALID_REQUEST, f"more than {MAX_SUBSCRIPTIONS} subscriptions at once")
            self._calls[uri] = own
        begun = threading.Event()
        threading.Thread(target=self._subscribed, args=(uri, own, begun), daemon=True).start()
        begun.wait(client.SECONDS)
        return {}

    def unsubscribe(self, params: Message) -> Message:
        """Answer resources/unsubscribe."""
        with self._lock:
            call = self._calls.pop(_text(params.get("uri")), None)
        if call is not None:
            call.cancel()
        return {}

    def listen(self, params: Message, call: Call, ident: Any) -> Message:
        """Answer subscriptions/listen: with notifications, until all sessions have exited or the client wants no more.
        Raises Failure."""
        wanted = params.get("notifications")
        uris = wanted.get("resourceSubscriptions") if isinstance(wanted, dict) else None
        uris = [_text(uri) for uri in uris] if isinstance(uris, list) else []
        if uris:
            _check([session_of(uri) for uri in uris], call)
        meta = {"_meta": {_ID: ident}}
        honoured = {"notifications": {"resourceSubscriptions": uris} if uris else {}}

        def acknowledge() -> None:
            self._wire.notify("notifications/subscriptions/acknowledged", honoured | meta)

        if not uris:
            acknowledge()
            call.cancelled.wait()
        else:
            _watch(uris, call, acknowledge, lambda uri: self._wire.notify(_UPDATED, {"uri": uri} | meta))
        return dict(meta)

    def cancel_all(self) -> None:
        with self._lock:
            calls = list(self._calls.values())
            self._calls.clear()
        for call in calls:
            call.cancel()

    def _subscribed(self, uri: str, call: Call, begun: threading.Event) -> None:
        _watch([uri], call, begun.set, lambda uri: self._wire.notify(_UPDATED, {"uri": uri}))
        with self._lock:
            if self._calls.get(uri) is call:
                del self._calls[uri]


def _watch(
    uris: Sequence[str], call: Call, begun: Callable[[], None], updated: Callable[[str], None]
) -> None:
    """From `begun` on, until all sessions have exited, or `call` is cancelled, or the agent is gone: all is told to be
    new then."""
    from terma.sessions import remote

    sessions = {uri: session_of(uri) for uri in uris}

    def came(item: dict[str, Any]) -> None:
        for uri, name in sessions.items():
            if name == item["session"]:
                updated(uri)

    try:
        with client.connect(client="mcp") as agent:
            call.agent = agent
            if not call.cancelled.is_set():
                remote.watch(agent, list(dict.fromkeys(sessions.values())), begun, came)
    except TermaError:
        if not call.cancelled.is_set():
            begun()
            for uri in uris:
                with contextlib.suppress(OSError):
                    updated(uri)


def _check(names: Sequence[str], call: Call) -> None:
    """Raises Failure for a session that is not there."""
    from terma.sessions import remote

    with client.connect(client="mcp") as agent:
        call.agent = agent
        for name in names:
            try:
                remote.call(agent, "info", {"session": name, "size": True})
            except TermaError as error:
                raise Failure(NO_RESOURCE, one_line(error.message, 300)) from error


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise Failure(BAD_PARAMS, "a uri is a text")
    return value
