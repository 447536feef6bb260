"""`terma chat`, and `terma` alone on a terminal: a prompt for commands and for questions."""

from __future__ import annotations

import argparse

from terma.commands._asking import ask_first, chat_options
from terma.commands.ask import add_conversation_arguments
from terma.errors import UsageError

HELP = "a prompt that takes commands for your shell and questions for the model"
DESCRIPTION = """\
A prompt. What looks like a command runs in a shell of yours that remembers; words go to the model. Which of the two
it is stands beside the line while you type: Ctrl+G changes it, ! or \\ in front makes it a command, > a question.
What the model wants to run is shown first; you approve, change or reject it. /help lists the rest."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("question", nargs="*", metavar="QUESTION", help="the first question")
    add_conversation_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """0 when the person left. Raises UsageError without a terminal."""
    from terma.repl.tty.foreground import on_terminal

    if args.list:
        from terma.repl.listing import show

        return show(False)
    if not on_terminal():
        raise UsageError(
            "chat needs a terminal", 'for one question, also in a pipe: terma "why did this fail?"'
        )
    from terma.repl.chat import chat

    ask_first(args)
    return chat(chat_options(args), " ".join(args.question), not args.no_context)
