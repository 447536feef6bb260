"""A sentence and a command as the reader (trust/reader) reads them: units, of which a value that the command repeats
points to its token in the sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from zlib import crc32

from terma import regex as re
from terma.offline.tokens import Token
from terma.offline.trust.association import kinds

MOST_TOKENS, MOST_UNITS = 24, 30
BUCKETS, MOST_RUNS = 8192, 14  # that runs of letters are spread over; of one unit
_PART = re.compile(r"--?[A-Za-z][\w-]*=?|[A-Za-z0-9_./~@%+:-]+|[^\sA-Za-z0-9_]+")
_JOINS = frozenset("| || && ; & $( ( |&".split())  # behind which a program stands
_CARRIES = frozenset("sudo xargs env nohup time watch".split())  # programs that start another
_LETTERS = ("flag", "env", "ext", "perm")  # kinds of values that are known by their letters, too


class Said(NamedTuple):
    """A token: its name (a word's norm, a value's kind) and its letters ("" where they say nothing)."""

    name: str
    letters: str


class Unit(NamedTuple):
    """A piece of a command in order: its text, the program that it belongs to, the token that it repeats (-1: none),
    and whether no space stands before it."""

    text: str
    program: str
    token: int
    joined: bool


def said(tokens: Sequence[Token]) -> list[Said]:
    """The tokens of a sentence, at most MOST_TOKENS."""
    return [
        Said("w " + token.norm, token.text.lower())
        if token.kind in ("word", "ident")
        else Said(kinds(token)[-1], token.text.lower() if token.kind in _LETTERS else "")
        for token in tokens[:MOST_TOKENS]
    ]


def units(command: str, tokens: Sequence[Token]) -> list[Unit]:
    """The command in units, at most MOST_UNITS."""
    pieces: list[tuple[int, int, int]] = []
    last = 0
    for start, end, token in [*_repeated(command, tokens), (len(command), len(command), -1)]:
        pieces += ((match.start(), match.end(), -1) for match in _PART.finditer(command, last, start))
        if token >= 0:
            pieces.append((start, end, token))
        last = end
    found: list[Unit] = []
    program, fresh, until = "", True, -1
    for start, end, token in pieces[:MOST_UNITS]:
        text, joined, until = command[start:end], start == until, end
        if fresh and not joined and text[:1] != "-" and text not in _JOINS:
            program, fresh = text, text in _CARRIES
        found.append(Unit(text, program, token, joined))
        fresh = fresh or text in _JOINS or text[-1:] in ("|", ";", "&")
        fresh = fresh or (text in _CARRIES and text == program)
    return found


def _repeated(command: str, tokens: Sequence[Token]) -> list[tuple[int, int, int]]:
    """(start, end, token) of what the command repeats of the sentence; the longest first had its choice."""
    forms = [
        (form, i, token.kind)
        for i, token in enumerate(tokens[:MOST_TOKENS])
        for form in dict.fromkeys((token.text, token.value))
        if form and not token.stop and (len(form) > 1 or form.isdigit())
    ]
    taken = bytearray(len(command))
    found = []
    for form, i, kind in sorted(forms, key=lambda one: -len(one[0])):
        start = command.find(form)
        while start >= 0:
            end = start + len(form)
            if not any(taken[start:end]) and _stands(command, form, start, end, kind):
                taken[start:end] = b"\1" * len(form)
                found.append((start, end, i))
            start = command.find(form, end)
    return sorted(found)


def _stands(command: str, form: str, start: int, end: int, kind: str) -> bool:
    """Whether the form stands there by itself, and is no part of a longer word."""
    before, after = command[start - 1 : start], command[end : end + 1]
    if (before.isalnum() and form[0].isalnum()) or (after.isalnum() and form[-1].isalnum()):
        return False
    return kind != "word" or (before not in ("-", "_") and after not in ("-", "_", "=", "("))


def runs(text: str) -> list[int]:
    """The buckets (from 1 on) of the runs of three and four letters of a unit, its ends marked; [] of no text."""
    if not text:
        return []
    text = f"^{text[:24]}$"
    return sorted({
        1 + crc32(text[i : i + size].encode("utf-8", "replace")) % (BUCKETS - 1)
        for size in (3, 4)
        for i in range(max(1, len(text) - size + 1))
    })[:MOST_RUNS]  # fmt: skip
