"""`terma session`: programs on terminals that live on, for scripts, for coding agents, and for people who look in."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from terma import client
from terma.commands._session_output import Clean, as_json, print_json, show_attached, snapshot, write_raw
from terma.errors import UsageError
from terma.sessions.operations import OPERATIONS, Operation, Parameter

HELP = "programs on terminals that live on: start one, run commands in it, read it, look in"
DESCRIPTION = """Programs on terminals that live on.

  terma session create work                     your shell; it stays when you leave
  terma session exec work 'make test'           run something there, get output and exit status
  terma session create db -- sqlite3 my.db      any program
  terma session attach work                     look in and type; Ctrl+] comes back"""
TIMED_OUT = 124  # as timeout(1) has it
_TYPES = {"string": str, "integer": int, "number": float}


class _Parser(argparse.ArgumentParser):
    """Takes what stands behind `--` as the command, whatever stands before it."""

    def parse_known_args(self, args=None, namespace=None):  # type: ignore[no-untyped-def]
        words = list(args or ())
        rest = any(action.dest == "command" for action in self._actions) and "--" in words
        at = words.index("--") if rest else len(words)
        found, extra = super().parse_known_args(words[:at], namespace)
        if rest:
            found.command = [*found.command, *words[at + 1 :]]
        return found, extra


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(
        dest="operation", required=True, metavar="OPERATION", parser_class=_Parser
    )
    for operation in OPERATIONS:
        if operation.only == "mcp":
            continue
        action = actions.add_parser(operation.name, help=operation.summary, description=operation.summary)
        for parameter in operation.parameters:
            if parameter.only != "mcp":
                _add(action, parameter)
        if operation.only != "cli":
            action.add_argument("--json", action="store_true", help="for programs: one JSON object")


def _add(parser: argparse.ArgumentParser, parameter: Parameter) -> None:
    kind: Any = _TYPES.get(parameter.kind, str)
    name = parameter.name
    if parameter.positional == "one":
        parser.add_argument(name, metavar=name.upper(), type=kind, help=parameter.on_command_line)
    elif parameter.positional:
        how = {"rest": "*", "some": "+"}[parameter.positional]
        parser.add_argument(name, metavar=name.upper(), nargs=how, help=parameter.on_command_line)
    elif parameter.kind == "boolean":
        parser.add_argument(parameter.flag, dest=name, action="store_true", help=parameter.on_command_line)
    elif parameter.kind == "array":
        parser.add_argument(
            parameter.flag, dest=name, action="append", metavar="TEXT", help=parameter.on_command_line
        )
    else:
        choices = parameter.choices or None
        meta = None if choices else {"string": "TEXT", "integer": "N", "number": "SECONDS"}[parameter.kind]
        parser.add_argument(
            parameter.flag,
            dest=name,
            type=kind,
            choices=choices,
            metavar=meta,
            default=parameter.default,
            help=parameter.on_command_line,
        )


def run(args: argparse.Namespace) -> int:
    """exec: the command's own exit status. 124 when its time, or that of a --wait, is over. Otherwise 0. Raises
    TermaError."""
    if args.operation == "attach":
        from terma.commands._attaching import attach

        return attach(args.session, args.watch)
    if args.operation in ("record", "replay"):
        from terma.commands import _recordings

        if args.operation == "record":
            return _recordings.record(args.session, args.file)
        return _recordings.replay(args.file, args.speed, args.pause)
    if args.operation == "skills":
        return _skills(args.show, args.install)
    operation = next(one for one in OPERATIONS if one.name == args.operation)
    from terma.sessions import remote

    values = _values(operation, args)
    if values.get("form") == "png" and values.get("snapshot") and sys.stdout.isatty():
        raise UsageError("a picture is no text for a terminal", "add > screen.png")
    stream = _stream(values) if not args.json else None
    texts = _texts(operation, values) if stream is None else None
    with client.connect() as agent:
        result = remote.call(agent, operation.name, values, stream or texts)
    if texts is not None:
        result["text"] = "" if result.get("drawn") else texts.text()
    if result.get("screen") is not None and values.get("snapshot"):
        shown = snapshot(args, result)
        return TIMED_OUT if result.get("ended_by") == "timeout" and not args.json else shown
    if args.json:
        print(print_json(as_json(result)))
    else:
        if isinstance(stream, Clean):
            stream.end()
        show_attached(operation.name, args, result, streamed=stream is not None)
    if not args.json and _in_vain(operation.name, args, result):
        return TIMED_OUT
    return (result["exit_status"] or 0) if operation.name == "exec" and not args.json else 0


def _in_vain(name: str, args: argparse.Namespace, result: dict[str, Any]) -> bool:
    """Whether what was waited for did not come: in time, or before the command or the program ended."""
    if getattr(args, "wait", None):
        return result.get("ended_by") in ("timeout", "marker", "exit")
    return name in ("exec", "wait") and result.get("ended_by") == "timeout"


def _skills(show: str | None, folder: str | None) -> int:
    from terma.sessions import skills

    if folder:
        for path in skills.install(Path(folder).expanduser()):
            print(path)
    elif show:
        print(skills.text(show).rstrip("\n"))
    else:
        for name in skills.names():
            print(f"{name}: {skills.description(name)}")
    return 0


def _values(operation: Operation, args: argparse.Namespace) -> dict[str, Any]:
    values = {
        parameter.name: getattr(args, parameter.name)
        for parameter in operation.parameters
        if parameter.only != "mcp"
    }
    if values.get("input") == "-":
        values["input"] = sys.stdin.read()
    if values.get("text") == ["-"]:
        values["text"] = [sys.stdin.read()]
    return values


def _stream(values: dict[str, Any]) -> Any:
    """Where output goes as it comes: with --raw and --follow; None when it is shown at the end."""
    if values.get("raw"):
        return write_raw
    return Clean() if values.get("follow") else None


def _texts(operation: Operation, values: dict[str, Any]) -> Any:
    """What makes text of the output while that comes; None for an operation that gives none, and for a screen."""
    from terma.sessions.texts import Texts

    streams = any(parameter.name == "limit" for parameter in operation.parameters)
    return Texts() if streams and not values.get("snapshot") else None
