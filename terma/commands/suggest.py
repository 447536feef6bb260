"""`terma suggest`: a sentence in, one command out, for scripts, editors and people without the key."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from terma.errors import AgentUnavailable, TermaError, UnsafePath, UsageError

HELP = "print a command for a sentence"
SHELLS = ("zsh", "bash", "xonsh", "sh")
Ask = Callable[[Mapping[str, str]], Any]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", nargs="*", metavar="WORDS", help="what you want, in plain words")
    parser.add_argument("--shell", choices=SHELLS, help="for which shell (default: yours)")
    parser.add_argument("-n", "--count", type=int, default=1, metavar="K", help="print up to K commands")
    parser.add_argument(
        "--json", action="store_true", help="for programs: candidates, scores, risk, placeholders"
    )
    parser.add_argument(
        "--batch",
        action="store_true",
        help="read sentences from standard input, one a line; print one line each",
    )


def run(args: argparse.Namespace) -> int:
    """Exit status 0, or 1 with a reason on standard error when it does not know. With --batch always 0."""
    if args.batch == bool(args.words):
        raise UsageError("give a sentence, or --batch and sentences on standard input")
    if args.count < 1:
        raise UsageError("-n wants a number above 0")
    fields = surroundings(args.shell) | {"count": str(args.count)}
    with contextlib.ExitStack() as stack:
        ask = asker(stack)
        if args.batch:
            sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
            for line in sys.stdin:
                print(_one_line(ask, fields | {"words": line.strip()}, args.json), flush=True)
        else:
            answer = ask(fields | {"words": " ".join(args.words)})
            print(json.dumps(answer, ensure_ascii=False) if args.json else _commands(answer))
    return 0


def surroundings(shell: str | None = None) -> dict[str, str]:
    """What the answer may depend on, as the fields of a request."""
    own = Path(os.environ.get("SHELL", "")).name
    shell = shell or (own if own in SHELLS else "bash")
    here = {"shell": shell, "path": os.environ.get("PATH", ""), "histfile": _history_file(shell)}
    with contextlib.suppress(OSError):  # the working directory may be gone
        here["cwd"] = str(Path.cwd())
    return here | {"engine": os.environ.get("TERMA_ENGINE", "")}


def _history_file(shell: str) -> str:
    """Where `shell` keeps its history: no shell exports that, so the usual place, when there is one."""
    told = os.environ.get("HISTFILE", "")
    usual = Path.home() / f".{shell}_history"
    return told or (str(usual) if usual.is_file() else "")


def asker(stack: contextlib.ExitStack) -> Ask:
    """What answers requests: the agent, or this process where no agent can be reached or started."""
    from terma import client

    try:
        agent = stack.enter_context(client.connect())
    except (AgentUnavailable, UnsafePath):
        from terma.agent import inprocess

        return lambda fields: inprocess.ask_json("suggest", fields)
    current = [agent]

    def ask(fields: Mapping[str, str]) -> Any:
        try:
            return current[0].ask_json("suggest", fields)
        except client.AgentLost:  # it left between two questions; its successor knows the same
            current[0] = stack.enter_context(client.connect())
            return current[0].ask_json("suggest", fields)

    return ask


def _commands(answer: dict[str, Any]) -> str:
    return "\n".join(candidate["command"] for candidate in answer["candidates"])


def _one_line(ask: Ask, fields: Mapping[str, str], as_json: bool) -> str:
    """The answer to one line of a batch: the first command, a newline in it as `\\n`; empty when unknown."""
    try:
        answer = ask(fields) if fields["words"] else {"command": "", "candidates": [], "engine": ""}
    except TermaError as error:
        if error.code not in ("unknown", "usage"):
            raise
        answer = {"command": "", "candidates": [], "engine": ""}
    if as_json:
        return json.dumps(answer, ensure_ascii=False)
    return str(answer["command"]).replace("\n", "\\n")
