"""From a word to its lemma and canonical norm: light rules, the same for sentences and for knowledge."""

from __future__ import annotations

from functools import lru_cache
from sys import intern

from terma import regex as re
from terma.offline.lexicon import CONTRACTIONS, E_VERBS, IRREGULAR, NOT_PLURAL, SYNONYMS

_VOWEL = re.compile(r"[aeiouy]")
_UNDOUBLE = frozenset(("bb", "dd", "gg", "mm", "nn", "pp", "rr", "tt"))
_E_ENDINGS = ("at", "iz", "bl", "v", "uc", "dg", "ng", "rg", "ur", "ir", "us", "c", "cl", "ol", "ar", "is")
_NO_E = frozenset(
    [
        "format",
        "repeat",
        "treat",
        "creat",
        "heat",
        "float",
        "transfer",
        "refer",
        "occur",
        "stor",
        "contain",
        "format",
        "output",
        "list",
        "error",
        "mount",
        "sort",
        "exist",
        "list",
        "exit",
        "edit",
        "commit",
        "install",
        "hang",
        "ring",
        "bring",
        "clear",
        "appear",
        "floor",
        "scan",
        "control",
        "patrol",
        "sync",
        "exec",
        "exceed",
        "focus",
        "discuss",
        "belong",
        "long",
        "log",
        "ping",
        "monitor",
        "order",
        "user",
        "bypass",
        "search",
        "start",
        "string",
    ]
)


@lru_cache(maxsize=4096)
def norm(word: str) -> str:
    """The canonical norm of `word` (lower case): its lemma, or the one word that stands for its synonyms."""
    word = CONTRACTIONS.get(word, word)
    if word in SYNONYMS:
        return intern(SYNONYMS[word])
    base = lemma(word)
    return intern(SYNONYMS.get(base, base))


def lemma(word: str) -> str:
    """Singular of a noun, base of a verb; unknown shapes come back as they are."""
    if word in IRREGULAR:
        return IRREGULAR[word]
    if len(word) < 4 or not word.isalpha():
        return word if not (len(word) == 4 and word.endswith("'s")) else word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and word not in NOT_PLURAL:
        return _singular(word)
    for suffix in ("ing", "ed"):
        if word.endswith(suffix):
            return _base(word, word[: -len(suffix)])
    return word


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "xes", "sses", "zzes")):
        return word[:-2]
    return word[:-1]


def _base(word: str, stem: str) -> str:
    if len(stem) < 3 or not _VOWEL.search(stem) or stem[-1:] == "e":
        return word
    if stem + "e" in E_VERBS:
        return stem + "e"
    if stem.endswith("i") and word.endswith("ied"):
        return stem[:-1] + "y"
    if stem[-2:] in _UNDOUBLE and stem not in ("add", "err", "shutt"):
        return stem[:-1]
    if stem in _NO_E:
        return stem
    return stem + "e" if stem.endswith(_E_ENDINGS) else stem
