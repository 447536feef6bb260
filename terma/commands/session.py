"""`terma session`: programs on terminals that live on, for scripts, for coding agents, and for people who look in."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from terma import client
from terma.errors import UsageError
from terma.printing import own
from terma.sessions.operations import OPERATIONS, Operation, Parameter
from terma.sessions.times import in_words, lasting
from terma.text import one_line

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
        parser.add_argument(name, metavar=name.upper(), type=kind, help=parameter.help)
    elif parameter.positional:
        how = {"rest": "*", "some": "+"}[parameter.positional]
        parser.add_argument(name, metavar=name.upper(), nargs=how, help=parameter.help)
    elif parameter.kind == "boolean":
        parser.add_argument(parameter.flag, dest=name, action="store_true", help=parameter.help)
    elif parameter.kind == "array":
        parser.add_argument(parameter.flag, dest=name, action="append", metavar="TEXT", help=parameter.help)
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
            help=parameter.help,
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
        result["text"] = "" if result.get("drawn") else texts.text(result.get("row", b""))
    if result.get("screen") is not None and values.get("snapshot"):
        shown = _snapshot(args, result)
        return TIMED_OUT if result.get("ended_by") == "timeout" and not args.json else shown
    if args.json:
        print(_json(_as_json(result)))
    else:
        if isinstance(stream, _Clean):
            stream.end()
        _show(operation.name, args, result, streamed=stream is not None)
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
        return _write_raw
    return _Clean() if values.get("follow") else None


def _texts(operation: Operation, values: dict[str, Any]) -> Any:
    """What makes text of the output while that comes; None for an operation that gives none, and for a screen."""
    from terma.sessions.texts import Texts

    streams = any(parameter.name == "limit" for parameter in operation.parameters)
    return Texts() if streams and not values.get("snapshot") else None


class _Clean:
    """Prints what comes, without anything that a terminal obeys, and ends the last line."""

    def __init__(self) -> None:
        import codecs

        from terma.text import StreamSanitizer

        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._clean = StreamSanitizer()
        self._printed = False

    def __call__(self, data: bytes) -> None:
        text = self._clean.feed(self._decode(data))
        self._printed = self._printed or bool(text)
        sys.stdout.write(text)
        sys.stdout.flush()

    def end(self) -> None:
        if self._printed:
            print(flush=True)


def _write_raw(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def _snapshot(args: argparse.Namespace, result: dict[str, Any]) -> int:
    from terma.sessions import pictures

    shown = {key: value for key, value in result.items() if key != "data"}
    if args.form == "png":
        picture = pictures.drawn(pictures.lines_of(result), result)
        if args.json:
            import base64

            note = {"picture": picture.note} if picture.note else {}
            print(_json(shown | note | {"png": base64.b64encode(picture.png).decode()}))
        else:
            _write_raw(picture.png)
            if picture.note:
                print(f"terma: {picture.note}", file=sys.stderr)
        return 0
    if args.form == "ansi":
        shown["ansi"] = pictures.coloured(pictures.lines_of(result))
    if args.json:
        print(_json(shown))
    elif args.changed:
        from terma.sessions.screens import changed

        print(changed(shown))
    elif "ansi" in shown:
        own(
            shown["ansi"] + "\n"
        )  # drawn here, of cells: a character each, and the colours that were asked for
    else:
        print(shown["screen"])
    return 0


def _json(value: Any) -> str:
    """JSON in which everything that a terminal would obey, or nobody sees, is an escape."""
    text = json.dumps(value, ensure_ascii=False)
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in text)


def _as_json(result: dict[str, Any]) -> dict[str, Any]:
    shown = {key: value for key, value in result.items() if key not in ("data", "row", "cells", "text")}
    if "ended_by" in result:
        shown["output"] = result.get("text", "")
    return shown


def _show(name: str, args: argparse.Namespace, result: dict[str, Any], streamed: bool) -> None:
    if name == "list":
        _table(result.get("items", []))
    elif name == "info":
        print(result["position"]) if args.size else _facts(result)
    elif name == "search":
        _matches(result)
    elif name == "create":
        how = "made" if result["created_now"] else "there already"
        print(f"{result['session']}: {how}, {result['state']} ({one_line(' '.join(result['command']), 200)})")
    elif name in ("stop", "kill"):
        print(
            f"{result['session']}: {'stopped' if name == 'stop' else 'gone'}, {result['processes']} processes ended"
        )
    elif name == "cursor":
        for reader, position in sorted(result["cursors"].items()):
            print(f"{reader or '-':<16} {position}")
    elif name == "wait":
        which = f" ({one_line(result['pattern'], 80)})" if result["pattern"] else ""
        print(f"{result['session']}: {result['ended_by']}{which}")
    elif name in ("exec", "read") or (name == "send" and "ended_by" in result):
        _output(name, result, streamed, bool(getattr(args, "wait", None)))


def _output(name: str, result: dict[str, Any], streamed: bool, waited: bool) -> None:
    text = result.get("text", "")
    if text and not streamed:
        print(text)
    if result.get("screen"):
        print(result["screen"])
    sys.stdout.flush()
    said = []
    if result["gap_bytes"]:
        said.append(f"{result['gap_bytes']} bytes were dropped before they were read")
    if name == "exec" and result["ended_by"] == "marker" and waited:
        said.append(
            f"the command ended with status {result['exit_status']}, and the output that --wait names never came"
        )
    elif name == "exec" and result["ended_by"] not in ("marker", "pattern"):
        said.append(f"ended by {result['ended_by']}, state {result['state']}")
    if result.get("lost"):
        said.append(result["lost"])
    if said:
        print("terma: " + "; ".join(said), file=sys.stderr)


def _table(sessions: list[dict[str, Any]]) -> None:
    if not sessions:
        print("there is no session; terma session create NAME makes one")
        return
    for one in sessions:
        state = one["state"] if one["exit_status"] is None else f"exited {one['exit_status']}"
        age = lasting(time.time() - one["created"])
        print(
            f"{one['session']:<16} {state:<13} {one['pid']:>8} {age:>10}  {one['position']:>11} bytes  "
            f"{one_line(' '.join(one['command']), 40)}"
        )


def _facts(result: dict[str, Any]) -> None:
    for key, value in in_words(result, time.time()).items():
        if key != "data":
            shown = " ".join(value) if isinstance(value, list) else value
            print(f"{key:<12} {one_line(str('-' if shown is None else shown), 200)}")


def _matches(result: dict[str, Any]) -> None:
    for number, match in enumerate(result["matches"]):
        if number and (match["before"] or match["after"]):
            print("--")
        first = match["line"] - len(match["before"])
        for at, line in enumerate([*match["before"], match["text"], *match["after"]], first):
            print(f"{at}{':' if at == match['line'] else '-'}{line}")
    if result["total"] > len(result["matches"]):
        print(f"terma: {result['total']} matches, the first are shown; --max N", file=sys.stderr)
    if not result["total"]:
        raise UsageError("nothing matches", "terma session read NAME --all shows everything")
