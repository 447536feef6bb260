"""A value of the sentence that a draft lost is added to it as remembered commands say such values: an option of its
program (`-n shop`), or what stands behind a pipe or `>`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from terma.offline.cases.forms import kin
from terma.offline.cases.write import written
from terma.offline.draft import UNHEARD, Draft
from terma.offline.sentence import Sentence
from terma.offline.trust.programs import SUBCOMMANDS
from terma.offline.trust.tagger import Repeats
from terma.records import dataclass
from terma.shell_syntax import BASH, ShellSyntaxError, parse
from terma.shell_syntax import nodes as tree

ANY = "*"  # the command word of what stands behind any command
BEFORE, BEHIND = 3, 1  # tokens beside a value that may say what it is for
DRAFTS = 8  # that are added to
LOST = 0.5  # log odds from which a token that a draft does not have was lost
LEAST = 0.35  # of the rows that have a piece: as often the words beside its value have to stand there
NEAR = 0.85  # how well a value's kind has to fit
WORTH = 0.9  # what a draft is worth that was added to, of what it was


@dataclass(frozen=True, slots=True)
class Graft:
    """`text` has one slot; `front`: it stands ahead of the operands; `cues`: words beside its value, and how often."""

    text: str
    front: bool
    kinds: tuple[str, ...]
    cues: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Grafts:
    """`rows`: command word -> its grafts as JSON text, which is read when it is wanted."""

    rows: Mapping[str, str]

    def of(self, name: str) -> tuple[Graft, ...]:
        """What may be added to a command of this word."""
        text = self.rows.get(name)
        return _parsed(text) if text else ()


def of(data: Mapping[str, list[list[Any]]]) -> Grafts:
    """From what the memory's file holds."""
    return Grafts({name: json.dumps(rows, ensure_ascii=False) for name, rows in data.items()})


@lru_cache(maxsize=64)
def _parsed(text: str) -> tuple[Graft, ...]:
    return tuple(Graft(one, front, tuple(kinds), cues) for one, front, kinds, cues in json.loads(text))


def completed(
    drafts: Sequence[Draft], sentence: Sentence, tags: Sequence[float], known: Grafts
) -> Iterator[Draft]:
    """Of the likeliest drafts that lost one or two values, each with these values added; what cannot be added to is
    passed over."""
    tokens = sentence.tokens
    for draft in sorted(drafts, key=lambda one: -one.score)[:DRAFTS]:
        there = Repeats.of(draft.command)
        lost = [i for i, token in enumerate(tokens) if tags[i] >= LOST and not there.has(token)]
        if not 0 < len(lost) <= 2 or draft.placeholders:
            continue
        command: str | None = draft.command
        used: set[int] = set()
        for i in lost:
            added = _added(command, i, sentence, known) if command else None
            command = added[0] if added else None
            used |= added[1] if added else set()
        if command:
            yield replace(
                draft, command=command, accounted=draft.accounted | used, score=draft.score * WORTH,
                source=draft.source if draft.source.startswith("case.") else f"case.{draft.source}", heard=UNHEARD,
            )  # fmt: skip


def _added(command: str, i: int, sentence: Sentence, known: Grafts) -> tuple[str, set[int]] | None:
    """The command with the value of token `i`, and the tokens that say what it is for."""
    head = first(command)
    if head is None:
        return None
    around = {
        n: sentence.tokens[n].norm
        for n in range(max(0, i - BEFORE), min(len(sentence.tokens), i + BEHIND + 1))
        if n != i
    }
    best: tuple[float, Graft | None] = (LEAST, None)
    name = command_word(head)
    for graft in (*known.of(name), *known.of(ANY)):
        if any(kin(kind, sentence.tokens[i].kind) >= NEAR for kind in graft.kinds):
            share = sum(graft.cues.get(norm, 0.0) for norm in around.values())
            if share > best[0] and graft.text.split()[0] not in command.split():
                best = (share, graft)
    chosen = best[1]
    if chosen is None:
        return None
    piece = written(chosen.text, {0: i}, sentence)
    if not piece:
        return None
    at = head.words[head_length(head) - 1].end if chosen.front else _end(head, command, chosen)
    return command[:at] + piece + command[at:], {i, *(n for n, norm in around.items() if norm in chosen.cues)}


def _end(head: tree.Simple, command: str, graft: Graft) -> int:
    return head.words[-1].end if graft.text.lstrip()[:1] == "-" else len(command)


def head_length(head: tree.Simple) -> int:
    """How many words the program and its subcommand are, with all between them."""
    name = command_word(head).split()
    texts = [word.text for word in head.words]
    return texts.index(name[-1]) + 1


def command_word(command: tree.Simple) -> str:
    """The program of a command, with its subcommand where it has some."""
    words = [word.text for word in command.words if word.text != "sudo"]
    program = words[0] if words else ""
    sub = next((word for word in words[1:] if word[:1] != "-"), "")
    return f"{program} {sub}" if program in SUBCOMMANDS and sub else program


def read(text: str) -> tree.Script | None:
    """The text as bash reads it, None where it cannot."""
    try:
        return parse(text, BASH)
    except ShellSyntaxError:
        return None


def first(text: str) -> tree.Simple | None:
    """The first simple command of the text, with its program and something behind it."""
    script = read(text)
    if script is None or not script.statements:
        return None
    commands = script.statements[0].pipelines[0].commands
    return commands[0] if commands and isinstance(commands[0], tree.Simple) and commands[0].words else None


__all__ = ["ANY", "Graft", "Grafts", "completed", "of"]
