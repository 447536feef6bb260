"""Asks for screens: at once, when they rest, as soon as they show something; and what of one is new, or last."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any

from terma.sessions.asking import ENDLESS, Agent, ask
from terma.sessions.matching import Matcher
from terma.sessions.parameters import DEFAULT_TIMEOUT

_LOOK = 60.0  # seconds between two looks at a screen that stands still


def with_screen(agent: Agent, result: dict[str, Any], tail: int | None = None) -> dict[str, Any]:
    """The result, with the screen where a program draws one: what it prints then is no output. `tail`: its last lines
    alone (`cells` are those of all)."""
    if not result.get("alternate_screen") and not result.get("drawn"):
        return result
    shown = _picture(agent, {"session": result["session"], "form": "ansi"})
    kept = ("screen", "columns", "rows", "cursor_row", "cursor_column", "highlighted", "title")
    result = result | {key: shown[key] for key in kept} | {"cells": shown["data"]}
    if tail is not None:
        result |= {"screen": last_lines(result["screen"], tail), "drawn": True}
    return result


def shows(agent: Agent, session: str) -> Iterator[dict[str, Any]]:
    """Its screens with their cells, one after the other as they change, until its program has exited. Raises
    TermaError."""
    asked = {"session": session, "form": "ansi", "at_once": True}
    while True:
        shown = _picture(agent, asked)
        yield shown
        if shown["state"] == "exited":
            return
        more = {"session": session, "since": shown["position"], "wait": True, "timeout": _LOOK}
        ask(agent, "read", more, _unseen, _Anything())


def changed(result: Mapping[str, Any]) -> str:
    """The rows of a snapshot that are not as its reader saw them last, each with its number before it, from 0."""
    rows = str(result["screen"]).split("\n")
    return "\n".join(f"{at}: {rows[at] if at < len(rows) else ''}".rstrip() for at in result["changed"])


def last_lines(text: str, count: int) -> str:
    """The last `count` lines of a screen."""
    return "\n".join(text.split("\n")[-count:]) if count else ""


def snapshot(agent: Agent, args: dict[str, Any]) -> dict[str, Any]:
    """The screen: at once, after `settle` milliseconds of quiet, or as soon as `wait` is found on it."""
    deadline = time.monotonic() + min(float(args.get("timeout", DEFAULT_TIMEOUT)), ENDLESS)
    asked = {"session": args["session"], "form": args.get("form"), "cursor": args.get("cursor") or ""}
    asked["first"] = True
    if not args.get("wait"):
        ended_by = None
        if args.get("settle") is not None:
            quiet = {key: args[key] for key in ("session", "settle", "timeout") if key in args}
            ended_by = ask(agent, "read", quiet | {"tail": 0}, _unseen, None)["ended_by"]
        return _picture(agent, asked) | ({"ended_by": ended_by} if ended_by else {})
    with Matcher(str(args["wait"])) as matcher:
        while True:
            shown = _picture(agent, asked)
            asked["first"] = False
            left = deadline - time.monotonic()
            if matcher.search(shown["screen"]):
                return shown | {"ended_by": "pattern"}
            if shown["state"] == "exited" or left <= 0:
                return shown | {"ended_by": "exit" if shown["state"] == "exited" else "timeout"}
            more = {"session": args["session"], "since": shown["position"], "wait": True, "timeout": left}
            ask(agent, "read", more, _unseen, _Anything())


class _Anything:
    """Finds whatever comes."""

    def feed(self, data: bytes) -> bool:
        return bool(data)


def _picture(agent: Agent, asked: Mapping[str, Any]) -> dict[str, Any]:
    """What comes with it are its cells: no part of the output, which would have a beginning."""
    shown = ask(agent, "snapshot", asked, None, None)
    shown.pop("start", None)
    return shown


def _unseen(_: bytes) -> None:
    pass
