"""What the embedded partner can say without a model: itself, a command's parts, what was run, what the machine does.

Each answer is read off something: the manual pages, the conversation, the kernel. Where that says nothing, neither does
this.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from terma.agent.chat import option_questions
from terma.machine.load import Load, measured
from terma.pieces import Asked, explain
from terma.pieces.model import NO_PROGRAM
from terma.text import one_line
from terma.types import Query

ABOUT = """\
I am terma's embedded engine: no model, no network. What I can do:

- turn one sentence into one command: `find files larger than 1 GB`, `count the lines of notes.txt`
- say why a command failed, and offer what mends it: `why?`
- say what a command does, piece by piece: `explain tar -xzf`, `what does chmod 755 do`
- say what options do, and which one to take: `cp -r or cp -a?`, `which option of tar keeps rights`
- say what was run here, and why this machine is slow
- go on with the last output: `show the first one`, `delete the second file`

I do not know the world, and I do not talk about code. A model does: terma config init, or terma local install."""
_ABOUT = re.compile(
    r"(?i)^\W*(?:what (?:all )?(?:can|do) you (?:do|know|offer|help (?:me )?with)"
    r"|who are you|what are you(?: able to do)?"
    r"|how can you help(?: me)?|what (?:are|do) you (?:good|capable) (?:at|of|for)|what is terma)\W*$"
)
_EXPLAIN = re.compile(
    r"(?is)^\W*(?:please\s+)?(?:(?:can|could) you\s+)?(?:explain|describe):?\s+(?:to me\s+)?(?:what\s+)?"
    r"(?:the (?:command|flags?|options?)\s+)?"
    r"(?P<a>.+?)(?:\s+(?:does|do|means?))?\W*$"
    r"|^\W*what (?:does|do|is|are|'s)\s+(?:the (?:command|option)\s+)?(?P<b>.+?)"
    r"(?:\s+(?:do|does|mean|stand for|for))?\s*\?*\s*$"
    r"|^\W*what's\s+(?P<c>.+?)\s*\?*\s*$"
)
_RUN = re.compile(
    r"(?i)^\W*(?:what|which (?:command|one)|show me what)\s+(?:(?:did|have) (?:i|we)(?: just)?|i(?: just)?)\s+"
    r"(?:run|ran|do|did|typed?|execute[d]?|done)\b"
    r"|^\W*what (?:was|were|is) (?:my|the) (?:last|previous|most recent) (?:\d+ )?commands?\b"
)
_LAST = re.compile(
    r"(?i)^\W*(?:explain|describe|what (?:does|did))\s+(?:the|my|that|this) (?:last |previous )?command\b"
)
_SLOW = re.compile(
    r"(?i)^\W*(?:so |and )*why (?:is|was|does|did|are) "
    r"(?:it|this|that|everything|the (?:machine|computer|system|laptop|server)|my \w+|things?)"
    r"(?: (?:being|running|so|that|all|take|taking|feel|feeling))* (?:slow|sluggish|laggy|long|hanging|unresponsive)\b"
)
_DEFINITION = re.compile(r"(?i)^\W*what(?:'s| is| are) (?:(?:an?) )?([a-z][\w-]*)\W*$")
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
_ONE = re.compile(
    rf"(?i)\b(?:the )?(?P<word>{'|'.join(_ORDINALS)}|last|\d{{1,3}}(?:st|nd|rd|th))"
    r"(?: (?P<noun>one|line|file|entry|result|item|of (?:them|those|these)))\b"
)
_COLUMN = re.compile(r"\t\s*|\s{2,}")
_PLAIN = re.compile(r"[\w./@%+=:,-]+")
_SAID = re.compile(r"^Command: (.+)\n(?:Exit status: (\d+))?", re.MULTILINE)  # as what was captured is told


@dataclass(frozen=True, slots=True)
class Shown:
    """What a command printed; `command` "" where that is not known."""

    command: str
    output: str


def told(question: str, context: str, ran: Sequence[tuple[str, int]], query: Query) -> str:
    """Markdown, or "" where this has nothing to say. `ran` are this conversation's commands with their statuses, the
    oldest first. Blocks for some milliseconds, for a question why it is slow for half a second."""
    if _ABOUT.search(question):
        return ABOUT
    if _RUN.search(question):
        return _was_run(context, ran)
    if _LAST.search(question) and (known := _known(context, ran)):
        question = f"explain {known[-1][0]}"
    if _SLOW.search(question):
        return _slow(measured())
    return _explained(question, query) or option_questions.answered(question, query)


def asks_what_it_is(question: str) -> bool:
    """Whether a thing of the world is asked about ("what is dns"), which no command answers."""
    return _DEFINITION.search(question) is not None


def _was_run(context: str, ran: Sequence[tuple[str, int]]) -> str:
    rows = _known(context, ran)
    if not rows:
        return "I know of no command: terma's key in your shell (`terma init`) tells me of the last one."
    lines = [f"- `{command}`{_status(status)}" for command, status in rows[-10:]]
    return "\n".join(lines)


def _known(context: str, ran: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """The commands that were run, with their statuses: what was captured of the terminal came before all others."""
    seen = [(command, int(status) if status else -1) for command, status in _SAID.findall(context)]
    return [*[one for one in seen if one not in ran], *ran]


def _status(status: int) -> str:
    return "" if status < 0 else " worked" if status == 0 else f" ended with exit status {status}"


def _slow(load: Load) -> str:
    """Facts, and no more of a cause than they show."""
    lines = list(load.lines())
    if not load.strained():
        lines.append(
            "Nothing of that is short now: the time goes into the command itself, or into waiting for others."
        )
    return "\n".join(f"- {line}" for line in lines)


def _explained(question: str, query: Query) -> str:
    found = _EXPLAIN.search(question)
    command = next((one for one in found.groups() if one), "").strip(" `'\"") if found else ""
    first = command.split(maxsplit=1)[0] if command else ""
    if not first:
        return ""
    if re.search(r"(?i)\bwhat (?:is|are)\b", question) and " " in command and "-" not in command:
        return ""  # "what is time in Tokyo": a program's name may begin a sentence
    told = explain(Asked(command, query.shell, query.path, query.cwd or "/"))
    known = [piece for piece in told.pieces if piece.says and piece.says != NO_PROGRAM]
    if not known or known[0].start > 0:
        return ""
    if len(known) == 1 < len(told.pieces) and "-" not in command:
        return ""  # words behind a word that is a program's name, too
    shown = [piece for piece in told.pieces if piece.says or piece.kind == "option"]
    rows = [f"{'  ' * piece.depth}- `{one_line(piece.text)}`: {piece.told}" for piece in shown]
    if told.level != "low":
        rows.append(f"\n{told.level} risk: {'; '.join(told.reasons)}")
    return "\n".join(rows)


def pointed(question: str, shown: Shown | None) -> tuple[str, str]:
    """The question with "the first one" replaced by what that is in `shown`, and that thing; ("", "") where nothing is
    pointed at or there is nothing to point into."""
    found = _ONE.search(question)
    items = _items(shown) if shown else []
    if found is None or not items:
        return "", ""
    word = found["word"].lower()
    at = -1 if word == "last" else _ORDINALS.index(word) if word in _ORDINALS else int(word[:-2]) - 1
    if at >= len(items):
        return "", ""
    item = items[at]
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
