"""JSON-RPC over whatever carries messages: requests that wait for their answers, and the news between them."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Callable
from typing import Any

from terma.vision.errors import EyesError

ANSWERING = 5.0  # seconds for one request
_MOST = 256 * 1024  # characters of one message
_MOST_NEWS = 100


class Refusal(EyesError):
    """The box answered a request with an error of its own."""


class Requests:
    """Those to the box `name`, on one event loop. `told` is called with the name of each piece of news; `news` holds
    what came with the last of each name."""

    def __init__(self, name: str, told: Callable[[str], None]) -> None:
        self.news: dict[str, Any] = {}
        self._name, self._told = name, told
        self._numbers = itertools.count(1)
        self._answers: dict[int, asyncio.Future[Any]] = {}

    async def ask(self, send: Callable[[str], None], method: str, parameters: dict[str, object]) -> Any:
        """The result of one request. Raises Refusal for the box's own no, EyesError where none comes in time."""
        number = next(self._numbers)
        self._answers[number] = answer = asyncio.get_running_loop().create_future()
        try:
            send(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": parameters}))
            async with asyncio.timeout(ANSWERING):
                return await answer
        except TimeoutError:
            raise EyesError(f"{self._name} does not answer", "is it on?") from None
        finally:
            del self._answers[number]

    def heard(self, message: str | bytes) -> None:
        """A message came: an answer, or news. What is neither is nobody's concern."""
        try:
            said = json.loads(message) if len(message) <= _MOST else None
        except (ValueError, RecursionError):
            return
        if not isinstance(said, dict):
            return
        number, method = said.get("id"), said.get("method")
        if isinstance(method, str) and number is None:
            if len(self.news) < _MOST_NEWS or method in self.news:
                self.news[method] = said.get("params")
            self._told(method)
            return
        answer = self._answers.get(number) if isinstance(number, int) else None
        if answer is None or answer.done():
            return
        if said.get("error") is None:
            answer.set_result(said.get("result"))
        else:
            no = f"{self._name} said no: {_words(said['error'])}"
            answer.set_exception(Refusal(no, "its own log says why"))

    def fail(self, error: EyesError) -> None:
        """No answer will come any more."""
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(error)


def _words(error: object) -> str:
    """What an answer says of its error, short, on one line, and printable."""
    said = error.get("data") or error.get("message") if isinstance(error, dict) else error
    return "".join(one if one.isprintable() else " " for one in str(said)[:120])
