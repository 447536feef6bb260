"""Where in a command another one begins, and which of its words hold shell text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from terma.pieces.letters import Written
from terma.risk import model
from terma.risk.wrapper_table import SHELLS, WRAPPERS
from terma.risk.wrappers import after, inner_calls, scripts

_EACH = ("-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch")


@dataclass(frozen=True, slots=True)
class Call:
    """A command by the name of what knows it, and its words with the first."""

    name: str
    words: tuple[Written, ...]

    @property
    def risks(self) -> model.Call:
        """As the rules of risk see it."""
        texts = [self.name, *(word.text for word in self.words[1:])]
        return model.Call(model.words(*texts))


@dataclass(frozen=True, slots=True)
class Place:
    """The words [start, end) are another command; `elsewhere`: on another machine or in a container."""

    start: int
    end: int
    elsewhere: bool = False


def inner_at(call: Call) -> Place:
    """Where the command begins that this one starts; both ends at the end for none."""
    size = len(call.words)
    nothing = Place(size, size)
    if call.name in ("find", "fd", "fdfind"):
        return _each(call) or nothing
    wrapper = WRAPPERS.get(call.name)
    if wrapper and wrapper.joined:
        rest = size - len(_after(call))
        one = size - rest == 1  # a single word is a script, and told as one
        return nothing if one else Place(rest, size, wrapper.elsewhere)
    if call.name in (".", "source"):
        return nothing
    for inner in inner_calls(call.risks):
        if inner.words and len(inner.words) < size:
            return Place(size - len(inner.words), size, inner.elsewhere)
    return nothing


def _after(call: Call) -> tuple[model.Word, ...]:
    return after(call.risks.args, WRAPPERS[call.name])


def _each(call: Call) -> Place | None:
    for at, word in enumerate(call.words):
        if word.text in _EACH and at + 1 < len(call.words):
            ends = (end for end in range(at + 1, len(call.words)) if call.words[end].text in (";", "+"))
            return Place(at + 1, next(ends, len(call.words)))
    return None


def runs_elsewhere(call: Call) -> bool:
    """Whether what its words hold runs on another machine or in a container."""
    wrapper = WRAPPERS.get(call.name)
    return wrapper is not None and wrapper.elsewhere


def own_script(call: Call) -> Iterator[tuple[Written, str]]:
    """(the word, the text) for each word that holds shell text which can be read here."""
    if call.name not in SHELLS | {"su", "watch", "ssh", "alias", "eval", "trap", "flock", "env"}:
        return
    texts = set(scripts(call.risks))
    for word in call.words[1:]:
        held = word.text.partition("=")[2] if call.name == "alias" else word.text
        if held in texts and word.plain and re.search(r"\w", held):
            yield word, held
