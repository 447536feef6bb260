"""A content word that no knowledge knows may be a known one with one slip of a finger."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from terma.offline.bare_word import Seen
from terma.offline.index import Index
from terma.offline.lemma import norm
from terma.offline.lexicon import CONTRACTIONS, IRREGULAR, STOP, SYNONYMS
from terma.offline.sentence import Sentence

MIN_LENGTH = 4
LONG = 5  # from which length on a letter may be taken for another
MAX_WORDS = 4  # a sentence with more unknown words is not misspelt, it is about something else
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def corrected(sentence: Sentence, index: Index) -> tuple[Sentence, dict[int, str]]:
    """The sentence with the norms that were meant, and which tokens were misspelt."""
    fixed = corrections(Seen.of(sentence, index), index.weight)
    if not fixed:
        return sentence, fixed
    tokens = tuple(
        replace(token, norm=fixed[i], text=fixed[i] if fixed[i] in STOP else token.text)
        if i in fixed
        else token
        for i, token in enumerate(sentence.tokens)
    )
    return replace(sentence, tokens=tokens), fixed


def corrections(seen: Seen, weight: Mapping[str, float]) -> dict[int, str]:
    """Token index -> the known norm at edit distance one (a swap of neighbours counts as one), where there is one."""
    fixed: dict[int, str] = {}

    def known(word: str) -> bool:
        return word in weight or word in SYNONYMS or word in IRREGULAR

    for i in sorted(seen.unknown)[:MAX_WORDS]:
        token = seen.sentence.tokens[i]
        word = token.text.lower()
        if token.kind != "word" or not word.isalpha() or not word.isascii():
            continue
        small = _little(word)
        if small:
            fixed[i] = small
        elif len(word) >= MIN_LENGTH:
            found = {norm(other): rank for other, rank in _meant(word, known)}
            meant = min(
                (m for m in found if m in weight and m not in STOP),
                key=lambda m: (found[m], weight[m], m),
                default="",
            )
            if meant:
                fixed[i] = meant
    return fixed


def _little(word: str) -> str:
    """The function word of which two neighbours were swapped: `teh`, `hwo`, `fo`, `form` is none."""
    if not 2 <= len(word) <= 5 or word in STOP:
        return ""
    swapped = (word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in (*range(1, len(word) - 1), 0))
    return next((norm(other) for other in swapped if other in STOP and other != word), "")


def _meant(word: str, known: Callable[[str], bool]) -> Iterator[tuple[str, int]]:
    """Known words one slip away, each with how unlikely that slip is: swaps are the commonest, a wrong first letter the
    rarest. A short word is as likely a name: of it only swaps, and letters that came or went, are slips."""
    stems = [word]
    for suffix in ("ing", "ed", "es", "s"):
        if word.endswith(suffix) and len(word) - len(suffix) >= MIN_LENGTH:
            stems.append(word[: -len(suffix)])
    for stem in stems:
        short = len(word) < LONG
        for i in range(len(stem)):
            swap = stem[:i] + stem[i + 1 : i + 2] + stem[i] + stem[i + 2 :]
            if i + 1 < len(stem) and swap != stem and known(swap):
                yield swap, 0
            rank = 1 if i else 3
            if short and not i:
                continue
            gone = [stem[:i] + stem[i + 1 :], *(stem[:i] + c + stem[i:] for c in _LETTERS)]
            for other in gone if len(stem) > MIN_LENGTH else gone[1:]:
                if known(other) and other not in CONTRACTIONS:
                    yield other, rank
            if not short:
                for c in _LETTERS:
                    other = stem[:i] + c + stem[i + 1 :]
                    if other != stem and known(other):
                        yield other, rank + 1
        for c in _LETTERS:
            if known(stem + c) and stem + c not in CONTRACTIONS:
                yield stem + c, 1
