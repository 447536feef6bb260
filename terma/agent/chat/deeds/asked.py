"""What a question wants to know of what ran here, and of which command.

Its words come down to three things: how it asks, what about, and which commands it means. A form names one such meeting
with all of its verbs, so a question with a verb more is another one: what no form reads is not answered here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from terma.agent.chat.deeds.record import Deed
from terma.agent.chat.deeds.words import NAME, Words, read

About = Literal[
    "list", "count", "failed", "worked", "all_well", "status", "meaning", "output", "duration", "longest", "shortest",
    "when", "who", "explain", "why", "ran", "repeat", "undo", "ours", "why_ours", "asked", "refused", "approved",
    "seen", "acts",
]  # fmt: skip
_ASKING = frozenset("what how many long when who why where".split())
_ORDERS = frozenset("explain repeat undo run do".split())
_NO_VERB = frozenset((NAME, "it", "command", "thing", "last", "all", "i", "you"))
_WEAK = ("been", "do", "go", "take", "run")  # verbs that give way to any other, the weakest first
_BESIDE_ONE = frozenset(
    ("list", "status", "meaning", "output", "duration", "explain", "repeat", "who", "why")
)
# how it asks ("noun": it names a thing only) | its verbs; those after a comma are another form | whose deeds: "i" and
# not "you", "you", "-" not "you", "*" | which commands: a key of _MEANT | what is told
_TABLE = """
order   | repeat, repeat fail, again, again fail | -   | one    | repeat
order   | repeat                                 | -   | bare   | repeat
order   | run                                    | -   | placed | repeat
order   | undo                                   | -   | one    | undo
order   | undo                                   | -   | bare   | undo
order   | undo change                            | -   | last   | undo
order   | explain printout, explain wrong        | *   | told   | why
order   | explain                                | -   | placed | explain
order   | explain                                | i   | free   | explain
noun    |                                        | -   | placed | list
noun    | summary                                | i   | free   | list
noun    | status, status fail                    | -   | one    | status
noun    | printout, printout fail                | -   | one    | output
noun    | fail                                   | -   | plural | failed
noun    | work                                   | -   | plural | worked
noun    | work, fail, end                        | -   | one    | status
noun    | longest                                | -   | free   | longest
noun    | shortest                               | -   | free   | shortest
whether | run                                    | -   | name   | ran
whether | run                                    | you | one    | who
whether | run, do, propose                       | you | free   | ours
whether | see, see screen, may see, may see screen, screen | you | free | seen
whether | fail, wrong, no work                   | -   | many   | failed
whether | work, end, work end                    | -   | some   | worked
whether | work, end, work end                    | -   | all    | all_well
whether | work, fail, end, work end, no work     | -   | one    | status
whether | status fail, status                    | -   | one    | status
whether | output, printout                       | -   | one    | output
whether | refuse                                 | i   | name   | refused
whether | approve                                | i   | name   | approved
whether | explain                                | you | placed | explain
what    | run, do                                | i   | free   | list
what    |                                        | -   | placed | list
what    | run, do                                | -   | beside | list
what    | run, do, propose                       | you | free   | ours
what    | fail, no work, status wrong, wrong     | -   | plural | failed
what    | fail, no work                          | -   | others | failed
what    | wrong                                  | -   | told   | why
what    | work                                   | -   | plural | worked
what    | do, mean                               | -   | placed | explain
what    | mean status                            | -   | one    | meaning
what    | status, status fail                    | -   | one    | status
what    | status                                 | -   | bare   | status
what    | output, printout, printout fail, output fail, output again, printout again | - | one | output
what    | printout                               | -   | bare   | output
what    | ask                                    | i   | free   | asked
what    | refuse, no output                      | i   | free   | refused
what    | approve, yes output                    | i   | free   | approved
what    | see, see screen, may see, may see screen | you | free | seen
what    | longest                                | -   | free   | longest
what    | shortest                               | -   | free   | shortest
how     | work, fail, end, go, status            | -   | one    | status
many    | , run, do, fail, work, no work, end    | *   | things | count
long    | take, run, do                          | -   | free   | duration
long    | longest                                | -   | free   | longest
long    | shortest                               | -   | free   | shortest
when    | run, do, end                           | -   | one    | when
who     | run, do                                | -   | one    | who
why     | run, do, propose                       | you | free   | why_ours
why     | fail, wrong, no work, no, end, no end  | -   | told   | why
"""


@dataclass(frozen=True, slots=True)
class Asked:
    """`words` tell which command is meant; `thing` is what was, or was not, done something to ("" nothing)."""

    about: About
    words: Words
    thing: str = ""


def _one(words: Words) -> bool:
    """Whether one command is meant: by its name, its place or a pronoun."""
    meant = bool(words.named or words.nth) or words.has("command", "last", "it", "thing")
    return meant and not words.plural and (bool(words.named) or not words.has("all"))


_MEANT: dict[str, Callable[[Words], bool]] = {
    "free": lambda words: True,
    "bare": lambda words: not (words.named or words.nth) and not set(words.roles) & (_NO_VERB - {"i"}),
    "name": lambda words: words.has(NAME),
    "told": lambda words: bool(words.named or words.nth),
    "one": _one,
    "placed": lambda words: bool(words.nth or words.has("last")) and words.has("command", "run"),
    "beside": lambda words: words.shift != 0,
    "last": lambda words: words.has("last"),
    "some": lambda words: words.has("all") and words.some,
    "plural": lambda words: words.plural,
    "all": lambda words: words.has("all"),
    "many": lambda words: words.plural or words.has("all"),
    "others": lambda words: not words.has("it"),
    "things": lambda words: words.has("command", "when", "thing", "it", "fail", "work"),
}
_WHOSE: dict[str, Callable[[Words], bool]] = {
    "i": lambda words: words.has("i") and not words.has("you"),
    "you": lambda words: words.has("you"),
    "-": lambda words: not words.has("you"),
    "*": lambda words: True,
}


@dataclass(frozen=True, slots=True)
class _Form:
    verbs: frozenset[str]
    whose: Callable[[Words], bool]
    meant: Callable[[Words], bool]
    about: About


def _forms() -> dict[str, list[_Form]]:
    found: dict[str, list[_Form]] = {}
    for row in _TABLE.strip().splitlines():
        asks, verbs, whose, meant, about = (cell.strip() for cell in row.split("|"))
        for each in verbs.split(","):
            form = _Form(frozenset(each.split()), _WHOSE[whose], _MEANT[meant], about)  # type: ignore[arg-type]
            found.setdefault(asks, []).append(form)
    return found


_FORMS = _forms()


def asked(question: str, known: Sequence[Deed]) -> Asked | None:
    """None where the question is another one. `known` are the commands that it may name."""
    return _of(read(question, known)) or _of(read(question, known, names_first=True))


def addresses_terma(question: str, known: Sequence[Deed]) -> bool:
    """Whether terma is asked of itself ("do you keep my files"), and not how something is done."""
    words = read(question, known)
    return words.has("you") and _asks(words) not in ("how", "order")


def selects(words: Words) -> bool:
    """Whether it says which command, and nothing else ("and the second?", "the one before that")."""
    says = bool(words.named or words.nth or words.shift) and set(words.roles) <= {NAME, "thing", "it", "last"}
    return says and not words.rest


def _of(words: Words) -> Asked | None:
    how, verbs = _asks(words), _verbs(words)
    if how in ("whether", "what") and words.past and len(words.rest) <= 1 and words.has("you"):
        if verbs == {"change"} and words.has("do", "been") and not words.has("run"):
            return Asked("ours", words, "" if words.has("what", "all") else "".join(words.rest))
        if verbs == {"see"} and how == "whether":
            return Asked("seen", words)
    if words.rest:
        return _beside(words, how, verbs) if not words.shift else None
    if (
        words.past
        and how in ("whether", "what")
        and verbs == {"change"}
        and words.has("i")
        and not words.shift
    ):
        return Asked("acts", words, words.changes)
    if words.several:
        return None  # each is another answer
    if words.number >= 0 and "status" in verbs:
        return None  # what a status is in general
    for form in _FORMS.get(how, ()):
        if form.verbs == verbs and form.whose(words) and form.meant(words):
            return Asked(form.about, words) if not words.shift or form.about in _BESIDE_ONE else None
    return None


def _beside(words: Words, how: str, verbs: frozenset[str]) -> Asked | None:
    """With words that have no place here: those may be what ran, or what a command is asked to have done."""
    if words.ends and len(words.rest) == 1 and set(words.roles) == {"what", "do", NAME}:
        return Asked("output", words)  # what did grep find
    whole = (
        set(words.roles) <= {"do", "i", "run", "been", NAME} and bool(words.phrase) and len(words.rest) <= 4
    )
    if how == "whether" and verbs == {"run"} and whole and words.past:
        return (
            Asked("ran", words, words.phrase)
            if words.has("been") or (words.has("i") and words.ends)
            else None
        )
    return None


def _asks(words: Words) -> str:
    """How it asks, "" where it does so in two ways."""
    first, found = words.roles[:1], frozenset(words.roles) & _ASKING
    does = first == ("do",) and words.roles[1:2] in (("i",), ("you",))  # do you, do I
    if first and first[0] in _ORDERS and not words.past_first and not does:
        return "order" if found <= {"what"} else ""
    if not found:
        return "whether" if words.asks_whether else "noun"
    for how, with_it in (("many", {"how", "when"}), ("long", {"how"}), ("when", {"what"})):
        if how in found:
            return how if found <= {how, *with_it} and (how == "when" or "how" in found) else ""
    return next(iter(found)) if len(found) == 1 else ""


def _verbs(words: Words) -> frozenset[str]:
    """What it asks for: of the weak verbs only what is left without any other."""
    verbs = set(words.roles) - _ASKING - _NO_VERB
    for weak in _WEAK:
        if len(verbs) > 1:
            verbs.discard(weak)
    return frozenset(verbs)
