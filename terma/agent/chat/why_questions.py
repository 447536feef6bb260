"""Questions why something failed: which they are, and whether they mean what failed here."""

from __future__ import annotations

import re
from collections.abc import Sequence

from terma.chat import ChatMessage
from terma.conversation.words import split
from terma.types import WhyQuery

_WHY = re.compile(
    r"(?i)^\W*(?:please\s+|and\s+|so\s+|but\s+)*(?:why\b|help\W*\Z|wtf\b|what now\b"
    r"|explain(?:\s+(?:this|that|it|the|what)\b|\W*\Z)"
    r"|what(?:'s| is| was| went)? (?:wrong|happened|happening|the (?:problem|error|matter|cause))"
    r"|what (?:did|have) (?:i|we) (?:do|done|get|got) wrong\b"
    r"|what does (?:this|that|it)\b|what does the (?:error|message|output|failure|warning|problem|last line|exit)\b"
    r"|(?:how (?:do|can|to|should) (?:i |we )?)?(?:fix|mend|repair|solve) (?:it|this|that)\b)"
)
_THAT = re.compile(
    r"(?i)^\W*(?:(?:please|and|so|but|can you|could you)\s+)*"
    r"(?:explain|describe|what (?:does|did|would))\s+(?:that|this|it)"
    r"(?: command| line| one)?(?: (?:do|mean|to me|for me|please))*\W*\Z"
)
_OF_THAT = re.compile(r"(?i)^\W*(?:and|so|but)?\s*what (?:does|did) (?:that|this|it)\b")
_POINTS = re.compile(
    r"(?i)\b(?:it|its|this|that|these|those|they|there|here|now|what|wrong|again|still|no"
    r"|not|never|cannot|\w+n't|only|so|(?:command|line|exit|status|output|message|trace|traceback|stack)s?"
    r"|(?:fail|error|broke|crash|warn|problem|issue|stop|kill|abort|refus|den[iy]|reject|miss|hang|stuck|time)\w*)\b"
)
_WORD = re.compile(r"[^\W\d_]{2,}")
_ASKS = frozenset(
    "why help wtf explain the is are was were do does did has have be of to in on for and so but please".split()
)


def points_at_the_last(question: str) -> bool:
    """Whether it asks what was run last, without its name ("explain that")."""
    return _THAT.search(question) is not None


def asks_of_the_last(question: str) -> bool:
    """Whether it asks more of what was run last ("what does it say")."""
    return _OF_THAT.search(question) is not None


def asks_why(question: str) -> bool:
    return _WHY.search(question) is not None


def is_about(question: str, failed: WhyQuery) -> bool:
    """Whether the question can mean what failed: it points somewhere, tells of trouble, or shares a word with it ("why
    is the sky blue" does neither)."""
    asked = {word.lower() for word in _WORD.findall(question)} - _ASKS
    if not asked or _POINTS.search(question):
        return True
    seen = f"{failed.command}\n{failed.output.text if failed.output else ''}"
    return bool(asked & {word.lower() for word in _WORD.findall(seen)})


def is_subject(messages: Sequence[ChatMessage]) -> bool:
    """Whether the talk is of a failure: the question before was why, and nothing was run since. One that only points
    ("explain that") goes on with what was talked of."""
    asked = [message for message in messages if message.role == "user"]
    while len(asked) > 1 and not asked.pop().ran:
        before, _ = split(asked[-1].content)
        if not points_at_the_last(before):
            return asks_why(before)
    return False
