"""`terma why`: what a failed command's output means, and what to type instead."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from terma.errors import UsageError

HELP = "say why a command failed, and what to type instead"
MAX_OUTPUT = 1 << 20
ENGINE = "offline"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("question", nargs="*", metavar="QUESTION", help="what you want to know of it")
    parser.add_argument("--command", metavar="C", help="the command that failed")
    parser.add_argument("--status", type=int, default=1, metavar="N", help="its exit status (default: 1)")
    parser.add_argument("--output-file", metavar="F", help="what it printed; - for standard input")
    parser.add_argument("--cwd", metavar="D", help="where it ran (default: here)")
    parser.add_argument("--json", action="store_true", help="for programs: explanation, fixes, risk")
    parser.add_argument(
        "--batch", action="store_true", help="read JSON lines of failures from standard input"
    )


def run(args: argparse.Namespace) -> int:
    """Exit status 0 once it has spoken, even where it does not know; wrong input is a UsageError."""
    if args.batch:
        sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
        for line in sys.stdin:
            if line.strip():
                print(json.dumps(_batch_line(line), ensure_ascii=False), flush=True)
        return 0
    if not args.command:
        raise UsageError(
            "say which command failed", "terma why --command 'make test' --status 2 --output-file FILE"
        )
    answer = answer_for(
        {
            "command": args.command,
            "exit_status": args.status,
            "output": _output(args.output_file),
            "cwd": args.cwd,
        }
    )
    print(json.dumps(answer, ensure_ascii=False) if args.json else _plain(answer))
    return 0


def answer_for(failure: Mapping[str, Any]) -> dict[str, Any]:
    """The answer for {"command", "exit_status", "output", "cwd"?}, as --json prints it.

    The fixes are the offline explainer's, each with what it could destroy."""
    from terma.offline.explain import Failure, explain
    from terma.risk import assess
    from terma.text import sanitize

    cwd = str(Path(failure.get("cwd") or os.curdir).absolute())
    found = explain(
        Failure(
            command=str(failure["command"]),
            status=int(failure.get("exit_status", 1)),
            output=str(failure.get("output") or ""),
            cwd=cwd,
            shell=str(failure.get("shell") or "bash"),
            path=os.environ.get("PATH", ""),
        )
    )
    fixes = [
        {"command": fix.command, "risk": assess(fix.command, cwd).level, "confidence": fix.confidence}
        for fix in found.fixes
    ]
    source = "output" if failure.get("output") else "status"
    return {"explanation": sanitize(found.text), "fixes": fixes, "engine": ENGINE, "source": source}


def _batch_line(line: str) -> dict[str, Any]:
    try:
        failure = json.loads(line)
        if not isinstance(failure, dict) or not failure.get("command"):
            raise ValueError("a failure is an object with a command")
        return {"id": failure.get("id")} | answer_for(failure)
    except (ValueError, TypeError) as error:
        return {"id": None, "error": f"not a failure: {error}"}


def _output(name: str | None) -> str:
    if not name:
        return ""
    if name == "-":
        return sys.stdin.buffer.read(MAX_OUTPUT).decode("utf-8", "replace")
    with Path(name).open("rb") as file:
        return file.read(MAX_OUTPUT).decode("utf-8", "replace")


def _plain(answer: dict[str, Any]) -> str:
    lines = [answer["explanation"]]
    for fix in answer["fixes"]:
        warning = f"   (risk: {fix['risk']})" if fix["risk"] != "low" else ""
        lines.append(f"  {fix['command']}{warning}")
    return "\n".join(lines)
