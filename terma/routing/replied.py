"""Whether what a model wrote, where a command was asked for, is a sentence instead."""

from __future__ import annotations

from terma.routing import dictionary
from terma.routing.decide import route
from terma.routing.evidence import UNSURE, Known
from terma.routing.line import cut
from terma.routing.operands import shapes_of
from terma.routing.programs import table

OF_FILTERS = frozenset(("any", "and", "or"))  # of sentences and of rules: to any port 22, tcp and port 80


def is_prose(reply: str, known: Known) -> bool:
    """A model was told to write a command, so a name that is not known here speaks for nothing: whether there is such
    a program is for others to say. A known one has to be followed by grammar that no program takes."""
    found = route(reply, known)
    said = sum(signal.weight for signal in found.signals if signal.name != "dictionary" or signal.weight > 0)
    if said > -UNSURE:
        return False
    return not _is_called(reply, known) or _is_spoken(reply, known)


def _is_called(reply: str, known: Known) -> bool:
    """Whether it begins with a program, here or elsewhere, behind what runs it (`sudo`)."""
    for command in cut(reply)[:1]:
        for word in command.words:
            if not dictionary.is_program(word.text, known):
                return False
            if table().kinds.get(word.text) != "runs":
                return True
    return False


def _is_spoken(reply: str, known: Known) -> bool:
    return any(
        found == "strong" and word.text not in OF_FILTERS
        for command in cut(reply)
        for word, found in zip(command.words, shapes_of(command.words, known.cwd), strict=True)
    )
