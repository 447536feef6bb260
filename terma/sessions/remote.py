"""Asks the agent about sessions, for the command line, the MCP server and conversations alike.

Patterns are matched here, on the asker's own time: a bad expression must not hold up the agent.
"""

from __future__ import annotations

import base64
import codecs
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from terma.errors import TermaError, UsageError
from terma.output import plain
from terma.sessions.operations import BY_NAME, DEFAULT_TIMEOUT
from terma.text import strip_ansi

Sink = Callable[[bytes], None]
_WINDOW = 16 * 1024  # characters that a match may span
_SEND = 16 * 1024  # bytes of keys in one request
_SLACK = 30.0  # seconds for the agent beyond what was asked to wait
_ESCAPES = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|([rnteabf0\\]))")
_NAMED = {
    "r": "\r",
    "n": "\n",
    "t": "\t",
    "e": "\x1b",
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "0": "\0",
    "\\": "\\",
}
# A program in a session is in none of the terminals around its creator.
_ELSEWHERE = ("TMUX", "TMUX_PANE", "STY", "WINDOW", "WINDOWID", "COLUMNS", "LINES")
_ELSEWHERE_PREFIXES = (
    *("TERM_PROGRAM", "ZELLIJ", "KITTY_", "WEZTERM_", "VTE_"),
    *("TERMA_RECORDING", "TERMA_LAST_", "TERMA_SESSION"),
)


class Agent(Protocol):
    """What terma.client.Connection is."""

    def ask(
        self, kind: str, fields: Mapping[str, str], timeout: float = ...
    ) -> Iterator[tuple[str, ...]]: ...
    def cancel(self) -> None: ...


def call(agent: Agent, name: str, arguments: Mapping[str, Any], sink: Sink | None = None) -> dict[str, Any]:
    """Do operation `name`; its result, with the raw bytes under "data". Raises TermaError.

    `sink` gets output as it comes, and then the result holds none of it."""
    operation = BY_NAME[name]
    args = {key: value for key, value in arguments.items() if value is not None}
    unknown = set(args) - {parameter.name for parameter in operation.parameters}
    if unknown:
        raise UsageError(f"{name} takes no {', '.join(sorted(unknown))}", f"terma session {name} --help")
    for parameter in operation.parameters:
        if parameter.required and parameter.name not in args:
            raise UsageError(f"{name} wants {parameter.name}", f"terma session {name} --help")
    if name == "create":
        args |= _surroundings(args)
    if name == "send":
        return _send(agent, args)
    if name == "search":
        return _search(agent, args)
    if name == "read" and args.get("snapshot"):
        return _ask(agent, "snapshot", args, None, None)
    pattern = Pattern(str(args["wait"])) if args.get("wait") else None
    if pattern is not None:
        args["wait"] = True
    result = _ask(agent, name, args, sink, pattern)
    if result["ended_by"] == "pattern" if pattern is not None and "ended_by" in result else False:
        moved = {"session": args["session"], "position": result["position"], "cursor": args.get("cursor", "")}
        result = result | _ask(agent, "moved", moved, None, None) | {"data": result["data"]}
    return result


def _ask(
    agent: Agent, name: str, args: Mapping[str, Any], sink: Sink | None, pattern: Pattern | None
) -> dict[str, Any]:
    timeout = float(args.get("timeout") or DEFAULT_TIMEOUT) + _SLACK
    if args.get("follow") or name == "attach":
        timeout = float(10**8)
    data = bytearray()
    items: list[Any] = []
    position = 0
    matched = False
    result: dict[str, Any] = {}
    try:
        for verb, *rest in agent.ask(f"session_{name}", {"args": json.dumps(args)}, timeout):
            if verb == "data":
                piece = base64.b64decode(rest[1])
                position = int(rest[0])
                if matched:
                    continue
                if pattern is not None and (end := pattern.feed(piece)) is not None:
                    position -= len(piece) - end
                    piece, matched = piece[:end], True
                    agent.cancel()
                    kept = position
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
        result |= {"session": args["session"], "ended_by": "pattern", "position": kept}
    if items:
        result["items"] = items
    return result | {"data": bytes(data)}


class Pattern:
    """A regular expression over text that arrives in pieces, with escape sequences taken out."""

    def __init__(self, expression: str) -> None:
        """Raises UsageError for one that is wrong."""
        self._expression = compiled(expression)
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._text = ""

    def feed(self, data: bytes) -> int | None:
        """How much of `data` belongs to what was seen up to the match: to the end of its line; None without one."""
        self._text = (self._text + self._decode(data))[-_WINDOW - len(data) :]
        text = strip_ansi(self._text).replace("\r\n", "\n")
        if not self._expression.search(text):
            return None
        return len(data)


def compiled(expression: str, flags: int = 0) -> re.Pattern[str]:
    """Raises UsageError for an expression that is wrong."""
    try:
        return re.compile(expression, re.MULTILINE | flags)
    except re.error as error:
        raise UsageError(
            f"{expression!r} is no regular expression: {error}", "escape . * + ? ( ) [ ] { } |"
        ) from error


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


def _send(agent: Agent, args: dict[str, Any]) -> dict[str, Any]:
    texts = [str(text) for text in args.get("text") or ()]
    if args.get("base64"):
        try:
            pieces = [base64.b64decode(text, validate=True) for text in texts]
        except ValueError as error:
            raise UsageError("the text is not base64", "leave --base64 away for plain text") from error
    elif args.get("keys"):
        pieces = [_unescaped(text).encode("utf-8", "surrogateescape") for text in texts]
    else:
        pieces = [text.encode("utf-8", "surrogateescape") for text in texts]
    paste = not (args.get("base64") or args.get("keys"))
    result: dict[str, Any] = {}
    for piece in pieces:
        step = len(piece) if paste and len(piece) <= _SEND else _SEND
        for at in range(0, len(piece), max(step, 1)):
            result = _keys(agent, args, piece[at : at + step], paste and len(piece) <= _SEND)
    if args.get("enter") or not pieces:
        result = _keys(agent, args, b"\r" if args.get("enter") else b"", False)
    return result | {"sent": sum(map(len, pieces)) + bool(args.get("enter"))}


def _keys(agent: Agent, args: Mapping[str, Any], data: bytes, paste: bool) -> dict[str, Any]:
    fields = {"session": args["session"], "data": base64.b64encode(data).decode(), "paste": paste}
    return _ask(agent, "send", fields, None, None)


def _unescaped(text: str) -> str:
    def one(found: re.Match[str]) -> str:
        code = found[1] or found[2]
        return chr(int(code, 16)) if code else _NAMED[found[3]]

    return _ESCAPES.sub(one, text)


def _search(agent: Agent, args: Mapping[str, Any]) -> dict[str, Any]:
    wanted = compiled(str(args["pattern"]), re.IGNORECASE if args.get("ignore_case") else 0)
    result = _ask(agent, "read", {"session": args["session"], "all": True}, None, None)
    lines = text_of(result).split("\n")
    around = max(int(args.get("context") or 0), 0)
    most = int(args.get("max") or 100)
    found = [number for number, line in enumerate(lines) if wanted.search(line)]
    shown = found[:most]
    matches = [
        {
            "line": number + 1,
            "text": lines[number],
            "before": lines[max(number - around, 0) : number],
            "after": lines[number + 1 : number + 1 + around],
        }
        for number in shown
    ]
    return {
        "session": args["session"],
        "matches": matches,
        "total": len(found),
        "position": result["position"],
        "state": result["state"],
    }
