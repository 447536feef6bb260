"""Questions to the person at the client (elicitation), for tools that do nothing unapproved.

Up to 2025-11-25 the server asks with a request of its own. From 2026-07-28 on a call is answered with what is to be
asked, and made again with the answer; what it had begun waits so long.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from terma.errors import TermaError, UsageError
from terma.mcp.calls import Call
from terma.mcp.protocol import Message, Wire

if TYPE_CHECKING:
    from terma.mcp.tools import Answer

_PATIENCE = 600.0  # seconds that a question waits; what is not answered then is a no
_TURN = 0.2
_NAME = "approval"


@dataclass(frozen=True, slots=True)
class Question:
    """What a person is asked, and the form of the answer (JSON Schema, flat)."""

    message: str
    schema: Message

    def params(self) -> Message:
        return {"mode": "form", "message": self.message, "requestedSchema": self.schema}


Ask = Callable[
    [Question], Message | None
]  # what the person filled in, None for a no; raises UsageError: asks nobody
Do = Callable[[Ask, threading.Event], "Answer"]


class Client:
    """The requests of this server to its client. `able` says whether the client can ask its person."""

    def __init__(self, wire: Wire) -> None:
        self._wire, self.able = wire, False
        self._waiting: dict[str, queue.SimpleQueue[Message]] = {}
        self._lock = threading.Lock()

    def ask(self, question: Question, cancelled: threading.Event) -> Message | None:
        """Blocks until it is answered, cancelled, or too late."""
        ident, answers = f"ask-{os.urandom(8).hex()}", queue.SimpleQueue[Message]()
        with self._lock:
            self._waiting[ident] = answers
        self._wire.request(ident, "elicitation/create", question.params())
        try:
            for _ in range(round(_PATIENCE / _TURN)):
                with contextlib.suppress(queue.Empty):
                    return answers.get(timeout=_TURN)
                if cancelled.is_set():
                    self._wire.notify("notifications/cancelled", {"requestId": ident})
                    return None
            return None
        finally:
            with self._lock:
                self._waiting.pop(ident, None)

    def answered(self, message: Message) -> None:
        """An answer came; one to a question that nobody asks any more is dropped."""
        with self._lock:
            answers = self._waiting.get(str(message.get("id")))
        if answers is not None:
            result = message.get("result")
            answers.put(result if isinstance(result, dict) else {})


class Turn:
    """One call that may ask: it runs in a thread of its own, and tells its questions and its end."""

    def __init__(self, what: str, do: Do) -> None:
        self.what, self.cancelled = what, threading.Event()
        self._told: queue.SimpleQueue[Question | Answer | TermaError] = queue.SimpleQueue()
        self._replies: queue.SimpleQueue[Message | TermaError | None] = queue.SimpleQueue()
        threading.Thread(target=self._run, args=(do,), daemon=True).start()

    def following(self) -> Question | Answer:
        """The next question, or the answer of the call. Raises TermaError where that is one."""
        told = self._told.get()
        if isinstance(told, TermaError):
            raise told
        return told

    def reply(self, said: Mapping[str, Any] | None) -> None:
        """What the client answered: only what was accepted counts."""
        accepted = (
            said is not None and said.get("action") == "accept" and isinstance(said.get("content"), dict)
        )
        self._replies.put(dict(said["content"]) if said is not None and accepted else None)

    def nobody(self) -> None:
        """The client cannot ask: what was to be approved is an error."""
        hint = "a client with elicitation can; or terma mcp --auto, and what needs no asking in [eyes.policy] allow"
        self._replies.put(UsageError("this client cannot ask its person", hint))

    def _ask(self, question: Question) -> Message | None:
        self._told.put(question)
        for _ in range(round(_PATIENCE / _TURN)):
            with contextlib.suppress(queue.Empty):
                said = self._replies.get(timeout=_TURN)
                if isinstance(said, TermaError):
                    raise said
                return said
            if self.cancelled.is_set():
                break
        return None

    def _run(self, do: Do) -> None:
        try:
            self._told.put(do(self._ask, self.cancelled))
        except TermaError as error:
            self._told.put(error)
        except Exception as error:  # said to the client, not in a thread's traceback
            self._told.put(TermaError(f"{type(error).__name__}: {error}"))


class Turns:
    """The calls of one client that may ask."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._open: dict[str, Turn] = {}
        self._lock = threading.Lock()

    def call(self, params: Message, call: Call, do: Do, *, stateless: bool) -> Answer | Message:
        """What the call answers; for a stateless client that is to be asked, the message that says so.

        Raises TermaError."""
        what = json.dumps([params.get("name"), params.get("arguments")], sort_keys=True)
        turn = self._turn(params, what, do)
        call.stop = turn.cancelled.set
        while isinstance(told := turn.following(), Question):
            if stateless and self._can(params):
                return self._later(turn, told)
            if stateless or not self._client.able:
                turn.nobody()
            else:
                turn.reply(self._client.ask(told, call.cancelled))
        return told

    def cancel_all(self) -> None:
        with self._lock:
            for turn in self._open.values():
                turn.cancelled.set()

    def _turn(self, params: Message, what: str, do: Do) -> Turn:
        state = params.get("requestState")
        if state is None:
            return Turn(what, do)
        with self._lock:
            turn = self._open.pop(str(state), None)
        if turn is None or turn.what != what:
            raise UsageError("this call was not begun here, or is over", "make it again without requestState")
        responses = params.get("inputResponses")
        said = responses.get(_NAME) if isinstance(responses, dict) else None
        turn.reply(said if isinstance(said, dict) else None)
        return turn

    def _later(self, turn: Turn, question: Question) -> Message:
        token = os.urandom(24).hex()
        with self._lock:
            self._open[token] = turn
        asked = {_NAME: {"method": "elicitation/create", "params": question.params()}}
        return {"resultType": "input_required", "inputRequests": asked, "requestState": token}

    @staticmethod
    def _can(params: Message) -> bool:
        meta = params.get("_meta")
        capabilities = (
            meta.get("io.modelcontextprotocol/clientCapabilities") if isinstance(meta, dict) else None
        )
        return isinstance(capabilities, dict) and isinstance(capabilities.get("elicitation"), dict)
