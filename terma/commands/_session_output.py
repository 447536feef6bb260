"""What `terma session` prints: output cleaned for a terminal, snapshots, tables and JSON."""

from __future__ import annotations

import argparse
import json
import sys
import time
from typing import Any

from terma.errors import UsageError
from terma.printing import own
from terma.sessions.times import in_words, lasting
from terma.text import one_line


class Clean:
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


def write_raw(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def snapshot(args: argparse.Namespace, result: dict[str, Any]) -> int:
    from terma.sessions import pictures

    shown = {key: value for key, value in result.items() if key != "data"}
    if args.form == "png":
        picture = pictures.drawn(pictures.lines_of(result), result)
        if args.json:
            import base64

            note = {"picture": picture.note} if picture.note else {}
            print(print_json(shown | note | {"png": base64.b64encode(picture.png).decode()}))
        else:
            write_raw(picture.png)
            if picture.note:
                print(f"terma: {picture.note}", file=sys.stderr)
        return 0
    if args.form == "ansi":
        shown["ansi"] = pictures.coloured(pictures.lines_of(result))
    if args.json:
        print(print_json(shown))
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


def print_json(value: Any) -> str:
    """JSON in which everything that a terminal would obey, or nobody sees, is an escape."""
    text = json.dumps(value, ensure_ascii=False)
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in text)


def as_json(result: dict[str, Any]) -> dict[str, Any]:
    shown = {
        key: value for key, value in result.items() if key not in ("data", "row", "cells", "text", "above")
    }
    if "ended_by" in result:
        shown["output"] = result.get("text", "")
    return shown


def show_attached(name: str, args: argparse.Namespace, result: dict[str, Any], streamed: bool) -> None:
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
        for reader in result["screens"]:
            print(f"{reader or '-':<16} its screen")
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
