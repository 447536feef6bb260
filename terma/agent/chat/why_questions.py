"""Questions why something failed: which they are, and whether they mean what failed here."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from terma.chat import ChatMessage
from terma.conversation.words import split
from terma.offline.lemma import lemma
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
    r"(?i)\b(?:it|its|this|that|these|those|they"
    r"|(?:command|line|exit|status|output|message|trace|traceback|stack)s?)\b"
)
_TROUBLE = re.compile(
    r"(?i)\b(?:wrong|(?:fail|error|broke|crash|warn|problem|issue|stop|kill|abort|refus|den[iy]|reject|miss|hang|stuck"
    r"|time)\w*)\b"
)
_DENIES = re.compile(r"(?i)\b(?:there|here|now|what|again|still|no|not|never|cannot|\w+n't|only|so)\b")
_OWN = re.compile(r"(?i)\b(?:i|my|me|we|our|us)\b")
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


def bearing(question: str, failed: WhyQuery) -> Literal["sure", "perhaps", "none"]:
    """Whether the question means what failed: surely where it points there, shares a word with it or names nothing;
    perhaps where something else is in trouble ("why did my deploy fail") or the person misses something of their own
    ("why can't I log in"). "Why is the sky blue" does not."""
    said = _DENIES.sub(" ", question.replace("’", "'"))
    asked = {word.lower() for word in _WORD.findall(_TROUBLE.sub(" ", said))} - _ASKS
    if not asked or _POINTS.search(question):
        return "sure"
    seen = _WORD.findall(f"{failed.command}\n{failed.output.text if failed.output else ''}".lower())
    if asked & set(seen) or {_stem(word) for word in asked} & {_stem(word) for word in seen} - {""}:
        return "sure"
    troubled = _TROUBLE.search(question) or (said != question and _OWN.search(question))
    return "perhaps" if troubled and failed.status > 0 else "none"


def _stem(word: str) -> str:
    """ "" where so little is left of it that another word may be meant (cats, cat)."""
    return stem if len(stem := lemma(word)) > 3 else ""


def is_subject(messages: Sequence[ChatMessage]) -> bool:
    """Whether the talk is of a failure: the question before was why, and nothing was run since. One that only points
    ("explain that") goes on with what was talked of."""
    asked = [message for message in messages if message.role == "user"]
    while len(asked) > 1 and not asked.pop().ran:
        before, _ = split(asked[-1].content)
        if not points_at_the_last(before):
            return asks_why(before)
    return False
