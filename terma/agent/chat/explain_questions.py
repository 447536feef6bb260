"""Questions what a command, or a sign of the shell, does: which of their words are the command."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_POLITE = r"(?:please,?\s+|(?:can|could|would|will) you\s+(?:please\s+)?|and\s+|so\s+|ok(?:ay)?,?\s+)*"
_WHAT = (
    r"(?:what\s+)?(?:(?:the|this|these|a) (?:command|flags?|options?|line|sign|symbol|operator"
    r"|numbers?|digits?|letters?|parts?)(?:\s+in|:)?\s+)?"
)
_DO = r"(?:do(?:es)?|means?|stands? for|would do|will do)"
_RUN = r"(?:run(?:ning)?|execut(?:e|ing)|do(?:ing)?|us(?:e|ing)|typ(?:e|ing)|enter(?:ing)?|call(?:ing)?)"
_FORMS = tuple(
    re.compile(rf"(?is)^\W*{_POLITE}(?:{form})$")
    for form in (
        rf"(?:explain|describe):?\s+(?:to me:?\s+)?{_WHAT}(?P<c>.+?)(?:\s+{_DO})?",
        rf"(?:tell|show) me:?\s+what\s+{_WHAT}(?P<c>.+?)\s+{_DO}",
        rf"what(?:'ll| would| will|) happens? (?:if|when) (?:i|you|we|one|somebody) {_RUN}\s+(?P<c>.+?)",
        rf"(?:explain|describe|show me|tell me):?\s+how\s+{_WHAT}(?P<c>.+?)\s+works?",
        rf"how (?:does|do)\s+{_WHAT}(?P<c>.+?)\s+work",
        rf"what (?:does|do|is|are|was|'s|would|will|did|might|could)\s+{_WHAT}(?P<c>.+?)"
        rf"(?:\s+(?:{_DO}|mean|for))?",
        rf"what's\s+{_WHAT}(?P<c>.+?)(?:\s+for)?",
        rf"what\s+{_WHAT}(?P<c>.+?)\s+(?:does|means)",
        rf"(?:what(?:'s| is)\s+)?(?:the )?meaning of\s+{_WHAT}(?P<c>.+?)",
        rf"(?P<safe>is it (?:safe|ok(?:ay)?|fine|risky|dangerous|harmful|a good idea)) to {_RUN}\s+(?P<c>.+?)",
        rf"(?P<safe>is)\s+{_WHAT}(?P<c>.+?)\s+(?:safe|risky|dangerous|harmful)(?: to {_RUN})?",
    )
)
_LOOSE = re.compile(r"(?i)^\W*(?:what(?: is\b| are\b| was\b|'s\b).*(?<! for)\Z|.*\bhow\b)")
_BEHIND = re.compile(
    r"(?i),?\s+(?:please|thanks?(?: you)?|(?:to|for) me|in (?:(?:plain|simple|other) )?(?:words|english|terms|detail)"
    r"|briefly|shortly|exactly|actually|step by step|piece by piece)[\s.?!]*\Z"
)
_BOTH = re.compile(
    r"(?i)\b(?:difference|compare)\b.*?\s(?:between\s+)?(\S+)\s+(?:and|to|with|vs\.?|versus)\s+(\S+?)[\s?.!]*\Z"
)
_ENDS = re.compile(r"(?:\s+[?!]|(?<=[^\s$])[?!.])+\Z")
_QUOTES = ("`", "'", '"', "“", "‘")
_OTHER = {"“": "”", "‘": "’"}


@dataclass(frozen=True, slots=True)
class Wanted:
    """`loose`: the sentence asks of many things what they are; `safety`: it asks whether that does harm."""

    command: str
    loose: bool = False
    safety: bool = False


def wanted(question: str) -> Iterator[Wanted]:
    """Readings of the question, the likeliest first."""
    text = question.strip()
    while (shorter := _BEHIND.sub("", text)) != text:
        text = shorter
    for whole in dict.fromkeys((_ENDS.sub("", text), text)):
        for form in _FORMS:
            found = form.match(whole)
            command = unquoted(found["c"]) if found else ""
            if found and command:
                groups = found.groupdict()
                yield Wanted(command, bool(_LOOSE.search(whole)), bool(groups.get("safe")))


def pair(question: str) -> tuple[str, str] | None:
    """The two whose difference is asked for, each one word."""
    found = _BOTH.search(question)
    return (unquoted(found[1]), unquoted(found[2])) if found else None


def unquoted(text: str) -> str:
    """Without the quotes around all of it."""
    text = text.strip()
    for mark in _QUOTES:
        end = _OTHER.get(mark, mark)
        if len(text) > 1 and text[0] == mark and text[-1] == end and text.count(end) == 1 + (mark == end):
            return text[1:-1].strip()
    return text
