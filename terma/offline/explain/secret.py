"""A password that was typed on the line and is wrong: left out, the program asks for it."""

from __future__ import annotations

import re

from terma.offline.explain.case import Case
from terma.offline.explain.finding import Finding
from terma.offline.explain.line import Word
from terma.offline.explain.shapes.told import told, without

_WRONG = re.compile(
    r"(?:incorrect|wrong|bad|invalid) (?:password|pass ?phrase|passcode|pin)\b|bad decrypt"
    r"|password (?:is )?(?:incorrect|wrong|invalid)",
    re.IGNORECASE,
)
_NAMED = re.compile(r"--?pass(?:word|phrase|in|wd|wort)?(?:=.*)?$", re.IGNORECASE)


def secret(case: Case) -> Finding | None:
    """The command without the option that gave it, so that it is asked for."""
    words = given(case)
    if not words or not case.blamed or not _WRONG.search(f"{told(case)}\n{case.evidence.flat}"):
        return None
    return Finding(
        "The password that was typed is refused; without it the program asks.", without(case, *words)
    )


def given(case: Case) -> tuple[Word, ...]:
    """The option that gives a password, with its value: one that is named so, or a letter that the manual explains
    so; () for none."""
    for at, word in enumerate(case.arguments):
        letter = re.fullmatch(r"-[pPk]", word.value)
        if not _NAMED.match(word.value) and not (letter and _is_explained(case, word.value)):
            continue
        if "=" in word.value:
            return (word,)
        return case.arguments[at : at + 2] if at + 1 < len(case.arguments) else ()
    return ()


def _is_explained(case: Case, letter: str) -> bool:
    """Whether the manual's entry for this option speaks of a password at once."""
    return bool(re.search(rf"(?m)^[ \t]*{letter}\b[^\n]{{0,30}}\n?[^\n]{{0,80}}\bpassw", case.manual))
