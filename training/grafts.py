"""Which pieces of remembered commands say one value of their sentence and may be added to another command: options of a
program with their value (`-n shop`), and what stands behind a pipe or `>`. Learned with the memory."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from terma.offline.cases.align import Item
from terma.offline.cases.grafts import ANY, BEFORE, BEHIND, command_word, first, read
from terma.offline.cases.parts import PART, SLOT
from terma.shell_syntax import nodes as tree

SEEN = 3  # rows that have to have a piece
DOUBT = 3  # rows that are thought to have it without the word: what few have shows little
CUED = 2  # and a word beside its value
LIFT = 4.0  # how much oftener than elsewhere the word stands there


@dataclass
class _Piece:
    count: int = 0
    front: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    cues: Counter[str] = field(default_factory=Counter)


def grafts(rows: Iterable[str]) -> dict[str, list[list[Any]]]:
    """Command word (ANY for what stands behind any command) -> [text, whether it stands ahead of the operands, kinds,
    words beside its value with the share of rows that have them]."""
    found: dict[str, dict[str, _Piece]] = defaultdict(lambda: defaultdict(_Piece))
    said: Counter[str] = Counter()
    total = 0
    for row in rows:
        templates, texts = json.loads(row)
        items = [Item.read(text) for text in texts]
        said.update({item.norm for item in items if item.norm})
        total += 1
        for name, text, number, front in {*_options(templates[0]), *_tails(templates[0])}:
            if number >= len(items) or not items[number].kind:
                continue
            piece = found[name][text]
            piece.count += 1
            piece.front += front
            piece.kinds[items[number].kind] += 1
            piece.cues.update(
                {item.norm for item in items[max(0, number - BEFORE) : number + BEHIND + 1] if item.norm}
            )
    return {
        name: kept
        for name, pieces in sorted(found.items())
        if (
            kept := [
                _written(text, piece, said, total) for text, piece in pieces.items() if piece.count >= SEEN
            ]
        )
    }


def _written(text: str, piece: _Piece, said: Counter[str], total: int) -> list[Any]:
    cues = {
        cue: round(count / (piece.count + DOUBT), 2)
        for cue, count in piece.cues.items()
        if count >= CUED and count / piece.count > LIFT * said[cue] / total
    }
    return [text, piece.front * 2 > piece.count, sorted(k for k, n in piece.kinds.items() if n > 1), cues]


def _options(template: str) -> Iterator[tuple[str, str, int, bool]]:
    """(command word, text with its slot, item of the slot, whether operands follow) of the options of the first command
    that have one value."""
    bare, at = "", 0
    parts: list[tuple[int, int, str]] = []
    for match in PART.finditer(template):
        bare += template[at : match.start()]
        parts.append((len(bare), len(bare) + len(match[2]), match[2]))
        bare += match[2]
        at = match.end()
    bare += template[at:]
    command = first(bare)
    if command is None:
        return
    name = command_word(command)
    for start, end, text in parts:
        slots = [match[1] for match in SLOT.finditer(text)]
        if len(slots) == 1 and slots[0] and start < command.words[-1].end:
            behind = any(word.start >= end and word.text[:1] != "-" for word in command.words)
            yield name, _unnumbered(text), int(slots[0]), behind


def _tails(template: str) -> Iterator[tuple[str, str, int, bool]]:
    """The same of the last command of a pipe, and of the file that a command writes."""
    bare = PART.sub(lambda match: match[2], template)
    script = read(bare)
    if script is None or len(script.statements) != 1 or len(script.statements[0].pipelines) != 1:
        return
    commands = script.statements[0].pipelines[0].commands
    last = commands[-1]
    tails = [" " + bare[commands[-2].end :].lstrip()] if len(commands) > 1 else []
    if isinstance(last, tree.Simple) and last.redirects and last.redirects[-1].operator in (">", ">>"):
        tails.append(" " + bare[last.redirects[-1].start :])
    for text in tails:
        slots = [match[1] for match in SLOT.finditer(text)]
        if len(slots) == 1 and slots[0]:
            yield ANY, _unnumbered(text), int(slots[0]), False


def _unnumbered(text: str) -> str:
    return SLOT.sub(lambda slot: slot[0].replace(slot[1], "0", 1), text)
