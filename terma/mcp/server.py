"""Answers one client: requests in threads of their own, so that a long wait holds up nothing and can be cancelled."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from terma import client
from terma.errors import TermaError
from terma.mcp import resources, versions
from terma.mcp.asking import Client, Do, Turns
from terma.mcp.calls import Call, Calls
from terma.mcp.protocol import BAD_PARAMS, INVALID_REQUEST, NO_METHOD, Failure, Message, Wire
from terma.mcp.subscriptions import Subscriptions
from terma.text import one_line

if TYPE_CHECKING:
    from terma.mcp.secrets import Secrets

INSTRUCTIONS = (
    "Persistent terminal sessions. session_create NAME once, then session_exec runs commands in it: directory, "
    "variables and logins last. Look at exit_status, ended_by and state in the first line of each result: needs_input "
    "wants session_send, password a person (terma session attach NAME); ended_by=timeout means that it still runs, "
    "session_read has the rest. Full-screen programs: session_create with tui=true, session_read with snapshot=true. "
    "session_kill when done."
)
Surroundings = Callable[[], dict[str, str]]


class More(Protocol):
    """Tools besides the usual ones, which may ask the person at the client: those of `terma eyes`."""

    instructions: str

    def listing(self) -> list[dict[str, Any]]: ...
    def exists(self, name: str) -> bool: ...
    def doing(self, name: str, arguments: dict[str, Any]) -> Do: ...
    def close(self) -> None: ...


class Server:
    """`here` says where this process runs, as the fields of a request to the agent."""

    def __init__(self, wire: Wire, here: Surroundings, more: More | None = None) -> None:
        self._wire, self._here, self._more = wire, here, more
        self._instructions = " ".join(filter(None, (INSTRUCTIONS, more.instructions if more else "")))
        self._client = Client(wire)
        self._turns = Turns(self._client)
        self._version = versions.HANDSHAKE[0]
        self._calls = Calls(wire)
        self._subscriptions = Subscriptions(wire)
        self._known: Secrets | None = None
        self._lock = threading.Lock()

    def serve(self) -> None:
        """Return at the end of the input; what is being answered then is cancelled."""
        for messages in self._wire.messages():
            for message in messages:
                self._take(message)
        self._calls.cancel_all()
        self._subscriptions.cancel_all()
        self._turns.cancel_all()
        if self._more is not None:
            self._more.close()

    def _take(self, message: Message) -> None:
        method, ident = message.get("method"), message.get("id")
        params = message.get("params", {})
        if method is None:
            self._client.answered(message)
            return
        if ident is None:
            if method == "notifications/cancelled" and isinstance(params, dict):
                self._calls.cancel(params.get("requestId"))
            return
        if not isinstance(params, dict) or isinstance(ident, dict | list):
            self._wire.error(None, INVALID_REQUEST, "params must be an object, id a string or a number")
            return
        try:
            self._dispatch(str(method), ident, params)
        except Failure as failure:
            self._wire.error(ident, failure.code, str(failure), failure.data)

    def _dispatch(self, method: str, ident: Any, params: Message) -> None:
        version = versions.stateless(params)
        quick: dict[str, Callable[[Message], Message]] = {
            "initialize": self._initialize,
            "server/discover": lambda _: versions.discovered(self._instructions),
            "ping": lambda _: {},
            "tools/list": self._tools,
            "resources/templates/list": lambda _: resources.templates(),
            "resources/unsubscribe": self._subscriptions.unsubscribe,
        }
        slow: dict[str, Callable[[Message, Call], Message]] = {
            "tools/call": self._tool,
            "resources/list": self._resources,
            "resources/read": self._resource,
            "resources/subscribe": self._subscriptions.subscribe,
            "subscriptions/listen": lambda params, call: self._subscriptions.listen(params, call, ident),
        }
        if method == "initialize" and version:
            raise Failure(INVALID_REQUEST, f"version {version} knows no initialize; server/discover instead")

        def answer(make: Callable[[], Message], call: Call | None = None) -> None:
            try:
                value = make()
            except Failure as failure:
                self._wire.error(ident, failure.code, str(failure), failure.data)
            except TermaError as error:
                self._wire.error(ident, BAD_PARAMS, one_line(f"{error.message} ({error.hint})", 500))
            else:
                if call is None or not call.cancelled.is_set():
                    self._wire.result(ident, versions.finished(method, value) if version else value)

        if method in quick:
            answer(lambda: quick[method](params))
            if method == "tools/list":
                threading.Thread(
                    target=self._secrets, daemon=True
                ).start()  # while the model thinks of its first call
        elif method in slow:
            meta = params.get("_meta")
            token = meta.get("progressToken") if isinstance(meta, dict) else None
            self._calls.begin(ident, token, lambda call: answer(lambda: slow[method](params, call), call))
        else:
            raise Failure(NO_METHOD, f"there is no method {one_line(method, 60)}")

    def _initialize(self, params: Message) -> Message:
        self._version = versions.agreed(params.get("protocolVersion"))
        able = params.get("capabilities")
        self._client.able = isinstance(able, dict) and isinstance(able.get("elicitation"), dict)
        return versions.initialized(self._version, self._instructions)

    def _tools(self, params: Message) -> Message:
        from terma.mcp import listed

        return {"tools": listed.listing() + (self._more.listing() if self._more else [])}

    def _tool(self, params: Message, call: Call) -> Message:
        from terma.mcp import listed, told, tools

        name, arguments = params.get("name"), params.get("arguments") or {}
        if self._more and isinstance(name, str) and isinstance(arguments, dict) and self._more.exists(name):
            return self._asking_tool(params, call, self._more.doing(name, arguments))
        if not isinstance(name, str) or not listed.exists(name) or not isinstance(arguments, dict):
            raise Failure(BAD_PARAMS, f"there is no tool {one_line(str(name), 60)}")

        def heard(output: bytearray) -> None:
            call.heard, call.last = (
                len(output),
                lambda: told.last_line(bytes(output[-told.LOOKED_AT :]), secrets),
            )

        secrets = self._secrets()
        try:
            with client.connect(client="mcp") as agent:
                call.agent = agent
                answer = tools.do(name, arguments, agent, tools.Caller(self._here, secrets, heard))
        except TermaError as error:
            text = secrets.hide(told.failure(error.message, error.hint))
            return {"content": [{"type": "text", "text": text}], "isError": True}
        except (TypeError, ValueError) as error:
            text = one_line(f"an argument does not fit: {error}", 500)
            return {"content": [{"type": "text", "text": text}], "isError": True}
        return {"content": [{"type": "text", "text": answer.text}, *answer.beside], "isError": False}

    def _asking_tool(self, params: Message, call: Call, do: Do) -> Message:
        from terma.mcp import told, tools

        secrets = self._secrets()
        try:
            answer = self._turns.call(params, call, do, stateless=bool(versions.stateless(params)))
        except TermaError as error:
            text = secrets.hide(told.failure(error.message, error.hint))
            return {"content": [{"type": "text", "text": text}], "isError": True}
        if not isinstance(answer, tools.Answer):
            return answer
        content = [{"type": "text", "text": secrets.hide(answer.text)}, *answer.beside]
        return {"content": content, "isError": False}

    def _secrets(self) -> Secrets:
        """Those of this client: made when first needed, since what finds them is large."""
        with self._lock:
            if self._known is None:
                from terma.mcp import tools  # noqa: F401 # it is needed by whoever needs these
                from terma.mcp.secrets import Secrets

                self._known = Secrets()
            return self._known

    def _resources(self, params: Message, call: Call) -> Message:
        with client.connect(client="mcp") as agent:
            call.agent = agent
            return resources.listing(agent, self._secrets())

    def _resource(self, params: Message, call: Call) -> Message:
        with client.connect(client="mcp") as agent:
            call.agent = agent
            return resources.reading(agent, str(params.get("uri", "")), self._secrets())


def main(here: Surroundings, more: More | None = None) -> int:
    """Serve on standard input and output. What anything else prints goes to standard error."""
    source = os.fdopen(os.dup(0), "rb")
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    Server(Wire(source, sink), here, more).serve()
    return 0
