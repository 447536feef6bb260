"""A word that hardly anybody types may be a usual one with a slip of the finger: by how often both are typed, and how
easily the one becomes the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sized
from dataclasses import replace
from functools import cached_property

from terma.offline.bare_word import Seen
from terma.offline.index import Index
from terma.offline.lemma import norm, norm_once
from terma.offline.lexicon import CONTRACTIONS, IRREGULAR, STOP, SYNONYMS
from terma.offline.sentence import Sentence
from terma.offline.trust.words import STRONG

SHORTEST = 3  # of so few letters only neighbours that were swapped behind the first are a slip
MIN_LENGTH = 4
LONG = 5  # from which length on a letter may be taken for another
MAX_WORDS = 4  # a sentence with more unknown words is not misspelt, it is about something else
# How often a word is typed so; counted in our own sentences, of usual words.
SWAP, MISSED, BESIDE, OTHER = 0.04, 0.04, 0.01, 0.003
FIRST = 0.2  # how much rarer the first letter is wrong
UNSEEN = 0.05  # times that a word was typed which nobody has typed yet
KNOWN = 10  # times that a word of the knowledge counts as typed at least
SYNONYM = (
    400  # and at most a word that only means the same: of "every", those of "all" were typed far more often
)
USUAL = 5  # times that a remembered word was typed which others may be slips of
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_KEYS = {c: (x, y) for y, row in enumerate(("qwertyuiop", "asdfghjkl", "zxcvbnm")) for x, c in enumerate(row)}
_NAMING = frozenset(("called", "named"))
_INFLECTED = ("s", "ing", "ed")  # how a word ends that may not be its own norm


class Typed:
    """How often norms were typed. `posts`: norm -> the remembered sentences that have it."""

    def __init__(self, posts: Mapping[str, Sized] = {}) -> None:
        self._posts = posts

    def often(self, norm: str) -> int:
        return len(self._posts[norm]) if norm in self._posts else 0

    @cached_property
    def usual(self) -> frozenset[str]:
        """What others may be slips of. Made once: a word has some five hundred neighbours, each of which is asked."""
        return frozenset(norm for norm, posts in self._posts.items() if len(posts) >= USUAL)


NOTHING_TYPED = Typed()


def corrected(
    sentence: Sentence, index: Index, typed: Typed = NOTHING_TYPED
) -> tuple[Sentence, dict[int, str]]:
    """The sentence with the norms that were meant, and which tokens were misspelt."""
    fixed = corrections(Seen.of(sentence, index), index.weight, typed)
    if not fixed:
        return sentence, fixed
    tokens = tuple(
        replace(token, norm=fixed[i], text=fixed[i] if fixed[i] in STOP else token.text)
        if i in fixed
        else token
        for i, token in enumerate(sentence.tokens)
    )
    return replace(sentence, tokens=tokens), fixed


def corrections(seen: Seen, weight: Mapping[str, float], typed: Typed = NOTHING_TYPED) -> dict[int, str]:
    """Token index -> the known norm at edit distance one (a swap of neighbours counts as one), where there is one that
    was likelier meant than the word as it stands."""
    fixed: dict[int, str] = {}
    usual = typed.usual if seen.unknown else frozenset()

    def known(word: str) -> bool:
        if word in weight or word in SYNONYMS or word in IRREGULAR:
            return True
        is_base = not word.endswith(_INFLECTED) and word not in CONTRACTIONS
        return (word if is_base else norm_once(word)) in usual

    for i in sorted(seen.unknown)[:MAX_WORDS]:
        token = seen.sentence.tokens[i]
        word = token.text.lower()
        if token.kind != "word" or not word.isalpha() or not word.isascii():
            continue
        small = _little(word)
        if small:
            fixed[i] = small
            continue
        if len(word) < SHORTEST or _is_named(seen.sentence, i):
            continue
        likely: dict[str, float] = {}
        for other, share in _meant(word, known):
            meant = norm(other)
            if meant not in STOP and (meant in weight or meant in usual):
                times = max(typed.often(meant), KNOWN)
                times = times if other == meant else min(times, SYNONYM)
                likely[meant] = max(likely.get(meant, 0.0), share * times)
        meant = max(likely, key=lambda m: (likely[m], weight.get(m, 0.0), m), default="")
        if meant and likely[meant] > typed.often(token.norm) + UNSEEN:
            fixed[i] = meant
    return fixed


def _is_named(sentence: Sentence, i: int) -> bool:
    """Whether the word before says that this is a name: "the container hermes"."""
    before = sentence.tokens[i - 1] if i else None
    return before is not None and not {before.norm, before.text.lower()}.isdisjoint(STRONG | _NAMING)


def _little(word: str) -> str:
    """The function word of which two neighbours were swapped (`teh`, `hwo`, `fo`; `form` is none) or a letter was typed
    twice (`froom`)."""
    if word in STOP:
        return ""
    if len(word) >= MIN_LENGTH:
        once = (word[:i] + word[i + 1 :] for i in range(len(word) - 1) if word[i] == word[i + 1])
        if found := next((other for other in once if other in STOP), ""):
            return norm(found)
    if not 2 <= len(word) <= 5:
        return ""
    swapped = (word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in (*range(1, len(word) - 1), 0))
    return next((norm(other) for other in swapped if other in STOP and other != word), "")


def _meant(word: str, known: Callable[[str], bool]) -> Iterator[tuple[str, float]]:
    """Known words one slip away, each with how often it becomes this one. A short word is as likely a name: of it only
    swaps, keys beside the right one, and letters that came or went, are slips."""
    stems = [word]
    for suffix in ("ing", "ed", "es", "s"):
        if word.endswith(suffix) and len(word) - len(suffix) >= MIN_LENGTH:
            stems.append(word[: -len(suffix)])
    if len(word) < MIN_LENGTH:
        swap = word[0] + word[2:] + word[1:2]
        if len(word) == SHORTEST and known(swap):
            yield swap, SWAP
        return
    for stem in stems:
        short = len(word) < LONG
        for i in range(len(stem)):
            swap = stem[:i] + stem[i + 1 : i + 2] + stem[i] + stem[i + 2 :]
            if i + 1 < len(stem) and swap != stem and known(swap):
                yield swap, SWAP
            if short and not i:
                continue
            place = 1.0 if i else FIRST
            gone = [stem[:i] + stem[i + 1 :], *(stem[:i] + c + stem[i:] for c in _LETTERS)]
            for other in gone if len(stem) > MIN_LENGTH else gone[1:]:
                if known(other) and other not in CONTRACTIONS:
                    yield other, MISSED * place
            for c in _LETTERS:
                other = stem[:i] + c + stem[i + 1 :]
                if other == stem or not known(other):
                    continue
                beside = _beside(c, stem[i])
                if beside or not short:
                    yield other, (BESIDE if beside else OTHER) * place
        for c in _LETTERS:
            if known(stem + c) and stem + c not in CONTRACTIONS:
                yield stem + c, MISSED


def _beside(one: str, other: str) -> bool:
    """Whether the keys stand beside each other, or both are vowels, which sound alike."""
    if one in "aeiou" and other in "aeiou":
        return True
    (x, y), (u, v) = _KEYS[one], _KEYS[other]
    return abs(x - u) <= 1 and abs(y - v) <= 1
