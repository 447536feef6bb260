"""The embedded engine: a sentence in, commands out, from knowledge, grammar and history; no model, no network."""

from __future__ import annotations

import os
import sys

from terma.offline import generators
from terma.offline.draft import Context, Draft
from terma.offline.index import Index, load
from terma.offline.rank import Ranked, rank
from terma.offline.sentence import MAX_LENGTH, MAX_TOKENS, Sentence
from terma.offline.typos import corrected
from terma.types import Candidate, Query


class Engine:
    """Answers from a loaded index. Holds no state between questions."""

    def __init__(self, index: Index) -> None:
        self._index = index

    @classmethod
    def load(cls) -> Engine:
        """Read the compiled knowledge (or compile it). Under 30 ms from a compiled index."""
        return cls(load())

    def answer(self, query: Query, limit: int = 8) -> list[Candidate]:
        """The commands that the sentence may mean, best first; [] when the engine does not know. Never raises,
        but with TERMA_DEBUG set."""
        try:
            return [ranked.candidate for ranked in self._rank(query)[:limit]]
        except Exception:
            if os.environ.get("TERMA_DEBUG"):
                raise
            return []

    def explain(self, query: Query) -> list[Ranked]:
        """Like answer, with the score parts and the words that each candidate leaves unexplained."""
        return self._rank(query)

    def _rank(self, query: Query) -> list[Ranked]:
        sentence = Sentence.parse(query.words)
        if not sentence.tokens or len(query.words) > MAX_LENGTH or len(sentence.tokens) >= MAX_TOKENS:
            return []  # what is not read to its end cannot be accounted for
        sentence, fixed = corrected(sentence, self._index)
        context = Context(
            cwd=query.cwd, os=_system(query.os), shell=query.shell, path=query.path, history=query.history
        )
        drafts: list[Draft] = list(generators.drafts(sentence, context, self._index, fixed))
        ranked = rank(sentence, drafts, context, self._index)
        if context.os == "linux":
            return ranked
        from terma.offline.portable import for_system

        return for_system(ranked, "bsd" if "bsd" in (query.os or sys.platform).lower() else "macos")


def _system(name: str) -> str:
    name = (name or sys.platform).lower()
    return "macos" if name.startswith(("darwin", "macos", "mac")) or "bsd" in name else "linux"
