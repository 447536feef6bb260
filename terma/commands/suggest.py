"""`terma suggest`: a sentence in, one command out, for scripts, editors and people without the key."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from collections.abc import Mapping
from typing import Any

from terma.commands._asking import (
    SHELLS,
    Ask,
    add_engine_arguments,
    asker,
    engine_fields,
    known_shell,
    surroundings,
)
from terma.errors import TermaError, UnknownAnswer, UsageError

SECOND = {"second": "1"}  # what is nearest is wanted too, where nothing is sure
NOTHING = {"command": "", "candidates": [], "engine": "", "confidence": 0.0, "second": None}
HELP = "print a command for a sentence"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("words", nargs="*", metavar="WORDS", help="what you want, in plain words")
    parser.add_argument("--shell", type=known_shell, choices=SHELLS, help="for which shell (default: yours)")
    parser.add_argument("-n", "--count", type=int, default=1, metavar="K", help="print up to K commands")
    parser.add_argument(
        "--json", action="store_true", help="for programs: candidates, scores, risk, placeholders"
    )
    parser.add_argument(
        "--explain", action="store_true", help="with what each piece of a command does (--json: its pieces)"
    )
    parser.add_argument(
        "--batch",
        action="store_true",
        help="read sentences from standard input, one a line; print one line each",
    )
    add_engine_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Exit status 0, or 1 with a reason on standard error when it does not know. With --batch always 0."""
    if args.batch == bool(args.words):
        raise UsageError("give a sentence, or --batch and sentences on standard input")
    if args.batch and args.explain:
        raise UsageError("--explain takes one sentence, not a batch")
    if args.count < 1:
        raise UsageError("-n wants a number above 0")
    fields = engine_fields(args, surroundings(args.shell)) | {"count": str(args.count)}
    with contextlib.ExitStack() as stack:
        ask = asker(stack)
        if args.batch:
            sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
            for line in sys.stdin:
                print(_one_line(ask, fields | {"words": line.strip()}, args.json), flush=True)
        else:
            answer = ask("suggest", {**fields, "words": " ".join(args.words), **SECOND})
            if not answer["command"]:
                return _not_sure(answer, args.json)
            if args.explain:
                _explain(answer, fields, args.json)
                return 0
            print(json.dumps(answer, ensure_ascii=False) if args.json else _commands(answer))
            for note in () if args.json else answer.get("notes", ()):
                print(f"terma: {note}", file=sys.stderr)
    return 0


def _explain(answer: dict[str, Any], fields: Mapping[str, str], as_json: bool) -> None:
    """Each candidate, and below it what its pieces do."""
    from terma.commands import explain
    from terma.pieces import Asked
    from terma.pieces import explain as pieces

    for candidate in answer["candidates"]:
        asked = Asked(candidate["command"], fields["shell"], fields["path"], fields.get("cwd", ""))
        told = pieces(asked)
        if as_json:
            candidate["pieces"] = explain.as_json(told)["pieces"]
        else:
            print(candidate["command"])
            explain.show(told)
    if as_json:
        print(json.dumps(answer, ensure_ascii=False))
    for note in () if as_json else answer.get("notes", ()):
        print(f"terma: {note}", file=sys.stderr)


def _not_sure(answer: dict[str, Any], as_json: bool) -> int:
    """Nothing that may be inserted: no command on standard output, why and what is nearest on standard error."""
    if as_json:
        print(json.dumps(answer, ensure_ascii=False))
    else:
        raise UnknownAnswer(answer["message"], answer["hint"])
    return 1


def _commands(answer: dict[str, Any]) -> str:
    return "\n".join(candidate["command"] for candidate in answer["candidates"])


def _one_line(ask: Ask, fields: Mapping[str, str], as_json: bool) -> str:
    """The answer to one line of a batch: the first command, a newline in it as `\\n`; empty when unknown."""
    try:
        answer = (
            ask("suggest", {**fields, **(SECOND if as_json else {})}) if fields["words"] else dict(NOTHING)
        )
    except TermaError as error:
        if error.code not in ("unknown", "usage"):
            raise
        answer = dict(NOTHING)
    if as_json:
        return json.dumps(answer, ensure_ascii=False)
    return str(answer["command"]).replace("\n", "\\n")
