"""What a `chmod` or a `mount` leaves: nothing is given that is to be taken away, and what is to be read-only is."""

from __future__ import annotations

from itertools import pairwise

from terma import regex as re
from terma.offline.draft import Context
from terma.offline.trust.command import simples
from terma.offline.trust.facts import Facts

_GIVES = frozenset("give grant add allow let make permit".split())
_TAKES = frozenset("take remove revoke strip withdraw deny forbid drop lose prohibit".split())
_BY_SIGN = frozenset(("chmod", "chattr"))
_SIGNED = re.compile(r"[ugoa]*([+-])[rwxXstaAcCdDijsSu]+")


def granted(facts: Facts, command: str, _: Context) -> bool:
    """What is to be taken away is not given (`g+w`), nor the other way round."""
    said = {token.norm for i, token in enumerate(facts.sentence.tokens) if i not in facts.denied}
    gives, takes = bool(said & _GIVES), bool(said & _TAKES)
    if gives == takes or facts.denials or ("w", False) in _wanted_modes(facts):
        return True
    signs = {
        match[1]
        for simple in simples(command)
        if simple.program in _BY_SIGN
        for word in simple.words[1:]
        for part in word.split(",")
        if (match := _SIGNED.fullmatch(part))
    }
    return len(signs) != 1 or ("+" in signs) == gives


_WANTED = {
    "read-only": ("w", False),
    "readonly": ("w", False),
    "writable": ("w", True),
    "executable": ("x", True),
}
_BITS = {"w": 2, "x": 1}
_MODE = re.compile(r"[ugoa]*([-+=])([rwxXst]*)")


def left_as(facts: Facts, command: str, _: Context) -> bool:
    """What is to be read-only, writable or executable is so behind a `chmod`, in digits as in letters, and behind a
    `mount`."""
    wanted = _wanted_modes(facts)
    if len(wanted) != 1 or facts.denials:
        return True
    letter, on = wanted.pop()
    return all(
        _gives(word, letter) in (None, on)
        for simple in simples(command)
        if simple.program == "chmod"
        for word in simple.words[1:]
    ) and all(
        letter != "w" or _WRITTEN.get(part, on) == on
        for simple in simples(command)
        if simple.program == "mount"
        for option, value in pairwise(simple.words)
        if option == "-o"
        for part in value.split(",")
    )


_WRITTEN = {"ro": False, "rw": True}  # of the options of a mount
_LINKS = frozenset("is are was were be went goes became becomes got turned stays stayed remains".split())


def _wanted_modes(facts: Facts) -> set[tuple[str, bool]]:
    """What something is to be; what it is, or went, is not what is wanted of it."""
    texts = ["", *(token.text.lower() for token in facts.sentence.tokens)]
    return {
        mode
        for before, first, second in zip(texts, texts[1:], [*texts[2:], ""], strict=False)
        if before not in _LINKS and (mode := _WANTED.get(first) or _WANTED.get(f"{first}-{second}"))
    }


def _gives(mode: str, letter: str) -> bool | None:
    """Whether it is so for anybody behind this mode; None where the word is none, or says nothing of it."""
    if re.fullmatch("[0-7]{3,4}", mode):
        return any(int(digit) & _BITS[letter] for digit in mode[-3:])
    parts = [match for part in mode.split(",") if (match := _MODE.fullmatch(part))]
    found = {
        match[1] != "-" and letter in match[2] for match in parts if match[1] == "=" or letter in match[2]
    }
    return found.pop() if len(found) == 1 else None
