"""`terma redact`: what terma would hide before text leaves the machine, for anyone to try on their own output."""

from __future__ import annotations

import argparse
import json
import sys

HELP = "copy standard input to standard output without the secrets in it"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--json",
        action="store_true",
        help='for programs, at the end of input: {"text", "secrets": {placeholder: value}}; the values as they are',
    )


def run(args: argparse.Namespace) -> int:
    """Streams line by line; a private key is held until its last line. Bytes that are no UTF-8 pass unchanged."""
    from terma.redact import Redactor, redact_lines

    sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape", newline="")  # type: ignore[union-attr]
    sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape", newline="")  # type: ignore[union-attr]
    redactor = Redactor()
    if args.json:
        done = redactor.redact(sys.stdin.read())
        print(json.dumps({"text": done.text, "secrets": dict(done.secrets)}))
        return 0
    for text in redact_lines(sys.stdin, redactor):
        sys.stdout.write(text)
        sys.stdout.flush()
    return 0
