"""One question about sessions to the agent, and its answer: output as it comes, items, the result."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol, runtime_checkable

from terma.errors import TermaError
from terma.sessions.parameters import DEFAULT_TIMEOUT

Sink = Callable[[bytes], None]
SLACK = 30.0  # seconds for the agent beyond what was asked to wait
ENDLESS = 1e8  # seconds


class Agent(Protocol):
    """What terma.client.Connection is."""

    def ask(
        self, kind: str, fields: Mapping[str, str], timeout: float = ...
    ) -> Iterator[tuple[str, ...]]: ...
    def cancel(self) -> None: ...


@runtime_checkable
class InRow(Protocol):
    """A sink that wants to know what stood before the output in the row where it begins."""

    def stands(self, row: bytes) -> None: ...


class Finder(Protocol):
    """What Pattern is."""

    def feed(self, data: bytes) -> bool: ...


def ask(
    agent: Agent, name: str, args: Mapping[str, Any], sink: Sink | None, pattern: Finder | None
) -> dict[str, Any]:
    """Its result, the output under "data" where `sink` does not get it, and under "row" what stood before that in the
    row where it begins; ended as soon as `pattern` has found something. Raises TermaError."""
    timeout = min(float(args.get("timeout") or DEFAULT_TIMEOUT) + SLACK, ENDLESS)
    if args.get("follow") or name == "attach":
        timeout = ENDLESS
    data = bytearray()
    told: list[Any] = []
    row = b""
    reached = 0  # the position behind what was received
    begun: int | None = None  # the position where that begins
    matched = False
    result: dict[str, Any] = {}
    try:
        for verb, *rest in agent.ask(f"session_{name}", {"args": json.dumps(args)}, timeout):
            if verb == "data":
                if matched:
                    continue  # printed after it
                piece, reached = base64.b64decode(rest[1]), int(rest[0])
                begun = reached - len(piece) if begun is None else begun
                if pattern is not None and pattern.feed(piece):
                    matched = True
                    agent.cancel()
                if sink is not None:
                    sink(piece)
                else:
                    data += piece
            elif verb == "item":
                told.append(json.loads(rest[0]))
            elif verb == "row":
                row = base64.b64decode(rest[0])
                for hears in (sink, pattern):
                    if isinstance(hears, InRow):
                        hears.stands(row)
            elif verb == "done":
                result = json.loads(rest[1])
    except TermaError as error:
        if not (matched and error.code == "cancelled"):
            raise
    if matched:
        result |= {"session": args["session"], "ended_by": "pattern", "position": reached}
    if told:
        result["items"] = told
    if "ended_by" in result and "position" in result:
        result["start"] = result["position"] if begun is None else begun
    return result | {"data": bytes(data)} | ({"row": row} if row else {})


def items(
    agent: Agent, kind: str, args: Mapping[str, Any], take: Callable[[dict[str, Any]], bool]
) -> dict[str, Any]:
    """Ask; `take` gets each item as it comes and says whether that is enough. What was said at the end, {} then."""
    enough, result = False, {}
    timeout = float(args.get("timeout", DEFAULT_TIMEOUT)) + SLACK
    try:
        for verb, *rest in agent.ask(f"session_{kind}", {"args": json.dumps(args)}, min(timeout, ENDLESS)):
            if verb == "item" and not enough and take(json.loads(rest[0])):
                enough = True
                agent.cancel()
            elif verb == "done" and not enough:
                result = json.loads(rest[1])
    except TermaError as error:
        if not (enough and error.code == "cancelled"):
            raise
    return result
