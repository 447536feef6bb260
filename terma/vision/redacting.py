"""Takes secrets off a screen before it is written down: out of its text, and out of its picture."""

from __future__ import annotations

from dataclasses import dataclass

from terma.redact import Redactor
from terma.redact.find import spans
from terma.vision.types import Image, TerminalState

_MARGIN = 0.6  # of a row, above and beneath: a picture may be a little off its grid
_INK = 40  # the grey that covers a row


@dataclass(frozen=True, slots=True)
class Clean:
    """`rows` without secrets; `covered` are the rows that held any, to be covered in the picture."""

    rows: tuple[str, ...]
    covered: frozenset[int]


def clean(state: TerminalState, redactor: Redactor) -> Clean:
    """The screen's text without secrets, also where one goes on in the next row."""
    text, owner = _joined(state)
    covered = {owner[at] for start, end in spans(text) for at in range(start, min(end, len(owner)))}
    whole = redactor.redact("\n".join(state.rows)).text.split("\n")
    again = redactor.redact(text)
    covered |= {owner[at] for value in again.secrets.values() for at in _places(text, value)}
    rows = []
    for number, row in enumerate(state.rows):
        found = redactor.redact(row).text
        if found != row:
            covered.add(number)
        elif number in covered:  # the secret is known by its surroundings alone, or is cut by the row's end
            found = whole[number] if len(whole) == len(state.rows) and whole[number] != row else "<SECRET>"
        rows.append(found)
    return Clean(tuple(rows), frozenset(covered))


def cover(picture: Image, rows: int, covered: frozenset[int]) -> Image:
    """The rectified `picture` of `rows` rows, with those that held secrets painted over: a new array."""
    made = picture.copy()
    height = picture.shape[0] / max(rows, 1)
    for row in covered:
        top, bottom = (row - _MARGIN) * height, (row + 1 + _MARGIN) * height
        made[max(round(top), 0) : max(round(bottom), 0)] = _INK
    return made


def _joined(state: TerminalState) -> tuple[str, list[int]]:
    """The rows as one text, wrapped lines joined, and for each character the row that it stands in."""
    text, owner = "", []
    for number, row in enumerate(state.rows):
        piece = row if len(row) >= state.columns else f"{row}\n"
        text += piece
        owner += [number] * len(piece)
    return text, owner


def _places(text: str, value: str) -> list[int]:
    """Where `value` stands in `text`, every character of it."""
    found: list[int] = []
    at = text.find(value) if value else -1
    while at >= 0:
        found += range(at, at + len(value))
        at = text.find(value, at + 1)
    return found
