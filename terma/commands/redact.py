"""`terma redact`: what terma would hide before text leaves the machine, for anyone to try on their own output."""

from __future__ import annotations

import argparse
import codecs
import json
import os
import select
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from terma.redact import Hiding

from terma.printing import own

HELP = "copy standard input to standard output without the secrets in it"
_READ = 65_536  # bytes
_QUIET = 0.05  # seconds without input after which whole lines are given, for somebody who looks on


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--json",
        action="store_true",
        help='for programs, at the end of input: {"text", "secrets": {placeholder: value}}; the values as they are',
    )


def run(args: argparse.Namespace) -> int:
    """Streams: lines are given when no more come, of a private key none. Bytes that are no UTF-8 pass unchanged."""
    from terma.redact import Hiding as Stream
    from terma.redact import Redactor

    sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape", newline="")  # type: ignore[union-attr]
    sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape", newline="")  # type: ignore[union-attr]
    redactor = Redactor()
    if args.json:
        done = redactor.redact(sys.stdin.read())
        print(json.dumps({"text": done.text, "secrets": dict(done.secrets)}))
        return 0
    _stream(Stream(redactor))
    return 0


def _stream(hiding: Hiding) -> None:
    source = sys.stdin.fileno()
    decode = codecs.getincrementaldecoder("utf-8")("surrogateescape").decode
    while True:
        quiet = not select.select([source], [], [], _QUIET)[0]
        if quiet:
            _give(hiding.settle())
            select.select([source], [], [])
        data = os.read(source, _READ)
        _give(hiding.feed(decode(data, final=not data)))
        if not data:
            _give(hiding.flush())
            return


def _give(text: str) -> None:
    if text:
        own(text)  # a filter: what it lets through is not its own to change
        sys.stdout.flush()
