"""`terma explain`: what each piece of a command does, before it runs."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from terma import reading
from terma.commands._asking import SHELLS, known_shell
from terma.errors import UsageError
from terma.printing import styled

if TYPE_CHECKING:
    from terma.pieces import Explained

HELP = "say what each piece of a command does, before it runs"
DESCRIPTION = """\
Say what each piece of COMMAND does: programs, subcommands, options letter by letter, redirects, pipes, patterns
with how many names they match here. What is not known here is said piece by piece. Nothing is run."""
MAX_BYTES = 64 << 10
_STYLES = {"high": "\x1b[1;31m", "medium": "\x1b[31m", "low": "\x1b[31m"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "command", nargs="?", metavar="COMMAND", help="the command, as one argument; - for standard input"
    )
    parser.add_argument("-f", "--file", metavar="F", help="a script: what stands in the file F")
    parser.add_argument("--json", action="store_true", help='for programs: {"pieces", "risk", "trouble"}')
    parser.add_argument("--cwd", default="", metavar="DIR", help="where it would run (default: here)")
    parser.add_argument(
        "--shell", type=known_shell, choices=SHELLS, help="the shell that would read it (default: yours)"
    )


def run(args: argparse.Namespace) -> int:
    """Exit status 0 when it could be read, whatever is known of its pieces; 1 when it could not."""
    from terma.pieces import Asked, explain

    line, script = _line(args)
    own = Path(os.environ.get("SHELL", "")).name
    shell = args.shell or ("bash" if script or own not in SHELLS else own)
    cwd = str(Path(args.cwd or ".").absolute())
    told = explain(Asked(line, shell, os.environ.get("PATH", os.defpath), cwd, script=script))
    if args.json:
        print(json.dumps(as_json(told), ensure_ascii=False))
    else:
        show(told)
    return 1 if told.trouble else 0


def as_json(told: Explained) -> dict[str, object]:
    """What programs get. `start` and `end` count code points; `says` is "" for what is not known."""
    keys = ("start", "end", "text", "kind", "says", "source", "depth", "risk")
    return {
        "pieces": [{key: getattr(piece, key) for key in keys} for piece in told.pieces],
        "risk": {"level": told.level, "reasons": list(told.reasons)},
        "trouble": told.trouble,
    }


def show(told: Explained) -> None:
    """Print the rows: with colours where the terminal has them, else marked."""
    from terma.pieces.rows import rows

    coloured = (
        sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "dumb") != "dumb"
    )
    columns = shutil.get_terminal_size((80, 24)).columns if sys.stdout.isatty() else 400
    for row in rows(told, max(columns - 1, 20), mark=not coloured, wrap=True):
        styled(row.text, _STYLES[row.risk] if coloured and row.risk else "")
        print()


def _line(args: argparse.Namespace) -> tuple[str, bool]:
    """What is to be explained, and whether it is a script."""
    if (args.command is None) == (args.file is None):
        raise UsageError("give one COMMAND, - for standard input, or --file F")
    if args.file is not None:
        try:
            return reading.whole(args.file, MAX_BYTES).decode("utf-8", "replace"), True
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise UsageError(f"{args.file} cannot be read: {why}") from error
    if args.command == "-":
        return sys.stdin.buffer.read(MAX_BYTES).decode("utf-8", "replace").rstrip("\n"), True
    return str(args.command), False
