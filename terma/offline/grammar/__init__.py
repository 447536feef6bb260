"""A small semantic grammar: sentences about sets of files and about lines of text, composed into commands."""

from __future__ import annotations

from collections.abc import Iterator

from terma.offline.draft import Context, Draft
from terma.offline.grammar.files import drafts as file_drafts
from terma.offline.grammar.text import drafts as text_drafts
from terma.offline.sentence import Sentence

__all__ = ["candidates"]


def candidates(sentence: Sentence, context: Context) -> Iterator[Draft]:
    """Every command that the grammar can build for the sentence; none when it does not understand it."""
    yield from text_drafts(sentence, context)
    yield from file_drafts(sentence, context)
