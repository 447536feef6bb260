"""What of a remembered command may go or change: options that words of the sentence asked for, and the place in which
it works. Marks in a template say which; here they are read, and written out for a new sentence."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from terma import regex as re

SLOT = re.compile("\ue001(\\d*):(\\.?)([^\ue002]*)\ue002")
PART = re.compile("\ue004([^\ue005]*)\ue005([^\ue006]*)\ue006")
_DOT = "."


def slot(number: str, form: str, place: bool = False) -> str:
    """The mark of a value: `number` is its item ("" where no word said it), a `place` may be left out."""
    return f"\ue001{number}:{_DOT if place else ''}{form}\ue002"


def part(cues: tuple[str, ...], text: str) -> str:
    """The mark of an option that stands for these words and goes when none of them is said."""
    return f"\ue004{','.join(cues)}\ue005{text}\ue006"


def bare(template: str) -> str:
    """The template with all of its parts."""
    return PART.sub(lambda match: match[2], template)


@lru_cache(maxsize=512)
def optional(template: str) -> tuple[frozenset[int], frozenset[str], bool]:
    """(items whose values may be missing, words that may go unsaid, whether a place may be named in it)."""
    must = {int(match[1]) for match in SLOT.finditer(PART.sub("", template)) if match[1] and not match[2]}
    may = {int(match[1]) for match in SLOT.finditer(template) if match[1]} - must
    cues = frozenset(cue for match in PART.finditer(template) for cue in match[1].split(",") if cue)
    return frozenset(may), cues, any(match[2] for match in SLOT.finditer(template))


def chosen(template: str, values: Mapping[int, int], said: frozenset[str] | None) -> str:
    """The template with those parts that the sentence has the values of, and words for (None: whether or not)."""

    def kept(match: re.Match[str]) -> str:
        cues = match[1].split(",") if match[1] else []
        slots = [int(found[1]) for found in SLOT.finditer(match[2]) if found[1]]
        if any(number not in values for number in slots):
            return ""
        return match[2] if said is None or not cues or slots or not said.isdisjoint(cues) else ""

    return PART.sub(kept, template)
