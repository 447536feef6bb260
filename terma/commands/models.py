"""`terma models`: which engine answers here, and why; what else was found."""

from __future__ import annotations

import argparse
import contextlib
import json
from typing import Any

from terma.commands._asking import asker, surroundings

HELP = "show which engine answers here and why, and what was found"
MAX_LISTED = 8


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--check", action="store_true", help="ask it something small, and say how long that took"
    )
    parser.add_argument("--json", action="store_true", help="for programs")


def run(args: argparse.Namespace) -> int:
    """Exit status 1 when --check got no answer."""
    fields = surroundings() | ({"check": "1"} if args.check else {})
    with contextlib.ExitStack() as stack:
        shown = asker(stack)("models", fields)
    print(json.dumps(shown, ensure_ascii=False) if args.json else "\n".join(_lines(shown)))
    return 0 if shown.get("check", {"ok": True})["ok"] else 1


def _lines(shown: dict[str, Any]) -> list[str]:
    how = "chosen by itself" if shown["auto"] else "set"
    lines = [f"used      {shown['used']}  ({how}: {shown['why']})"]
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
