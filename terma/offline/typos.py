"""A word that hardly anybody types may be another with a slip of the finger: by how often people type both between
these neighbours, and how easily the one becomes the other.

What stands for a name is as likely as any name is there, so that "the container hermes" is none of "here"."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from terma.offline.bare_word import FUNCTION, Seen
from terma.offline.index import Index
from terma.offline.lemma import norm
from terma.offline.lexicon import CONTRACTIONS, LIGHT, STOP
from terma.offline.sentence import Sentence
from terma.offline.usage import BEGINS, ENDS, Usage, heard_as

SHORTEST = 2  # letters of a word that can be a slip
MAX_WORDS = 6  # a sentence with more unknown words is not misspelt, it is about something else
# How often a word is typed so, of the times that it is meant: neighbours swapped, a letter missing, one too many that
# is doubled or beside its neighbour on the keys, the key beside, any other.
SWAP, MISSED, DOUBLED, BESIDE, OTHER = 0.04, 0.04, 0.02, 0.01, 0.002
FIRST, FIRST_SWAP = 0.3, 0.6  # how much rarer the first letter is wrong
UNSEEN = 0.1  # times that a word counts as typed which nobody has typed yet
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_KEYS = {c: (x, y) for y, row in enumerate(("qwertyuiop", "asdfghjkl", "zxcvbnm")) for x, c in enumerate(row)}
# Said for themselves: such a word is no value, so that what was typed is none either.
_NO_VALUES = STOP | LIGHT | FUNCTION


def corrected(sentence: Sentence, index: Index, usage: Usage) -> tuple[Sentence, dict[int, str]]:
    """The sentence with the norms that were meant, and which tokens were misspelt. A value stays as it was typed."""
    meant = corrections(Seen.of(sentence, index), usage)
    if not meant:
        return sentence, {}
    norms = {i: norm(word) for i, word in meant.items()}
    tokens = tuple(
        replace(token, norm=norms[i], text=meant[i] if meant[i] in _NO_VALUES else token.text)
        if i in meant
        else token
        for i, token in enumerate(sentence.tokens)
    )
    return replace(sentence, tokens=tokens), norms


def in_prose(words: str, index: Index, usage: Usage) -> str:
    """The text with its slips in words that are no values mended, so that talk is known as talk."""
    sentence = Sentence.parse(words)
    for i, meant in sorted(corrections(Seen.of(sentence, index), usage).items(), reverse=True):
        if meant in _NO_VALUES:
            token = sentence.tokens[i]
            words = words[: token.start] + meant + words[token.end :]
    return words


def corrections(seen: Seen, usage: Usage) -> dict[int, str]:
    """Token index -> the word at one slip from it that was likelier meant there than the word as it stands."""
    tokens = seen.sentence.tokens
    heard = [BEGINS, *map(heard_as, tokens), ENDS]
    found: dict[int, str] = {}
    for i in sorted(seen.unknown)[:MAX_WORDS]:
        word = heard[i + 1]
        if word.startswith("<") or len(word) < SHORTEST or word in seen.tools:
            continue
        before, behind = heard[i], heard[i + 2]
        most = (usage.times(word) + UNSEEN) * usage.fits(before, word, behind)
        for meant, chance in _slips(usage, word):
            likely = chance * usage.times(meant) * usage.fits(before, meant, behind)
            if likely > most:
                found[i], most = meant, likely
        if i in found:
            heard[i + 1] = found[i]
    return found


@lru_cache(maxsize=64)
def _slips(usage: Usage, word: str) -> tuple[tuple[str, float], ...]:
    """The known words of which this may be a slip, each with how often it is typed so."""
    chances: dict[str, float] = {}
    for meant, chance in _edits(word):
        if meant != word and usage.knows(meant) and meant not in CONTRACTIONS:
            chances[meant] = max(chances.get(meant, 0.0), chance)
    return tuple(chances.items())


def _edits(word: str) -> list[tuple[str, float]]:
    """Every text one slip away, with the chance that it is typed so."""
    found: list[tuple[str, float]] = []
    for i, letter in enumerate(word):
        head, tail = word[:i], word[i + 1 :]
        first = 1.0 if i else FIRST
        if tail:
            found.append((head + tail[0] + letter + tail[1:], SWAP * (1.0 if i else FIRST_SWAP)))
        if len(word) > SHORTEST:
            beside = any(_beside(letter, other) for other in (*head[-1:], *tail[:1]))
            found.append((head + tail, (DOUBLED if beside else OTHER) * first))
        for other in _LETTERS:
            found.append((head + other + tail, (BESIDE if _beside(other, letter) else OTHER) * first))
            found.append((head + other + word[i:], MISSED * first))
    return found + [(word + other, MISSED) for other in _LETTERS]


def _beside(one: str, other: str) -> bool:
    """Whether the keys stand beside each other or are one, or both are vowels, which sound alike."""
    if one in "aeiou" and other in "aeiou":
        return True
    (x, y), (u, v) = _KEYS[one], _KEYS[other]
    return abs(x - u) <= 1 and abs(y - v) <= 1
