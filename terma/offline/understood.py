"""The words of a question as the engine reads them: in English, without what says nothing, their slips mended."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from dataclasses import replace

from terma.machine.carriers import carriers
from terma.offline.foreign_pieces import is_torn
from terma.offline.index import Index
from terma.offline.language import foreign, strays
from terma.offline.plain import plain
from terma.offline.sentence import Sentence
from terma.offline.translate import Translated, translate
from terma.offline.trust.words import STRONG
from terma.offline.typos import corrected, in_prose
from terma.offline.usage import Usage


def in_english(words: str) -> Translated | None:
    """The sentence as it is, or put into English; None in a language of which nothing is known here."""
    language = foreign(words)
    return translate(words, language) if language else Translated(words, strays(words))


def understood(words: str, index: Index, usage: Usage) -> tuple[Sentence, Mapping[int, str]]:
    """The sentence without what says nothing, its slips mended; and which tokens were misspelt."""
    words = in_prose(words, index, usage)
    said = plain(words)
    asks = words.rstrip().endswith("?") and words.lstrip().startswith(said.split(" ", 1)[0])
    return corrected(replace(Sentence.parse(said), asks=asks), index, usage)


def takes_a_word(english: Translated, command: str, tools: Container[str]) -> bool:
    """Whether a word that is no English stands as a value in the command, and nothing says that it is a name, neither
    a noun before it (and none behind) nor that a program is called so: then the sentence was not understood."""
    strange = [word for word in english.unknown if word not in tools and word not in carriers()]
    if not strange:
        return False
    if any(map(is_torn, strange)):
        return True
    said = set(re.findall(r"[\w-]+", command))
    words = [word.removesuffix("s") if word not in STRONG else word for word in english.text.split()]
    named = {
        word
        for before, word, behind in zip(words, english.text.split()[1:], [*words[2:], ""], strict=False)
        if before in STRONG and behind not in STRONG
    }  # what stands before a noun may as well say how the thing is: "verwaiste Ordner"
    return any(word in said and word not in named for word in strange)
