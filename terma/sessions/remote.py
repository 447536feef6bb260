"""Asks the agent about sessions, for the command line, the MCP server and conversations alike.

Patterns are matched here, on the asker's own time: a bad expression must not hold up the agent.
"""

from __future__ import annotations

import base64
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from terma.errors import TermaError
from terma.output import plain
from terma.sessions.matching import Matcher, Pattern
from terma.sessions.operations import BY_NAME, DEFAULT_TIMEOUT, checked
from terma.sessions.sending import send

Sink = Callable[[bytes], None]
_SLACK = 30.0  # seconds for the agent beyond what was asked to wait
_ENDLESS = 1e8  # seconds
# A program in a session is in none of the terminals around its creator.
_ELSEWHERE = ("TMUX", "TMUX_PANE", "STY", "WINDOW", "WINDOWID", "COLUMNS", "LINES")
_ELSEWHERE_PREFIXES = (
    *("TERM_PROGRAM", "ZELLIJ", "KITTY_", "WEZTERM_", "VTE_"),
    *("TERMA_RECORDING", "TERMA_LAST_", "TERMA_SESSION"),
)


_KEY = 64 * 1024  # bytes


class Agent(Protocol):
    """What terma.client.Connection is."""

    def ask(
        self, kind: str, fields: Mapping[str, str], timeout: float = ...
    ) -> Iterator[tuple[str, ...]]: ...
    def cancel(self) -> None: ...


class Finder(Protocol):
    """What Pattern is."""

    def feed(self, data: bytes) -> bool: ...


Hide = Callable[[str], str]


def call(
    agent: Agent, name: str, arguments: Mapping[str, Any], sink: Sink | None = None, hide: Hide | None = None
) -> dict[str, Any]:
    """Do operation `name`; its result, with the raw bytes under "data". Raises TermaError.

    `hide` takes the secrets out of a text and keeps its lines; a search sees nothing else then.
    `sink` gets output as it comes, and then the result holds none of it. `seen` in the arguments is what `line` said:
    nothing is typed where that holds no more."""
    args = checked(BY_NAME[name], {key: value for key, value in arguments.items() if key != "seen"})
    if arguments.get("seen"):
        args["seen"] = arguments["seen"]
    if name == "create":
        args |= _surroundings(args)
    if name == "send":
        return send(lambda fields: _ask(agent, "send", fields, None, None), args)
    if name == "search":
        return _search(agent, args, hide)
    if name == "read" and args.get("snapshot"):
        return _snapshot(agent, args)
    if not args.get("wait"):
        return _ask(agent, name, args, sink, None)
    pattern = Pattern(str(args["wait"]))
    try:
        result = _ask(agent, name, args | {"wait": True}, sink, pattern)
    finally:
        pattern.close()
    if result.get("ended_by") == "pattern":
        moved = {"session": args["session"], "position": result["position"], "cursor": args.get("cursor", "")}
        result = result | _ask(agent, "moved", moved, None, None) | {"data": result["data"]}
    return result


def line(agent: Agent, session: str) -> dict[str, Any]:
    """Where keys would go that are typed into `session` now. Raises TermaError."""
    return _ask(agent, "line", {"session": session}, None, None)


def _snapshot(agent: Agent, args: dict[str, Any]) -> dict[str, Any]:
    """The screen: at once, after `settle` milliseconds of quiet, or as soon as `wait` is found on it."""
    deadline = time.monotonic() + min(float(args.get("timeout", DEFAULT_TIMEOUT)), _ENDLESS)
    asked = {"session": args["session"], "form": args.get("form")}
    if not args.get("wait"):
        ended_by = None
        if args.get("settle") is not None:
            quiet = {key: args[key] for key in ("session", "settle", "timeout") if key in args}
            ended_by = _ask(agent, "read", quiet | {"tail": 0}, _unseen, None)["ended_by"]
        return _ask(agent, "snapshot", asked, None, None) | ({"ended_by": ended_by} if ended_by else {})
    with Matcher(str(args["wait"])) as matcher:
        while True:
            shown = _ask(agent, "snapshot", asked, None, None)
            left = deadline - time.monotonic()
            if matcher.search(shown["screen"]):
                return shown | {"ended_by": "pattern"}
            if shown["state"] == "exited" or left <= 0:
                return shown | {"ended_by": "exit" if shown["state"] == "exited" else "timeout"}
            more = {"session": args["session"], "since": shown["position"], "wait": True, "timeout": left}
            _ask(agent, "read", more, _unseen, _Anything())


class _Anything:
    """Finds whatever comes."""

    def feed(self, data: bytes) -> bool:
        return bool(data)


def _unseen(_: bytes) -> None:
    pass


def _ask(
    agent: Agent, name: str, args: Mapping[str, Any], sink: Sink | None, pattern: Finder | None
) -> dict[str, Any]:
    timeout = min(float(args.get("timeout") or DEFAULT_TIMEOUT) + _SLACK, _ENDLESS)
    if args.get("follow") or name == "attach":
        timeout = _ENDLESS
    data = bytearray()
    items: list[Any] = []
    reached = 0  # the position behind what was received
    matched = False
    result: dict[str, Any] = {}
    try:
        for verb, *rest in agent.ask(f"session_{name}", {"args": json.dumps(args)}, timeout):
            if verb == "data":
                if matched:
                    continue  # printed after it
                piece, reached = base64.b64decode(rest[1]), int(rest[0])
                if pattern is not None and pattern.feed(piece):
                    matched = True
                    agent.cancel()
                if sink is not None:
                    sink(piece)
                else:
                    data += piece
            elif verb == "item":
                items.append(json.loads(rest[0]))
            elif verb == "done":
                result = json.loads(rest[1])
    except TermaError as error:
        if not (matched and error.code == "cancelled"):
            raise
    if matched:
        result |= {"session": args["session"], "ended_by": "pattern", "position": reached}
    if items:
        result["items"] = items
    return result | {"data": bytes(data)}


def text_of(result: Mapping[str, Any]) -> str:
    """The output of a result as it looked, without anything that a terminal would obey."""
    data = result.get("data", b"")
    return plain(data.decode("utf-8", "replace"))


def _surroundings(args: Mapping[str, Any]) -> dict[str, Any]:
    """The caller's environment and directory."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in _ELSEWHERE and not name.startswith(_ELSEWHERE_PREFIXES)
    }
    cwd = Path(str(args.get("cwd") or "."))
    with suppress(OSError):
        cwd = Path.cwd() / cwd.expanduser()
    return {"environment": environment, "cwd": str(cwd)}


def before(agent: Agent, session: str, end: int) -> str:
    """The output of `session` before position `end`, as much of it as a private key may take: whoever shows a part of
    an output to others reads it together with this. Raises TermaError."""
    first = max(end - _KEY, 0)
    if not end:
        return ""
    earlier = _ask(agent, "read", {"session": session, "since": first}, None, None)
    begun = earlier["position"] - len(earlier["data"])
    return plain(earlier["data"][: max(end - begun, 0)].decode("utf-8", "replace"))


def _search(agent: Agent, args: dict[str, Any], hide: Hide | None) -> dict[str, Any]:
    expression = str(args["pattern"])
    with Matcher(expression, bool(args.get("ignore_case"))) as matcher:
        result = _ask(agent, "read", {"session": args["session"], "all": True}, None, None)
        lines = (hide or str)(text_of(result)).split("\n")
        found = matcher.lines(lines)
    around = max(int(args.get("context") or 0), 0)
    most = int(args.get("max", 100))
    matches = [
        {
            "line": number + 1,
            "text": lines[number],
            "before": lines[max(number - around, 0) : number],
            "after": lines[number + 1 : number + 1 + around],
        }
        for number in found[:most]
    ]
    return {
        "session": args["session"],
        "matches": matches,
        "total": len(found),
        "position": result["position"],
        "state": result["state"],
    }
