"""Commands for root on a machine without sudo, as in most containers: the same without it."""

from __future__ import annotations

from dataclasses import replace

from terma.dialect.bsd.words import Unreadable, line_of
from terma.types import Candidate, Placeholder


def without_sudo(candidate: Candidate) -> Candidate:
    """The candidate with each plain `sudo` taken off; one with options of its own stays as it is. The person's own
    history does, too."""
    if "sudo" not in candidate.command or candidate.source == "history":
        return candidate
    try:
        line = line_of(candidate.command)
    except (Unreadable, ValueError, IndexError, RecursionError):
        return candidate
    for words, _ in line.calls:
        if len(words) > 1 and words[0].value == "sudo" and not words[1].value.startswith("-"):
            words[0].text, words[1].text = words[1].text, ""  # and the blank between them goes
    command = str(line)
    places = [
        Placeholder(place.name, start, start + len(place.name) + 2)
        for place in candidate.placeholders
        if (start := command.find("{" + place.name + "}")) >= 0
    ]
    return replace(candidate, command=command, placeholders=tuple(sorted(places, key=lambda one: one.start)))
