"""A content word that no knowledge knows may be a known one with one slip of a finger."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from terma.offline.assign import Seen
from terma.offline.index import Index
from terma.offline.lemma import norm
from terma.offline.lexicon import CONTRACTIONS, IRREGULAR, STOP, SYNONYMS
from terma.offline.sentence import Sentence

MIN_LENGTH = 5
MAX_WORDS = 4  # a sentence with more unknown words is not misspelt, it is about something else
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def corrected(sentence: Sentence, index: Index) -> tuple[Sentence, dict[int, str]]:
    """The sentence with the norms that were meant, and which tokens were misspelt."""
    fixed = corrections(Seen.of(sentence, index), index.weight)
    if not fixed:
        return sentence, fixed
    tokens = tuple(replace(token, norm=fixed.get(i, token.norm)) for i, token in enumerate(sentence.tokens))
    return Sentence(sentence.raw, tokens), fixed


def corrections(seen: Seen, weight: Mapping[str, float]) -> dict[int, str]:
    """Token index -> the known norm at edit distance one (a swap of neighbours counts as one), where there is one."""
    fixed: dict[int, str] = {}

    def known(word: str) -> bool:
        return word in weight or word in SYNONYMS or word in IRREGULAR

    for i in sorted(seen.unknown)[:MAX_WORDS]:
        token = seen.sentence.tokens[i]
        word = token.text.lower()
        if token.kind == "word" and len(word) >= MIN_LENGTH and word.isalpha() and word.isascii():
            meant = _meant(word, known)
            if meant and norm(meant) in weight and norm(meant) not in STOP:
                fixed[i] = norm(meant)
    return fixed


def _meant(word: str, known: Callable[[str], bool]) -> str:
    stems = [(word, "")]
    for suffix in ("ing", "ed", "es", "s"):
        if word.endswith(suffix) and len(word) - len(suffix) >= 4:
            stems.append((word[: -len(suffix)], suffix))
    for stem, _ in stems:
        for i in range(len(stem) - 1):  # swaps first: the most common slip
            other = stem[:i] + stem[i + 1] + stem[i] + stem[i + 2 :]
            if other != stem and known(other):
                return other
    for stem, _ in stems:
        for i in range(1, len(stem) + 1):  # the first letter is rarely wrong
            for other in (stem[:i] + stem[i + 1 :], *(stem[:i] + c + stem[i:] for c in _LETTERS)):
                if known(other) and other not in CONTRACTIONS:
                    return other
            if i < len(stem):
                for c in _LETTERS:
                    other = stem[:i] + c + stem[i + 1 :]
                    if known(other):
                        return other
    return ""
