"""The words in which people ask what happened: what each does in such a question, and which stand there for nothing.

A question is read only where every word of it has a place here, or names a command that ran: so what is asked of the
world ("did my backup work") is never answered with a command of this conversation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from terma.agent.chat.deeds.record import Deed
from terma.agent.chat.deeds.vocabulary import ARTICLES, IDLE, OF, OPENS, PAST, SIDES, SOME, WHETHER
from terma.offline.lemma import lemma
from terma.offline.lexicon import CONTRACTIONS, NUMBERS, ORDINALS

NAME, NUMBER, REST = "name", "number", "rest"
_POLITE = re.compile(
    r"(?i)^\W*(?:(?:ok(?:ay)?|so|and|but|please|hey|well)\b,?\s*|(?:can|could|would|will) you (?!see\b)(?:please )?)+"
)
_WITHIN = re.compile(r"\w{3,}")
_TOKEN = re.compile(r"[\w./~+@:=-]*\w[\w./~+@:=-]*(?:'\w+)?")


@dataclass(frozen=True, slots=True)
class Words:
    """A question: its `roles` in order, the deeds that it names, its `number` (below 0: none; ordinals are `nth`), and
    the words that have no place."""

    roles: tuple[str, ...]
    named: tuple[Deed, ...] = ()
    all_named: tuple[Deed, ...] = ()  # wherever they are named
    nth: int = 0
    number: int = -1
    plural: bool = False  # several commands are meant
    past: bool = False  # it asks of what is over
    rest: tuple[str, ...] = ()
    phrase: str = ""  # those, where they stand in a row, with the name right before them
    ends: bool = False  # and end the question
    asks_whether: bool = False  # an auxiliary verb begins it
    past_first: bool = False  # in a tense of the past
    told_past: bool = False  # such a verb stands in it
    changes: str = ""  # the verb of change that it has ("deleted")
    some: bool = False  # one of all is enough ("did anything work")
    several: bool = False  # two commands are named that are not one: `named` are the later ones
    shift: int = 0  # the command right before (-1) or after (1) those that it names, or all on that side

    def has(self, *wanted: str) -> bool:
        """Whether one of them is there."""
        return any(one in self.roles for one in wanted)


def read(question: str, deeds: Sequence[Deed], names_first: bool = False) -> Words:
    """The question's words, each with what it does. `names_first`: a word that has a place and is the program of one
    of `deeds` (`make`) is that program."""
    tokens = _tokens(_POLITE.sub("", question))
    roles: list[str] = []
    rest: list[str] = []
    places: list[int] = []
    named: tuple[Deed, ...] = ()
    nth = at = 0
    number = -1
    name = (0, 0)
    plural = past = False
    several = False
    all_named: tuple[Deed, ...] = ()
    changes, shift = "", 0
    while at < len(tokens):
        count, found = _named(tokens, at, deeds, names_first)
        if count:
            roles.append(NAME)
            several = several or bool(named and not {*named} & {*found})
            all_named = (*all_named, *found)
            named, name, at = found, (at, at + count), at + count
            continue
        if side := SIDES.get(tokens[at]):
            beyond = _beyond(tokens, at, deeds, names_first)
            shift = side if beyond else shift
            if beyond or at == len(tokens) - 1:  # "before?" alone: in the past
                at += 1
                continue
        word = tokens[at]
        role = _role(word, at, roles)
        past = past or word in PAST or word.endswith(("ed", "'ve", "'d", "dn't", "sn't"))
        if value := _nth(word):
            nth = value
        elif role == NUMBER and word.isdigit() and roles[-1:] == ["command"]:
            nth = int(word)  # command number 2
        elif role == NUMBER:
            number = int(word) if word.isdigit() else NUMBERS[word]
        elif role == REST:
            rest.append(word)
            places.append(at)
        elif role:
            roles.append(role)
            changes = word if role == "change" else changes
            plural = plural or (role in ("command", "thing") and word.endswith("s"))
        at += 1
    phrase, ends = "", False
    opens = tokens[0].removesuffix("n't") if tokens else ""
    if places and places[-1] - places[0] == len(places) - 1:
        begins = name[0] if name[1] == places[0] else places[0]
        phrase, ends = " ".join(tokens[begins : places[-1] + 1]), places[-1] == len(tokens) - 1
    return Words(
        roles=tuple(roles),
        named=named,
        nth=nth,
        number=number,
        plural=plural,
        past=past,
        rest=tuple(rest),
        phrase=phrase,
        ends=ends,
        asks_whether=opens in WHETHER,
        past_first=opens in PAST,
        told_past=not PAST.isdisjoint(tokens),
        changes=changes,
        some=not SOME.isdisjoint(tokens),
        several=several,
        all_named=all_named,
        shift=shift,
    )


def content(question: str) -> set[str]:
    """The words of a question that these questions have no place for: what it is about."""
    tokens = _tokens(_POLITE.sub("", question))
    meant = (word for at, word in enumerate(tokens) if _role(word, at, ()) in (REST, "change"))
    return {word for word in meant if word not in SIDES}


def spoken(text: str) -> set[str]:
    """The words in a text, those within a name or a path one by one."""
    return {word.lower() for word in _WITHIN.findall(text)}


def _tokens(text: str) -> list[str]:
    """Lower case, without the signs of a sentence."""
    return [token.lower().rstrip(".:-") or token for token in _TOKEN.findall(text.replace("’", "'"))]


def _role(word: str, at: int, before: Sequence[str]) -> str:
    """What a word does behind the roles `before`; "" for one that does nothing, REST for one without a place."""
    if (at == 0 and word in OPENS) or word.endswith("ly") or word in IDLE - {"do"}:
        return ""
    if word == "that" and list(before[-1:]) in (["command"], ["thing"]):
        return ""  # the commands that failed
    if word.isdigit() or (word in NUMBERS and word not in OF):
        return NUMBER
    if CONTRACTIONS.get(word) == "not":
        return "no"
    plain = CONTRACTIONS.get(word, word)
    return OF.get(plain) or OF.get(lemma(plain)) or ("" if _nth(word) else REST)


def _beyond(tokens: Sequence[str], at: int, deeds: Sequence[Deed], names_first: bool) -> bool:
    """Whether a command stands behind "before" or "after": by its name, its place, or as that."""
    at += 1
    while at < len(tokens) and tokens[at] in ARTICLES:
        at += 1
    if at == len(tokens):
        return False
    role = _role(tokens[at], at, ())
    return bool(_named(tokens, at, deeds, names_first)[0] or _nth(tokens[at])) or role in ("it", "last")


def _nth(word: str) -> int:
    counted = re.fullmatch(r"(\d{1,3})(?:st|nd|rd|th)", word)
    return 1 if word == "first" else int(counted[1]) if counted else ORDINALS.get(word, 0)


def _named(
    tokens: Sequence[str], at: int, deeds: Sequence[Deed], names_first: bool
) -> tuple[int, tuple[Deed, ...]]:
    """How many words from `at` on name commands, and these. One word that the questions have a use for names none but
    behind "the", or where names come first."""
    best: tuple[int, tuple[Deed, ...]] = (0, ())
    for deed in deeds:
        words = [word.rstrip(".:-") for word in _TOKEN.findall(deed.command.lower())]
        words = words[1:] if words[:1] == ["sudo"] and len(words) > 1 else words
        if words and "/" not in tokens[at]:
            words[0] = words[0].rpartition("/")[2]  # ./check.sh is called check.sh
        count = 0
        while count < len(words) and at + count < len(tokens) and tokens[at + count] == words[count]:
            count += 1
        if (
            count == 1
            and not names_first
            and _role(tokens[at], at, ()) != REST
            and tokens[at - 1 : at] not in (["the"], ["my"])
        ):
            count = 0
        if count > best[0]:
            best = (count, (deed,))
        elif count and count == best[0]:
            best = (count, (*best[1], deed))
    return best
