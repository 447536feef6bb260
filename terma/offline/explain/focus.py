"""Of several complaints of one program, those about what was typed.

A search that goes through many folders complains of each that it may not read, and of the word that was typed wrong
in the same voice. What names a word of the command is nearer to the mistake than what the program came across."""

from __future__ import annotations

import re

from terma.offline.explain.case import Case
from terma.offline.explain.evidence import Weight

_NAMED = re.compile(r"['‘`\"](?P<name>[^'’`\"\n]+)['’`\"]")


def focused(case: Case) -> str:
    """The output without what its program says of names that nobody typed, where it says the like of typed ones too."""
    found = case.evidence
    spoken = [
        index
        for index, weight in enumerate(found.weights)
        if weight == Weight.SPOKEN and _name(found.lines[index])
    ]
    about = [index for index in spoken if _is_typed(case, _name(found.lines[index]))]
    beside = {
        found.lines[index]
        for index in spoken
        if index not in about and _speaker(found.lines[index]) == case.program
    }
    if not about or not beside:
        return case.output
    return "\n".join(
        row for row in case.output.split("\n") if row.strip() not in beside and row not in beside
    )


def _name(line: str) -> str:
    told = _NAMED.search(line)
    return told["name"] if told else ""


def _is_typed(case: Case, name: str) -> bool:
    """Whether `name` is a word of the command, as typed or made whole from the root."""
    words = (word.value.rstrip("/") for word in case.words if not word.value.startswith("-"))
    return any(name.rstrip("/") == word or name.rstrip("/").endswith(f"/{word}") for word in words if word)


def _speaker(line: str) -> str:
    return line.partition(":")[0].strip().rpartition("/")[2]
