"""The commands of the conversation's prompt: their names, what they do in a line, and how a line becomes one."""

from __future__ import annotations

import difflib
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Slash:
    """`argument` is shown in the help, "" for none; in brackets when it may be left out."""

    name: str
    about: str
    argument: str = ""


COMMANDS = (
    Slash("help", "this list, and the keys"),
    Slash("clear", "forget what was said; the shell stays as it is"),
    Slash("compact", "put a summary in place of what was said"),
    Slash("undo", "forget the last question and its answer, and edit the question; or take /compact back"),
    Slash("retry", "ask the last question again"),
    Slash("save", "write the conversation to a markdown file, without secrets", "[FILE]"),
    Slash("copy", "put the last answer's code, or else the answer, into the terminal's clipboard"),
    Slash("cost", "what this conversation has used"),
    Slash(
        "model",
        "which model answers, and what there is with the server's own (`NAME/model`), or another one from now on",
        "[NAME]",
    ),
    Slash("role", "what the model is told to be, or another role from now on", "[NAME]"),
    Slash("tools", "what the model may propose"),
    Slash("forget", "ask again about commands that were approved for the session"),
    Slash("quit", "leave; so do exit, Ctrl+D and Ctrl+C twice"),
)
OTHER_NAMES = {"exit": "quit", "q": "quit", "bye": "quit", "h": "help", "?": "help", "usage": "cost"}
KEYS = (
    ("Enter", "send it: a command runs in the shell, words go to the model"),
    ("Ctrl+T", "words become a command, again the next; on the empty line the last answer's code, or a fix"),
    ("Ctrl+G", "change which of the two it is"),
    ("! or \\ first", "a command, whatever it looks like"),
    ("> first", "words for the model"),
    ("Alt+Enter", "a new line (Esc, then Enter); pasted lines stay lines"),
    ("Tab", "complete programs, paths, /commands, roles, models"),
    ("Ctrl+O", "show the rest of an output, where `conversation.display_lines` bounds it"),
    ("Ctrl+C", "stop what is under way; at the prompt twice: leave"),
    ("Ctrl+Z", "stop the command that runs: it can go on here or as a session"),
)


def parse(line: str) -> tuple[str, str] | None:
    """(name, argument) of a line like `/model local`; None for a line that is something else, a path for instance.

    The name is as typed where there is no such command, "" for `/` alone."""
    text = line.strip()
    if not text.startswith("/") or "\n" in text:
        return None
    word, _, argument = text[1:].partition(" ")
    if "/" in word or (word and not (word.isalpha() or word == "?")):
        return None  # /etc/hosts, /tmp
    name = word.lower()
    return OTHER_NAMES.get(name, name), argument.strip()


def known(name: str) -> bool:
    return any(command.name == name for command in COMMANDS)


def nearest(name: str) -> str:
    """The command that was probably meant, "" when there is none near."""
    close = difflib.get_close_matches(name, [command.name for command in COMMANDS], n=1)
    return close[0] if close else ""


def help_rows() -> list[tuple[str, str]]:
    """What /help lists: a name or key, and what it does."""
    named = [(f"/{one.name} {one.argument}".strip(), one.about) for one in COMMANDS]
    return [*named, *KEYS]
