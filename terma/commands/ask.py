"""`terma ask`, and `terma "question"`: an answer as it comes, and what it wants to run, once you approved it."""

from __future__ import annotations

import argparse
import os
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from terma.commands._asking import add_engine_arguments, ask_first, chat_options
from terma.errors import UsageError
from terma.printing import own
from terma.repl.display.spinner import EARLY

if TYPE_CHECKING:
    from terma.repl.setup.context import Given

HELP = 'ask a question: terma "why did this fail?"; what it proposes runs once you approve it'
DESCRIPTION = """\
Ask a question about this terminal and this machine. Text that is piped in, and each --file, comes with it.
What the model wants to run is shown first, whole, with what it could destroy; you approve, change or reject it.

  terma "why did this fail?"
  terma "and how do i undo it?"     a moment later at the same prompt: it follows up (--new does not)
  make 2>&1 | terma "what is wrong?"
  terma ask --file build.log "which test failed?"

Exit status: 0 answered, 1 error, 2 wrong usage, 130 interrupted."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("question", nargs="*", metavar="QUESTION", help="- reads it from standard input")
    parser.add_argument(
        "--file",
        action="append",
        default=[],
        metavar="F",
        help="text that belongs to the question (repeatable)",
    )
    add_conversation_arguments(parser)
    parser.add_argument("--json", action="store_true", help="for programs: every event as a line of JSON")


def add_conversation_arguments(parser: argparse.ArgumentParser) -> None:
    """The flags that `terma ask` and `terma chat` share."""
    parser.add_argument(
        "--no-context", action="store_true", help="tell nothing of the last command, directory and terminal"
    )
    parser.add_argument(
        "--pane",
        default="",
        metavar="P",
        help="what another pane shows: of tmux (%%3, left), zellij, screen, kitty, wezterm",
    )
    add_engine_arguments(parser)
    parser.add_argument(
        "--temperature", type=_warmth, metavar="T", help="0 to 2: how freely the model speaks"
    )
    parser.add_argument(
        "--max-steps", type=_steps, default=0, metavar="N", help="requests to the model, at most"
    )
    parser.add_argument(
        "--continue",
        action="store_true",
        dest="go_on",
        help="go on with the newest conversation of this terminal, else of this directory",
    )
    parser.add_argument("--resume", default="", metavar="ID", help="go on with that one; --list shows them")
    parser.add_argument(
        "--new", action="store_true", help="begin anew, also where a question would follow up the one before"
    )
    parser.add_argument("--list", action="store_true", help="list the saved conversations")
    parser.add_argument("--no-save", action="store_true", help="keep nothing of this on disk")
    parser.add_argument(
        "--yes", action="store_true", help="do not ask about harmless commands that conversation.allow lists"
    )


def run(args: argparse.Namespace) -> int:
    """0 answered, 1 error, 130 interrupted. Raises UsageError where there is no question."""
    if args.list:
        from terma.repl.listing import show

        return show(args.json)
    question, given = _question(args)
    if not args.json:
        ask_first(args)
    if args.json or not _draws():
        return _ask(args, question, given, False)
    from terma.repl.tty.echo import unechoed_from_the_start

    with unechoed_from_the_start():  # something is under way: what answers is slow to import
        own(EARLY)
        sys.stdout.flush()
        return _ask(args, question, given, True)


def _ask(args: argparse.Namespace, question: str, given: list[Given], begun: bool) -> int:
    from terma.repl.once import Question, ask

    return ask(Question(question, tuple(given), not args.no_context), chat_options(args), args.json, begun)


def _draws() -> bool:
    """Whether there is a terminal on which rows can be drawn."""
    from terma.repl.tty.foreground import in_front, plain_terminal

    draws = os.isatty(1) and in_front(1) and not plain_terminal()
    return draws and sys.stdout.encoding.lower().startswith("utf")


def _question(args: argparse.Namespace) -> tuple[str, list[Given]]:
    """The question, and the texts that came with it."""
    from terma.repl.setup.context import Given

    words = [word for word in args.question if word != "-"]
    given = [Given(name, _read(name)) for name in args.file]
    piped = _piped() if "-" in args.question or _is_piped() else ""
    question = " ".join(words).strip()
    if not question and piped.strip():
        question, piped = piped.strip(), ""
    if not question:
        raise UsageError(
            "there is no question", 'terma "why did this fail?"; terma alone begins a conversation'
        )
    if piped.strip():
        given.append(Given("", piped))
    return question, given


def _is_piped() -> bool:
    """Whether somebody hands over text: a pipe or a file, not a terminal, /dev/null or nothing."""
    try:
        mode = os.fstat(0).st_mode
    except OSError:
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISREG(mode)


def _piped() -> str:
    from terma.repl.setup.context import MAX_GIVEN

    if sys.stdin is None:
        return ""
    if sys.stdin.isatty():
        print("reading the question from this terminal; Ctrl+D ends it", file=sys.stderr)
    return _drained(MAX_GIVEN).decode("utf-8", "replace")


def _drained(most: int) -> bytes:
    """The end of standard input is what tells: of a long one the first and the last half are kept."""
    head = sys.stdin.buffer.read(most // 2)
    tail = b""
    while piece := sys.stdin.buffer.read(1 << 20):
        tail = (tail + piece)[-most // 2 :]
    return head + tail


def _read(name: str) -> str:
    from terma.repl.setup.context import MAX_GIVEN

    if name == "-":
        return _piped()
    path = Path(name)
    if path.is_dir():
        raise UsageError(f"{name} is a directory", "--file takes a text file")
    with path.open("rb") as file:
        return file.read(MAX_GIVEN).decode("utf-8", "replace")


def _steps(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= 1000:
        raise argparse.ArgumentTypeError("a number from 1 to 1000")
    return int(text)


def _warmth(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 2:
        raise argparse.ArgumentTypeError("a number from 0 to 2")
    return value
