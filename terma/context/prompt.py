"""Tells a prompt from other text by likeness to the prompt at which the person asks."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Final

from terma.context.own import QUOTED, is_ours

SAME: Final = 3  # but for what stands in its words: another directory, status or time
ALIKE: Final = 2
FAINT: Final = 1  # only the last sign is the same
OTHER: Final = 0

_GAP = re.compile(r" {3,}")
_WORD = re.compile(r"(?<!\S)\S+")
_SIGNS = "$#%>❯➜✗λ»›:)]→▶⟩"  # what prompts of unknown shape end with
_IN_SENTENCES = "#%>:)]"
_BEGINS = 4  # characters of a prompt's shape by which others are known
_LOOKED = 40  # characters of a row that are looked at for them
_MOST_ROWS = 4  # of a prompt above its last one


def likeness(left: str, prompt: str | None) -> int:
    """How much `left`, which stands left of a command, is like `prompt`, the last row of one (None: not known)."""
    bare, known = left.rstrip(), (prompt or "").rstrip()
    if prompt is None:
        return ALIKE if bare and bare[-1] in _SIGNS and not bare[:1].isspace() else OTHER
    if bare == known or (bare and shape(bare) == shape(known)):
        return SAME
    if not bare or not known:
        return OTHER
    if bare[-1] != known[-1]:
        return OTHER
    if bare[:1].isspace() != known[:1].isspace():
        return FAINT
    close = SequenceMatcher(None, shape(bare[-80:]), shape(known[-80:]), autojunk=False).ratio() >= 0.5
    return ALIKE if close or known.endswith(bare) or bare.endswith(known) else FAINT


def shape(text: str) -> str:
    """`text` with each word, number and symbol as its class: what stays when a prompt tells something else."""
    classes = "".join("a" if char.isalpha() else "0" if char.isdigit() else _sign(char) for char in text)
    return re.sub(r"([a0])\1*", r"\1", classes)


def _sign(char: str) -> str:
    return char if char.isascii() else unicodedata.category(char)


def head(row: str) -> str:
    """`row` without a right prompt."""
    return _GAP.split(row.rstrip(), maxsplit=1)[0] if not row.startswith("   ") else row.rstrip()


def asked_at(row: str) -> int:
    """Where in `row` terma is asked, behind a prompt of unknown shape or without one; -1 where it is not.

    A sign that nobody types ends the prompt; of the others, which also stand in sentences, the first does that has
    words to terma behind it."""
    bare = QUOTED.sub(lambda part: "_" * len(part[0]), row)
    starts = [word.start() for word in _WORD.finditer(bare)]
    ends = [at for at in starts if likeness(bare[:at], None) >= ALIKE]
    sure = [at for at in ends if bare[:at].rstrip()[-1] not in _IN_SENTENCES]
    return next((at for at in sure[-1:] or ends or [0] if is_ours(row[at:])), -1)


def shows_again(row: str, prompts: Sequence[str]) -> bool:
    """Whether `row` is one of `prompts` at which nothing was run: empty, a question to us, or given up with ^C."""
    for prompt in prompts:
        bare = prompt.rstrip()
        if not bare or not row.startswith(bare):
            continue
        typed = head(row[len(bare) :]).strip() if not row[len(bare) :].startswith("   ") else ""
        if not typed or is_ours(typed) or typed.endswith("^C"):
            return True
    return False


def rows_above(rows: Sequence[str], at: int, prompts: Sequence[str]) -> int:
    """How many rows above row `at`, the last one of a prompt, belong to that prompt.

    A row does when above each other prompt on the screen the same number of rows up stands one that is like it: a
    program's last line seldom is. Whatever may be a prompt counts as one here, since to leave a row of the prompt in
    an output does less harm than to take one of the output. With nothing to compare, none belongs to it."""
    known = [bare for prompt in prompts if (bare := prompt.rstrip())]
    others = [number for number, row in enumerate(rows) if number != at and _may_be_one(row, known)]
    count = 0
    while others and count < min(_MOST_ROWS, at):
        mine = rows[at - count - 1]
        if not all(other > count and _kin(rows[other - count - 1], mine) for other in others):
            break
        count += 1
    return count


def _may_be_one(row: str, prompts: Sequence[str]) -> bool:
    return any(
        prompt[-1] in row
        and (prompt[0].isalnum() or row.startswith(prompt[0]))
        and shape(row[:_LOOKED]).startswith(shape(prompt)[:_BEGINS])
        for prompt in prompts
    )


def begins_alike(row: str, prompt: str) -> bool:
    """Whether `row` begins as rows at `prompt` do, and holds the sign that it ends with."""
    return prompt[-1:] in row and shape(row[:_LOOKED])[:1] == shape(prompt)[:1]


def _kin(one: str, other: str) -> bool:
    one, other = one.strip(), other.strip()
    if not one or not other:
        return one == other
    if one[0] == other[0] and not one[0].isalnum():
        return True
    return SequenceMatcher(None, shape(one[:80]), shape(other[:80]), autojunk=False).ratio() >= 0.6
