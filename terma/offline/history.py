"""Drafts from the person's own past commands, when the sentence names one."""

from __future__ import annotations

from collections.abc import Iterator

from terma.offline.draft import Context, Draft
from terma.offline.index import Index
from terma.offline.sentence import Sentence


def candidates(sentence: Sentence, context: Context, index: Index) -> Iterator[Draft]:
    """Nothing yet."""
    return iter(())
