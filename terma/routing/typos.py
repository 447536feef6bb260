"""Slips of the fingers: whether a word is nearly another one."""

from __future__ import annotations

from collections.abc import Set

from terma import regex as re

_LETTERS = re.compile(r"[a-z][a-z-]{1,30}")


def near(word: str, names: Set[str]) -> bool:
    """Whether `word` is one slip away from one of `names`: a letter more, less, other, or two exchanged.

    Short words are near to too much: of three letters one may be left out only where it stands twice (`lls`), and two
    letters may only be exchanged (`sl`)."""
    if not _LETTERS.fullmatch(word):
        return False
    slips = {word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in range(len(word) - 1)}
    for i, letter in enumerate(word):
        if len(word) > 3 or letter in word[:i][-1:] + word[i + 1 :][:1]:
            slips.add(word[:i] + word[i + 1 :])
    if slips & names or len(word) < 3:
        return bool(slips & names)
    return any(_other_or_missing(word, name) for name in names)


def _other_or_missing(word: str, name: str) -> bool:
    if len(name) == len(word):
        return sum(a != b for a, b in zip(name, word, strict=True)) == 1
    return len(name) == len(word) + 1 and word in {name[:i] + name[i + 1 :] for i in range(len(name))}
