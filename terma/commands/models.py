"""`terma models`: which engine answers here, and why; what else was found."""

from __future__ import annotations

import argparse
import contextlib
import json
from typing import Any

from terma.commands._asking import asker, surroundings
from terma.errors import UsageError

HELP = "show which engine answers here and why, and what was found"
MAX_LISTED = 8


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--check", action="store_true", help="ask it something small, and say how long that took"
    )
    parser.add_argument("--allow", metavar="NAME", help="let what was found answer: openai, 127.0.0.1:11434")
    parser.add_argument("--deny", metavar="NAME", help="never ask it, and say no more about it")
    parser.add_argument("--json", action="store_true", help="for programs")


def run(args: argparse.Namespace) -> int:
    """Exit status 1 when --check got no answer."""
    if args.allow and args.deny:
        raise UsageError("either --allow or --deny")
    fields = surroundings() | ({"check": "1"} if args.check else {})
    fields |= {"allow": args.allow or "", "deny": args.deny or ""}
    with contextlib.ExitStack() as stack:
        shown = asker(stack)("models", fields)
    print(json.dumps(shown, ensure_ascii=False) if args.json else "\n".join(_lines(shown)))
    return 0 if shown.get("check", {"ok": True})["ok"] else 1


def _left(one: dict[str, str]) -> str:
    """What `auto` found and does not take, and why not."""
    if one["state"] == "denied":
        return f"{one['why']}, and you said no (terma models --allow {one['name']})"
    if one["state"] == "barred":
        return f"{one['why']}, and never asked by itself"
    return f"{one['note']} (--deny {one['name']}: nothing more is said of it)"


def _lines(shown: dict[str, Any]) -> list[str]:
    how = "chosen by itself" if shown["auto"] else "set"
    lines = [shown["said"]] if shown["said"] else []
    lines += [f"used      {shown['used']}  ({how}: {shown['why']})"]
    lines += [f"not used  {_left(one)}" for one in shown["left"]]
    if shown["fallbacks"]:
        lines.append(f"then      {', '.join(shown['fallbacks'])}")
    if "check" in shown:
        check = shown["check"]
        said = (
            f"answers, first word after {check['seconds']:g} s"
            if check["ok"]
            else f"{check['error']}; {check['hint']}"
        )
        lines.append(f"check     {said}")
    for server in shown["servers"]:
        names = server["models"]
        more = f" and {len(names) - MAX_LISTED} more" if len(names) > MAX_LISTED else ""
        lines.append(
            f"found     {server['name']} at {server['where']}: {', '.join(names[:MAX_LISTED])}{more}"
        )
    if shown["keys"]:
        lines.append(f"keys      {', '.join(shown['keys'])} in this environment")
    if shown["named"]:
        lines.append(f"named     {', '.join(shown['named'])} in the settings")
    return [*lines, "always    offline, the embedded engine"]
