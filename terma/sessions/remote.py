"""Asks the agent about sessions, for the command line, the MCP server and conversations alike.

Patterns are matched here, on the asker's own time: a bad expression must not hold up the agent.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from terma.output import plain
from terma.sessions import passwords
from terma.sessions import waiting_for as waiting
from terma.sessions.asking import ENDLESS, Agent, Sink, ask, items
from terma.sessions.matching import BehindEcho, Matcher, Pattern
from terma.sessions.operations import BY_NAME, checked
from terma.sessions.screens import snapshot, with_screen
from terma.sessions.sending import entered, send
from terma.sessions.texts import behind

# A program in a session is in none of the terminals around its creator.
_ELSEWHERE = ("TMUX", "TMUX_PANE", "STY", "WINDOW", "WINDOWID", "COLUMNS", "LINES")
_ELSEWHERE_PREFIXES = (
    *("TERM_PROGRAM", "ZELLIJ", "KITTY_", "WEZTERM_", "VTE_"),
    *("TERMA_RECORDING", "TERMA_LAST_", "TERMA_SESSION"),
)
_KEY = 64 * 1024  # bytes
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
        return _send(agent, args, sink)
    if name == "secret":
        return answer_password(agent, args["session"], passwords.value(args["secret"]))
    if name == "wait":
        return waiting.wait(lambda kind, fields, take: items(agent, kind, fields, take), args)
    if name == "search":
        return _search(agent, args, hide)
    if name == "read" and args.get("snapshot"):
        return snapshot(agent, args)
    if name in ("exec", "read") and not args.get("raw") and not args.get("follow"):
        return with_screen(agent, _output(agent, name, args, sink), args.get("tail"))
    return _output(agent, name, args, sink)


def answer_password(agent: Agent, session: str, secret: str) -> dict[str, Any]:
    """Type `secret` into `session`, where that asks for a password. Raises TermaError."""
    return passwords.answer(lambda name, fields: ask(agent, name, fields, None, None), session, secret)


def _output(
    agent: Agent, name: str, args: dict[str, Any], sink: Sink | None, echo: str = ""
) -> dict[str, Any]:
    """`echo` was typed before: what comes back of it is output, and not looked at for what is waited for."""
    if not args.get("wait"):
        return ask(agent, name, args, sink, None)
    pattern = Pattern(str(args["wait"]))
    try:
        result = ask(agent, name, args | {"wait": True}, sink, BehindEcho(pattern, echo))
    finally:
        pattern.close()
    if result.get("ended_by") == "pattern":
        moved = {"session": args["session"], "position": result["position"], "cursor": args.get("cursor", "")}
        kept = {key: result[key] for key in ("data", "start", "row") if key in result}
        result = result | ask(agent, "moved", moved, None, None) | kept
    return result


def line(agent: Agent, session: str) -> dict[str, Any]:
    """Where keys would go that are typed into `session` now. Raises TermaError."""
    return ask(agent, "line", {"session": session}, None, None)


def watch(
    agent: Agent, sessions: list[str], begun: Callable[[], None], came: Callable[[dict[str, Any]], None]
) -> None:
    """Tell `came` each time that one of `sessions` comes to rest, until all have exited; from `begun` on none is
    missed. Raises TermaError."""

    def take(item: dict[str, Any]) -> bool:
        if item["session"] is None:
            begun()
        else:
            came(item)
        return False

    items(agent, "watch", {"sessions": sessions, "follow": True, "timeout": ENDLESS}, take)


def _send(agent: Agent, args: dict[str, Any], sink: Sink | None) -> dict[str, Any]:
    """Type; with `settle` or `wait` the result is a read of what was printed from then on."""
    begun: list[int] = []

    def typed(fields: dict[str, Any]) -> dict[str, Any]:
        told = ask(agent, "send", fields, None, None)
        begun.append(int(told["position"]))
        return told

    sent = send(typed, args)
    if args.get("settle") is None and not args.get("wait"):
        return sent
    kept = {key: args[key] for key in ("session", "settle", "wait", "timeout") if key in args}
    told = with_screen(agent, _output(agent, "read", kept | {"since": begun[0]}, sink, entered(args)))
    moved = {"session": args["session"], "position": told["position"]}
    ask(agent, "moved", moved, None, None)
    return told | {"sent": sent["sent"]}


def text_of(result: Mapping[str, Any]) -> str:
    """The output of a result as it looked, without anything that a terminal would obey."""
    return behind(result.get("row", b""), result.get("data", b""))


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
    earlier = ask(agent, "read", {"session": session, "since": first, "before": end}, None, None)
    begun = earlier["position"] - len(earlier["data"])
    return plain(earlier["data"][: max(end - begun, 0)].decode("utf-8", "replace"))


def _search(agent: Agent, args: dict[str, Any], hide: Hide | None) -> dict[str, Any]:
    expression = str(args["pattern"])
    with Matcher(expression, bool(args.get("ignore_case"))) as matcher:
        result = ask(agent, "read", {"session": args["session"], "all": True}, None, None)
        result = with_screen(agent, result)
        printed = "" if result.get("drawn") else text_of(result)
        text = "\n".join(filter(None, (printed, result.get("screen"))))
        lines = (hide or str)(text).split("\n")
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
