"""What a question wants to know of what ran here, and of which command: read off its words, all of them or none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from terma.agent.chat.deeds.record import Deed
from terma.agent.chat.deeds.words import NAME, Words, read

About = Literal[
    "list", "count", "failed", "worked", "all_well", "status", "meaning", "output", "duration", "longest", "shortest",
    "when", "who", "explain", "why", "ran", "repeat", "undo", "ours", "why_ours", "asked", "refused", "approved",
    "seen",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Asked:
    """`words` tell which command is meant; `thing` is what terma is asked to have done something to ("" nothing)."""

    about: About
    words: Words
    thing: str = ""


def asked(question: str, known: Sequence[Deed]) -> Asked | None:
    """None where the question is another one. `known` are the commands that it may name."""
    return _of(read(question, known)) or _of(read(question, known, names_first=True))


def _of(words: Words) -> Asked | None:
    done_by_us = words.past and words.has("you") and not words.has("why", "how", "when", "who", "where")
    if done_by_us and words.has("change") and not words.has("run") and len(words.rest) <= 1:
        return Asked("ours", words, "" if words.has("what", "all") else "".join(words.rest))
    if words.has("change") and not (words.has("undo") and words.has("last")):
        return None
    if done_by_us and words.has("see") and len(words.rest) <= 1:
        return Asked("seen", words)
    if words.rest and _asks_whether_it_ran(words):
        return Asked("ran", words, words.phrase)
    if words.ends and len(words.rest) == 1 and set(words.roles) == {"what", "do", NAME}:
        return Asked("output", words)  # what did grep find
    if words.rest:
        return None
    return next((Asked(about, words) for about, holds in _RULES if holds(words)), None)


def _asks_whether_it_ran(words: Words) -> bool:
    by_me = words.has("i") and words.ends
    asks = words.past and words.has("run") and set(words.roles) <= {"do", "i", "run", "been", NAME}
    return asks and len(words.rest) <= 4 and (by_me or (words.has("been") and bool(words.phrase)))


def _why(words: Words) -> bool:
    if not (words.named or words.nth) or words.has("you", "when", "how", "who"):
        return False
    if words.has("explain"):
        return words.has("printout", "wrong")
    if words.has("why"):
        return words.has("fail", "wrong", "work", "run", "end", "no")
    return words.has("what") and words.has("wrong")


def _ours(words: Words) -> bool:
    done = words.has("you") and {"run", "do", "propose"} & set(words.roles[words.roles.index("you") :])
    one = words.has("it", NAME) and words.has("run") and not words.has("what")  # who ran it
    return bool(done) and words.past and not one and not words.has("why", "how", "may", "again")


def _one_meant(words: Words) -> bool:
    """Whether a command is meant, by its name, its place or a pronoun."""
    return bool(words.named or words.nth) or words.has("command", "last", "it", "thing")


def _who(words: Words) -> bool:
    asks = words.has("who") or (words.has("you") and words.past and words.has("run"))
    return (
        asks
        and words.has("run", "do")
        and _one_meant(words)
        and not words.has("why", "how", "what", "when", "may")
    )


def _counts(words: Words) -> bool:
    if not (words.past and words.has("how") and words.has("many")) or words.has("output", "printout"):
        return False
    return words.has("command", "when", "thing", "it", "fail", "work")


def _repeats(words: Words) -> bool:
    if words.has("what", "how", "why", "who", "when", "i", "you", "output", "no", "all"):
        return False
    if words.has("repeat"):
        return _one_meant(words) or words.roles == ("repeat",)
    if words.has("again"):
        return words.has("run", "do") and _one_meant(words)
    return words.roles[:1] == ("run",) and words.has("command") and (words.has("last") or words.nth > 0)


def _explains(words: Words) -> bool:
    tells = words.has("explain", "mean") or (words.has("what") and words.has("do"))
    placed = bool(words.nth or words.has("last")) and words.has("command", "run")
    placed = placed or (words.has("explain") and words.has(NAME, "i") and words.has("do", "run"))
    ran = words.has("i") and words.has("run") and not words.has("explain", "mean")  # that is a list
    return tells and placed and not ran and not words.has("fail", "status", "printout", "output", "you")


def _undoes(words: Words) -> bool:
    meant = _one_meant(words) or set(words.roles) == {"undo"}
    return meant and words.has("undo") and not words.has("why", "who", "when", "you", "status", "what")


def _failed(words: Words) -> bool:
    bad = (
        words.has("fail") or (words.has("no") and words.has("work")) or (words.has("wrong") and words.plural)
    )
    return (
        bad
        and (words.has("what", "all") or words.plural)
        and not words.has("it", "you", "why", "how", "when", "who", "printout", "may")
        and (words.plural or not words.has("status"))
    )


def _worked(words: Words) -> bool:
    asks = words.has("work") and words.plural and words.has("command", "thing")
    return asks and not words.has("no", "it", "you", "why", "how", "when", "who", "again", "may", "all")


def _did_well(words: Words) -> bool:
    asks = words.has("work", "fail", "end", "go") and not words.has(
        "wrong", "what", "you", "why", "who", "when", "many"
    )
    return asks and _one_meant(words) and not words.plural and not words.has("again", "may", "explain")


def _status(words: Words) -> bool:
    if (
        words.number >= 0
        or words.plural
        or words.has("mean", "you", "why", "who", "when", "again", "explain", "may")
    ):
        return False
    return words.has("status") and (words.has("what", "how") or _one_meant(words)) and _told_apart(words)


def _told_apart(words: Words) -> bool:
    """Whether it is an exit status, and not the status of something."""
    return words.roles.count("status") > 1 or _one_meant(words)


def _printed(words: Words) -> bool:
    if words.has(
        "you", "why", "who", "when", "how", "mean", "explain", "yes", "no", "ask", "wrong", "status", "may"
    ):
        return False
    if words.plural:
        return False  # one output is told
    if words.has("printout"):
        return words.has("what", "again") or _one_meant(words)
    return words.has("output") and (_one_meant(words) or (words.has("all") and words.past))


def _lists(words: Words) -> bool:
    if words.has(
        "why", "who", "when", "you", "how", "again", "may", "wrong", "fail", "work", "end", "status"
    ):
        return False
    if words.has("refuse", "approve", "ask", "it", "repeat", "undo", "printout", "output", "explain"):
        return False
    if words.has("i") and words.has("run", "do") and words.past:
        return words.has("what", "summary", "command", "all")
    return bool(words.has("last") or words.nth) and words.has("command") and not words.has("run", "do")


_Rule = tuple[About, Callable[[Words], bool]]
_RULES: tuple[_Rule, ...] = (
    (
        "why_ours",
        lambda words: (
            words.has("why") and words.has("you") and words.has("run", "do", "propose") and words.past
        ),
    ),
    ("seen", lambda words: words.has("see") and words.has("screen", "you") and not words.has("why", "when")),
    ("why", _why),
    (
        "ran",
        lambda words: words.past and {NAME, "run"} <= set(words.roles) <= {NAME, "run", "do", "i", "been"},
    ),
    ("count", _counts),
    ("ours", _ours),
    (
        "asked",
        lambda words: words.has("ask") and words.has("i") and words.has("what") and not words.has("why"),
    ),
    ("refused", lambda words: words.has("what", "do") and (words.has("refuse") or _said(words, "no"))),
    ("approved", lambda words: words.has("what", "do") and (words.has("approve") or _said(words, "yes"))),
    ("undo", _undoes),
    ("repeat", _repeats),
    ("explain", _explains),
    ("duration", lambda words: words.has("how") and words.has("long") and words.has("take", "run", "need")),
    ("longest", lambda words: words.has("longest") and not words.has("you")),
    ("shortest", lambda words: words.has("shortest") and not words.has("you")),
    ("when", lambda words: words.has("when") and words.has("run", "end", "do") and _one_meant(words)),
    ("who", _who),
    ("output", _printed),
    ("failed", _failed),
    ("worked", _worked),
    (
        "all_well",
        lambda words: words.has("all") and words.has("work", "end") and not words.has("you", "when", "how"),
    ),
    ("meaning", lambda words: words.has("mean") and words.has("status") and words.has("last", "it", NAME)),
    ("status", lambda words: _status(words) or _did_well(words)),
    ("list", _lists),
)


def _said(words: Words, answer: str) -> bool:
    return words.has("i") and words.has("output") and words.has(answer) and words.has("what")
