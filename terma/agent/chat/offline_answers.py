"""What the embedded partner can say without a model: itself, a command's parts, what was run, what the machine does.

Each answer is read off something: the manual pages, the conversation, the kernel. Where that says nothing, neither does
this.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from terma import __version__
from terma.agent.chat import (
    arithmetic,
    exit_statuses,
    explain_questions,
    option_questions,
    presence,
    slowness,
)
from terma.errors import UnknownAnswer
from terma.pieces import Asked
from terma.text import one_line
from terma.types import Query

ABOUT = """\
I am terma's embedded engine: no model, no network. What I can do:

- turn one sentence into one command: `find files larger than 1 GB`, `count the lines of notes.txt`
- say why a command failed, and offer what mends it: `why?`
- say what a command does, piece by piece: `explain tar -xzf`, `what does chmod 755 do`
- say what options do, and which one to take: `cp -r or cp -a?`, `which option of tar keeps rights`
- say what was run here, how it went and what it printed, run it again, and why this machine is slow
- do sums: `17 * 23`, `15% of 80`
- go on with the last output: `show the first one`, `delete the second file`

I do not know the world, and I do not talk about code. A model does: terma config init, or terma local install."""
_ABOUT = re.compile(
    r"(?i)^\W*(?:what (?:all |else )?(?:can|do(?:es)?) (?:you|terma|this(?: (?:engine|program|thing|tool))?)"
    r" (?:do|know|offer|help (?:me )?with)(?: for me)?(?: here)?"
    r"|who are you|what are you(?: able to do)?"
    r"|(?:what|which) (?:model|engine|llm|ai|assistant)(?: model)? (?:are|is) (?:you|this|terma)"
    r"|are you (?:an? |the )?(?:\w+ ){0,2}(?:model|ai|llm|bot|chatbot|robot|human|person|program|assistant)"
    r"|how can you help(?: me)?|what (?:are|do) you (?:good|capable) (?:at|of|for)|what is terma)\W*$"
)
_DEEDS = re.compile(
    r"(?i)^\W*what(?:'s| is| has| have| did| had)? (?:the|an?|this|that|you) ?(?:[a-z][\w-]* )??"
    r"(?:just )?(?:do|done|doing|did)\W*$"
)
_DEFINITION = re.compile(
    r"(?i)^\W*what(?:(?:'s| is| are) (?:an? )?[a-z][\w-]*"
    r"| do(?:es)? (?:an?|the) [a-z][\w-]* (?:do|mean)(?: for me)?)\W*$"
)
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
_ONE = re.compile(
    rf"(?i)\b(?:the )?(?P<word>{'|'.join(_ORDINALS)}|last|\d{{1,3}}(?:st|nd|rd|th))"
    r" (?:one|line|file|folder|directory|name|command|entry|result|item|of (?:them|those|these))\b"
    rf"|\bthe (?P<bare>{'|'.join(_ORDINALS)}|last|\d{{1,3}}(?:st|nd|rd|th))(?=\W*\Z)"
)
_COLUMN = re.compile(r"\t\s*|\s{2,}")
_PLAIN = re.compile(r"[\w./@%+=:,-]+")
MAX_COMMANDS = 10  # commands that are told


@dataclass(frozen=True, slots=True)
class Shown:
    """What a command printed; `command` "" where that is not known."""

    command: str
    output: str


def told(question: str, query: Query) -> str:
    """Markdown, or "" where this has nothing to say. Blocks for some milliseconds, for a question why it is slow for
    half a second."""
    if said := exit_statuses.told(question) or arithmetic.told(question):
        return said
    if slowness.asked(question):
        return slowness.told(question)
    if said := presence.told(question, query):
        return said
    return explain_questions.explained(question, query) or option_questions.answered(question, query)


def asks_what_it_is(question: str) -> bool:
    """Whether a thing of the world is asked about ("what is dns"), which no command answers."""
    return _DEFINITION.search(question) is not None


def asks_what_was_done(question: str) -> bool:
    """Whether it is asked what somebody did ("what did the agent do"), which no command tells."""
    return _DEEDS.search(question) is not None


def of_itself() -> str:
    """What is so of the embedded engine whatever is asked of it."""
    return (
        f"I have no answer to that. Of myself I know: I am the embedded engine of terma {__version__}; I use no model "
        "and send nothing; a command that I propose runs once you approve it, or where `--yes` and your settings allow "
        "it. `what can you do?` tells what I answer."
    )


def asks_of_itself(question: str) -> bool:
    return _ABOUT.search(question) is not None


def from_history(typed: Sequence[str]) -> str:
    """What the shell's history has last, where nothing is known to have run here."""
    if typed:
        told = "\n".join(f"- `{one_line(command, 200)}`" for command in typed[-MAX_COMMANDS:])
        return (
            f"Your shell's history has these last; what it has not written there yet is not known:\n\n{told}"
        )
    return "I know of no command: terma's key in your shell (`terma init`) tells me of the last one."


def what_it_does(command: str, query: Query) -> str:
    """The pieces of a command, "" where none is known."""
    return explain_questions.explained(f"explain {command}", query)


def told_of_a_thing(question: str, shown: Shown | None, query: Query) -> str:
    """What "the first one" is, or what that does where it is a command; "" where the question wants more. Raises
    UnknownAnswer where only an output could tell, and there is none."""
    found = _ONE.search(question)
    if found is None:
        return ""
    around = question[: found.start()], question[found.end() :]
    wants = next(explain_questions.wanted(f"{around[0]}it{around[1]}"), None)
    alone = not any(part.strip(" ?.!") for part in around)
    if shown is None and (alone or (wants and wants.command == "it")):
        raise UnknownAnswer(
            "no output is known that this could point into",
            "run the command here, or in tmux, zellij, screen, kitty or wezterm",
        )
    thing = _pointed_at(found, shown)
    if not thing:
        return ""
    if wants and wants.command == "it":
        asked = Asked("", query.shell, query.path, query.cwd or "/")
        return (
            explain_questions.told_of(replace(wants, command=thing, loose=True), asked)
            or f"That is `{thing}`."
        )
    return f"That is `{thing}`: say what to do with it." if alone else ""


def _pointed_at(found: re.Match[str], shown: Shown | None) -> str:
    items = _items(shown) if shown else []
    word = (found["word"] or found["bare"]).lower()
    at = -1 if word == "last" else _ORDINALS.index(word) if word in _ORDINALS else int(word[:-2]) - 1
    return items[at] if items and at < len(items) else ""


def pointed(question: str, shown: Shown | None) -> tuple[str, str]:
    """The question with "the first one" replaced by what that is in `shown`, and that thing; ("", "") where nothing is
    pointed at or there is nothing to point into."""
    found = _ONE.search(question)
    item = _pointed_at(found, shown) if found else ""
    if found is None or not item:
        return "", ""
    if not _PLAIN.fullmatch(item):
        if "'" in item:
            return "", ""  # no name is made of it that a shell could read otherwise
        item = f"'{item}'"
    return f"{question[: found.start()]}{item}{question[found.end() :]}".strip(" ?."), item


def _items(shown: Shown) -> list[str]:
    """One a line; of a long listing the name, which stands last; of names in columns each, down the columns as `ls`
    writes them."""
    lines = [line.strip() for line in shown.output.splitlines() if line.strip()]
    if lines and re.fullmatch(r"total [\d.,]+\w?", lines[0]):
        lines = lines[1:]
    listing = re.compile(r"[-dlbcps][rwxsStT-]{9}[.+@]?\s")
    if lines and all(listing.match(line) for line in lines):
        return [line.split(maxsplit=8)[-1].partition(" -> ")[0] for line in lines]
    sized = re.compile(r"[\d.,]+[KMGTB]?\t(.+)")  # du, and wc by tabs
    if lines and all(sized.fullmatch(line) for line in lines):
        return [line.split("\t", 1)[1] for line in lines]
    if shown.command.split(maxsplit=1)[:1] == ["ls"]:
        rows = [_COLUMN.split(line) for line in lines]
        return [name for column in zip_longest(*rows) for name in column if name]
    return lines
