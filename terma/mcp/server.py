"""Answers one client: requests in threads of their own, so that a long wait holds up nothing and can be cancelled."""

from __future__ import annotations

import contextlib
import json
import os
import threading
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, unquote

from terma import __version__, client
from terma.errors import TermaError
from terma.mcp.protocol import BAD_PARAMS, INVALID_REQUEST, NO_METHOD, NO_RESOURCE, Failure, Message, Wire
from terma.text import one_line

VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")  # the newest first
STRUCTURED_SINCE = "2025-06-18"
PROGRESS_SECONDS = 1.0
MOST_AT_ONCE = 64
_URI, _URI_END = "terma://session/", "/output"
INSTRUCTIONS = (
    "Persistent terminal sessions. session_create NAME once, then session_exec runs commands in it: directory, "
    "variables and logins last. Look at exit_status, ended_by and state of each result: needs_input and password want "
    "session_send; ended_by=timeout means that it still runs, session_read has the rest. Full-screen programs: "
    "session_create with tui=true, session_read with snapshot=true. session_kill when done."
)
Surroundings = Callable[[], dict[str, str]]


class _Call:
    """One request that is being answered."""

    def __init__(self, token: Any) -> None:
        self.token = token
        self.cancelled = threading.Event()
        self.done = threading.Event()
        self.agent: client.Connection | None = None
        self.heard = 0

    def cancel(self) -> None:
        self.cancelled.set()
        if self.agent is not None:
            with contextlib.suppress(TermaError):
                self.agent.cancel()


class Server:
    """`here` says where this process runs, as the fields of a request to the agent."""

    def __init__(self, wire: Wire, here: Surroundings) -> None:
        self._wire, self._here = wire, here
        self._version = VERSIONS[0]
        self._calls: dict[Any, _Call] = {}
        self._lock = threading.Lock()

    def serve(self) -> None:
        """Return at the end of the input; what is being answered then is cancelled."""
        for messages in self._wire.messages():
            for message in messages:
                self._take(message)
        with self._lock:
            calls = list(self._calls.values())
        for call in calls:
            call.cancel()

    def _take(self, message: Message) -> None:
        method, ident = message.get("method"), message.get("id")
        params = message.get("params", {})
        if method is None:
            return  # an answer: we ask nothing
        if ident is None:
            if method == "notifications/cancelled" and isinstance(params, dict):
                with self._lock:
                    call = self._calls.get(_key(params.get("requestId")))
                if call is not None:
                    call.cancel()
            return
        if not isinstance(params, dict) or isinstance(ident, dict | list):
            self._wire.error(None, INVALID_REQUEST, "params must be an object, id a string or a number")
            return
        quick: dict[str, Callable[[Message], Any]] = {
            "initialize": self._initialize,
            "ping": lambda _: {},
            "tools/list": self._tools,
            "resources/templates/list": lambda _: {"resourceTemplates": [_template()]},
        }
        slow: dict[str, Callable[[Message, _Call], Any]] = {
            "tools/call": self._tool,
            "resources/list": self._resources,
            "resources/read": self._resource,
        }
        if method in quick:
            self._answer(ident, lambda: quick[method](params))
        elif method in slow:
            self._begin(ident, params, slow[method])
        else:
            self._wire.error(ident, NO_METHOD, f"there is no method {one_line(str(method), 60)}")

    def _begin(self, ident: Any, params: Message, handler: Callable[[Message, _Call], Any]) -> None:
        meta = params.get("_meta")
        call = _Call(meta.get("progressToken") if isinstance(meta, dict) else None)
        with self._lock:
            if len(self._calls) >= MOST_AT_ONCE:
                self._wire.error(ident, INVALID_REQUEST, f"more than {MOST_AT_ONCE} requests at once")
                return
            self._calls[_key(ident)] = call
        threading.Thread(target=self._run, args=(ident, call, params, handler), daemon=True).start()
        if call.token is not None:
            threading.Thread(target=self._progress, args=(call,), daemon=True).start()

    def _run(
        self, ident: Any, call: _Call, params: Message, handler: Callable[[Message, _Call], Any]
    ) -> None:
        try:
            self._answer(ident, lambda: handler(params, call), call)
        finally:
            call.done.set()
            with self._lock:
                self._calls.pop(_key(ident), None)

    def _answer(self, ident: Any, make: Callable[[], Any], call: _Call | None = None) -> None:
        try:
            value = make()
        except Failure as failure:
            self._wire.error(ident, failure.code, str(failure))
        except TermaError as error:
            self._wire.error(ident, BAD_PARAMS, one_line(f"{error.message} ({error.hint})", 500))
        else:
            if call is None or not call.cancelled.is_set():
                self._wire.result(ident, value)

    def _progress(self, call: _Call) -> None:
        began = time.monotonic()
        while not call.done.wait(PROGRESS_SECONDS) and not call.cancelled.is_set():
            seconds = round(time.monotonic() - began, 1)
            params = {"progressToken": call.token, "progress": seconds}
            self._wire.notify("notifications/progress", params | {"message": f"{call.heard} bytes of output"})

    def _initialize(self, params: Message) -> Message:
        wanted = params.get("protocolVersion")
        self._version = wanted if wanted in VERSIONS else VERSIONS[0]
        return {
            "protocolVersion": self._version,
            "capabilities": {"tools": {}, "resources": {}},
            "serverInfo": {"name": "terma", "version": __version__},
            "instructions": INSTRUCTIONS,
        }

    def _tools(self, params: Message) -> Message:
        from terma.mcp import tools

        return {"tools": tools.listing()}

    def _tool(self, params: Message, call: _Call) -> Message:
        from terma.mcp import tools

        name, arguments = params.get("name"), params.get("arguments") or {}
        if not isinstance(name, str) or not tools.exists(name) or not isinstance(arguments, dict):
            raise Failure(BAD_PARAMS, f"there is no tool {one_line(str(name), 60)}")

        def heard(count: int) -> None:
            call.heard = count

        try:
            with client.connect(client="mcp") as agent:
                call.agent = agent
                answer = tools.do(name, arguments, agent, self._here, heard)
        except TermaError as error:
            text = one_line(f"{error.message}. {error.hint}".strip(), 1000)
            return {"content": [{"type": "text", "text": text}], "isError": True}
        except (TypeError, ValueError) as error:
            text = one_line(f"an argument does not fit: {error}", 500)
            return {"content": [{"type": "text", "text": text}], "isError": True}
        told: Message = {"content": [{"type": "text", "text": answer.text}], "isError": False}
        if self._version >= STRUCTURED_SINCE:
            told["structuredContent"] = answer.data
        return told

    def _resources(self, params: Message, call: _Call) -> Message:
        from terma.sessions import remote

        with client.connect(client="mcp") as agent:
            sessions = remote.call(agent, "list", {}).get("items", [])
        return {
            "resources": [
                {
                    "uri": _URI + quote(one["session"]) + _URI_END,
                    "name": one["session"],
                    "description": one_line(f"what {' '.join(one['command'])} has printed ({one['state']})"),
                    "mimeType": "text/plain",
                }
                for one in sessions
            ]
        }

    def _resource(self, params: Message, call: _Call) -> Message:
        from terma.mcp import tools
        from terma.sessions import remote

        uri = str(params.get("uri", ""))
        if not (uri.startswith(_URI) and uri.endswith(_URI_END)):
            raise Failure(NO_RESOURCE, f"there is no resource {one_line(uri, 100)}")
        name = unquote(uri[len(_URI) : -len(_URI_END)])
        try:
            with client.connect(client="mcp") as agent:
                call.agent = agent
                result = remote.call(agent, "read", {"session": name, "all": True})
        except TermaError as error:
            raise Failure(NO_RESOURCE, one_line(f"{error.message} ({error.hint})", 300)) from error
        text = tools.shown(result["data"], 200_000)
        return {"contents": [{"uri": uri, "mimeType": "text/plain", "text": text}]}


def _key(ident: Any) -> str:
    """Ids 1 and "1" are two."""
    return json.dumps(ident)


def _template() -> Message:
    return {
        "uriTemplate": f"{_URI}{{name}}{_URI_END}",
        "name": "session output",
        "description": "what a session has printed",
        "mimeType": "text/plain",
    }


def main(here: Surroundings) -> int:
    """Serve on standard input and output. What anything else prints goes to standard error."""
    source = os.fdopen(os.dup(0), "rb")
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    Server(Wire(source, sink), here).serve()
    return 0
