"""`terma why`: what a failed command's output means, and what to type instead."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from terma.commands._asking import (
    Ask,
    Frames,
    add_engine_arguments,
    asker,
    engine_fields,
    frames,
    last_command,
    surroundings,
    terminal,
)
from terma.errors import TermaError, UsageError
from terma.printing import styled

HELP = "say why a command failed, and what to type instead"
DESCRIPTION = """\
Say what went wrong with the last command of this shell (where terma is loaded), or with the one that
--command names, and what to type instead. Nothing is ever run."""
MAX_OUTPUT = 8 << 20  # bytes that are read of an output
COLOURS = {"bold": "1", "code": "36", "dim": "2", "head": "1", "warn": "1;33", "danger": "1;31"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("question", nargs="*", metavar="QUESTION", help="what you want to know of it")
    parser.add_argument("--command", metavar="C", help="the command (default: the last one of this shell)")
    parser.add_argument("--status", type=int, metavar="N", help="its exit status (default: 1)")
    parser.add_argument("--output-file", metavar="F", help="what it printed; - for standard input")
    parser.add_argument("--cwd", metavar="D", help="where it ran (default: here)")
    parser.add_argument("--json", action="store_true", help="for programs: explanation, fixes, risk")
    parser.add_argument(
        "--batch", action="store_true", help="read JSON lines of failures from standard input"
    )
    add_engine_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Exit status 0 once it has spoken, even where it does not know; wrong input is a UsageError."""
    with contextlib.ExitStack() as stack:
        if args.batch:
            return _batch(asker(stack))
        fields = request(args)
        if args.json:
            print(json.dumps(asker(stack)("why_json", fields), ensure_ascii=False))
        else:
            whole = {} if sys.stdout.isatty() else {"whole": "1"}  # nobody sees it come
            write(frames(stack, "why", fields | whole))
    return 0


def request(args: argparse.Namespace) -> dict[str, str]:
    """The fields that ask about the command that `args` names, or about this shell's last one."""
    fields = engine_fields(args, surroundings()) | terminal() | {"question": " ".join(args.question)}
    if args.command:
        fields |= {"command": args.command, "status": str(1 if args.status is None else args.status)}
    elif args.status is not None or args.output_file:
        raise UsageError(
            "say which command failed", "terma why --command 'make test' --status 2 --output-file FILE"
        )
    else:
        fields |= last_command()
        if not fields.get("command") and "TERMA_LAST_COMMAND" in os.environ:
            raise UsageError("nothing was run in this shell yet", "run a command, then ask why")
        if not fields.get("command") and "env.TERMA_RECORDING" not in fields:
            raise UsageError(
                "this shell does not tell terma about its last command",
                'put eval "$(terma init zsh)" (or bash) in its rc file, or say --command',
            )
    if args.output_file:
        fields["output"] = digested(_read(args.output_file))
    if args.cwd:
        fields["command_dir"] = str(Path(args.cwd).absolute())
    return fields


def write(answer: Frames) -> None:
    """Print `say` frames as they come: in colour on a terminal that has some."""
    coloured = (
        sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"
    )
    for frame in answer:
        if frame[0] == "say" and len(frame) > 2:
            style, text = frame[1], frame[2]
            code = COLOURS.get(style) if coloured else None
            text = text.replace("⚠", "!!") if os.environ.get("NO_COLOR") else text
            styled(text, f"\x1b[{code}m" if code else "")
            sys.stdout.flush()


LONGEST = 8_000  # characters


def digested(raw: str) -> str:
    """An output as an engine reads it: without escapes, short enough for one frame."""
    from terma.output import digest, plain
    from terma.redact import whole

    return digest(whole(plain(raw), LONGEST), LONGEST)


def _batch(ask: Ask) -> int:
    """{"id", "command", "exit_status", "output", "cwd"?} a line in, the answer with its id a line out."""
    sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    for line in sys.stdin:
        if line.strip():
            print(json.dumps(_batch_line(ask, line), ensure_ascii=False), flush=True)
    return 0


def _batch_line(ask: Ask, line: str) -> dict[str, Any]:
    name = None
    try:
        failure = json.loads(line)
        if not isinstance(failure, dict) or not failure.get("command"):
            raise ValueError("a failure is an object with a command")
        name = failure.get("id")
        answer: dict[str, Any] = ask("why_json", _fields(failure))
        return {"id": name} | answer
    except (ValueError, TypeError, TermaError) as error:
        return {"id": name, "error": f"not a failure: {error}"}


def _fields(failure: Mapping[str, Any]) -> dict[str, str]:
    cwd = str(failure.get("cwd") or "")
    here = surroundings(str(failure.get("shell") or "") or None)
    return here | {
        "command": str(failure["command"]),
        "status": str(int(failure.get("exit_status", 1))),
        "output": digested(str(failure.get("output") or "")),
        "command_dir": str(Path(cwd).absolute()) if cwd else here.get("cwd", ""),
        "question": str(failure.get("question") or ""),
    }


def _read(name: str) -> str:
    if name == "-":
        return sys.stdin.buffer.read(MAX_OUTPUT).decode("utf-8", "replace")
    with Path(name).open("rb") as file:
        return file.read(MAX_OUTPUT).decode("utf-8", "replace")
