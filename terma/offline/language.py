"""Which language a sentence is in, told by its script and its commonest words: the embedded engine reads English, and
what `translate` puts into English; of any other it says so in place of a guess."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from terma import regex as re
from terma.offline.foreign_pieces import folded
from terma.offline.lexicon import STOP
from terma.offline.translate import FOLDER, translate

_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`|“[^”]*”|«[^»]*»|「[^」]*」")
_WORD = re.compile(r"(?<![\w./@:~-])[^\W\d_]+(?:'[^\W\d_]+)?(?![\w/@:~-]|\.\w)")
_SCRIPTS = (
    ("Japanese", re.compile(r"[\u3040-\u30ff]")),
    ("Korean", re.compile(r"[\uac00-\ud7af]")),
    ("Chinese", re.compile(r"[\u3400-\u9fff]")),
    ("Russian", re.compile(r"[\u0400-\u04ff]")),
    ("Greek", re.compile(r"[\u0370-\u03ff]")),
    ("Arabic", re.compile(r"[\u0600-\u06ff]")),
    ("Hebrew", re.compile(r"[\u0590-\u05ff]")),
    ("Thai", re.compile(r"[\u0e00-\u0e7f]")),
    ("Hindi", re.compile(r"[\u0900-\u097f]")),
)
LONG = 3  # one word of more letters tells a language where no word is English, and any in a sentence of more words
_ENGLISH = (STOP | frozenset("all file files show list find get and or not no with without in of to on by".split())) - {
    "de", "la", "e", "o"
}  # fmt: skip


@cache
def _learned() -> dict[str, dict[str, Any]]:
    """What `training/languages` counted in our own sentences."""
    learned: dict[str, dict[str, Any]] = json.loads((FOLDER / "telling.json").read_bytes())
    return learned


@cache
def _telling() -> dict[str, frozenset[str]]:
    """The words that tell each language: those of its lexicon that no two of our English authors type."""
    return {name: frozenset(own) for name, own in _learned()["telling"].items()}


def words(text: str) -> list[str]:
    """The words of a sentence that can tell its language: not what is quoted, nor what looks like a name or a path."""
    return _WORD.findall(_QUOTED.sub(" ", text))


def foreign(text: str) -> str:
    """The name of the language that the sentence is in; "" for English, and where nothing tells. What is quoted, and
    what looks like a name or a path, says nothing."""
    bare = _QUOTED.sub(" ", text)
    said = words(text)
    norms = [folded(word) for word in said]
    english = sum(word in _ENGLISH for word in norms)
    for language, script in () if bare.isascii() else _SCRIPTS:
        if len(script.findall(bare)) > 2 * english:
            return language
    counts = {language: sum(word in own for word in norms) for language, own in _telling().items()}
    most = max(counts.values())
    if not most:
        return ""
    alike = [name for name in counts if counts[name] == most]
    language = max(alike, key=lambda name: _usual(text, norms, name)) if len(alike) > 1 else alike[0]
    told = most + sum(not word.isascii() for word in said)
    sure = len(norms) > LONG or any(word in _telling()[language] and len(word) > LONG for word in norms)
    return language if told > max(english, 0 if sure else 1) else ""


def _usual(text: str, norms: list[str], language: str) -> tuple[int, int]:
    """How many words of the sentence the language's lexicon holds, and how usual those are that other languages have
    too."""
    english = translate(text, language)
    often = _learned()["often"][language]
    return -len(english.unknown) if english else -len(text), sum(often.get(word, 0) for word in norms)


def strays(text: str) -> tuple[str, ...]:
    """The short words of an English sentence that tell another language ("im", "les"): seldom names."""
    return tuple(
        word
        for word in words(text)
        if len(word) <= LONG and any(folded(word) in own for own in _telling().values())
    )
