"""What a command that ran is called besides its own words: by what terma's explainer says that its pieces do.

So "the copy" is `cp a b` and "did the tests pass" means `pytest -q`, without a list of nouns for commands."""

from __future__ import annotations

from collections.abc import Callable

from terma.agent.chat.deeds.words import content, spoken
from terma.agent.chat.unanswered import norms
from terma.offline.lemma import lemma
from terma.offline.lexicon import LIGHT, STOP
from terma.pieces import Asked, explain
from terma.pieces.model import NO_PROGRAM
from terma.types import Query

Sense = Callable[[str], frozenset[str]]
_NOUN_ENDS = (
    "ation",
    "ion",
    "ment",
    "al",
)  # of what a verb is called as a noun: deletion, removal, deployment
_SHORTEST = 4  # characters of a stem that still say which verb it is
_MISSING = "; it is not on this machine"


def sense_of(query: Query) -> Sense:
    """The norms of what is said of a command's pieces, each command explained once. A few ms for one, a third of a
    second for the first."""
    known: dict[str, frozenset[str]] = {}

    def sense(command: str) -> frozenset[str]:
        if command not in known:
            told = explain(Asked(command, query.shell, query.path, query.cwd or "/"))
            says = (one.says for one in told.pieces if one.kind != "operator" and one.says != NO_PROGRAM)
            known[command] = frozenset().union(*(norms(text.removesuffix(_MISSING)) for text in says))
        return known[command]

    return sense


def words_of(command: str, sense: Sense) -> frozenset[str]:
    """All the norms by which a command may be meant."""
    return sense(command) | norms(command) | frozenset().union(*(norms(word) for word in spoken(command)))


def telling(question: str) -> set[str]:
    """The words that say what a question is about: "files" and the like could mean any command."""
    return {word for word in content(question) if lemma(word) not in LIGHT and not {word, lemma(word)} & STOP}


def meant_by(word: str) -> frozenset[str]:
    """The norms that a word of a question may stand for: its own, and those of the verb that it is the noun of. Of a
    bent word that is short none: cats are no `cat`."""
    stem = lemma(word)
    stems = (word.removesuffix(end) for end in _NOUN_ENDS if word.endswith(end))
    verbs = (verb for base in stems if len(base) >= _SHORTEST for verb in (base, f"{base}e"))
    own = norms(word) if stem == word or len(stem) >= _SHORTEST else frozenset[str]()
    return own.union(*map(norms, verbs))
