"""The embedded engine as a provider: no key, no network, an answer in one piece."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from terma.errors import ProviderError, UnknownAnswer, UnsureAnswer
from terma.types import Candidate, Delta, Event, Explained, Final, Query, WhyEvent, WhyQuery

if TYPE_CHECKING:
    from terma.offline import Engine
    from terma.offline.explain import Explanation
    from terma.offline.rank import Ranked
    from terma.offline.recipes import Recipes

NAMED = 4  # words that a message names
LIMIT = 8  # candidates that repeated Ctrl+T goes through before it starts again


class OfflineProvider:
    """Answers from terma's own knowledge and the person's history. The index is read once, on first use."""

    name = "offline"
    local = True

    def __init__(self) -> None:
        self._engine: Engine | None = None
        self._recipes: Recipes | None = None
        self._reading = threading.Lock()

    def preload(self) -> None:
        """Read the index now, before questions come that would each want to."""
        self._load()

    def rehearse(self) -> None:
        """Ask one question, where nobody did: what a question reaches is imported, and read, by asking one."""
        self._load().answer(Query(words="list files"), limit=1)

    def rest(self) -> None:
        """Give back memory while nobody asks."""
        if self._engine is not None:
            self._engine.rest()

    def _load(self) -> Engine:
        with self._reading:  # whoever asks meanwhile waits, and does not read it as well
            if self._engine is None:
                self._read()
        assert self._engine is not None
        return self._recipes.beside(self._engine) if self._recipes else self._engine

    def _read(self) -> None:
        try:
            from terma.offline import Engine
            from terma.offline.recipes import Recipes

            self._engine, self._recipes = Engine.load(), Recipes()
        except Exception as error:  # a damaged installation; the reason goes to whoever asked
            raise ProviderError(
                f"the embedded engine cannot be read: {error}", "install terma again"
            ) from error

    async def translate(self, query: Query) -> AsyncIterator[Event]:
        """One delta and the Final. In a thread: it looks at the directory, and a file system may be slow."""
        candidates = await asyncio.to_thread(self._answer, query)
        if not candidates:
            raise await asyncio.to_thread(_unsure, self._load(), query)
        total = len(candidates)
        index = query.attempt % total
        yield Delta(candidates[index].command)
        yield Final((*candidates[index:], *candidates[:index]), index, total)

    def _answer(self, query: Query) -> list[Candidate]:
        engine = self._load()
        if not query.edit[0]:
            return engine.answer(query, limit=LIMIT)
        from terma.offline import edits

        def reads(words: str) -> tuple[Sequence[Candidate], Sequence[Candidate]]:
            sure, near = engine.offers(replace(query, words=words, history=()), LIMIT)
            return sure, [one.candidate for one in near]

        learned = edits.Learned(engine.table.ordinary.__contains__, reads, engine.memory.flags.of)
        return edits.answer(query, learned)

    def knows(self, program: str) -> bool:
        """Whether a program of that name is anywhere in the knowledge, or in what was learned."""
        engine = self._load()
        return program in engine.index.tools or program in engine.table.usual

    async def offers(
        self, query: Query
    ) -> tuple[tuple[Candidate, ...], tuple[Candidate, ...], UnsureAnswer | None]:
        """For a model beside which this engine stands: what it would insert, what it would not, and with what it would
        say that it is not sure, None where nothing is near. In a thread, as `translate`."""
        if query.edit[0]:
            return tuple(await asyncio.to_thread(self._answer, query)), (), None
        sure, rest = await asyncio.to_thread(self._load().offers, query, LIMIT)
        near = next((one for one in rest if one.close), None)
        return tuple(sure), tuple(one.candidate for one in rest), _not_sure(near) if near else None

    async def explain(self, query: WhyQuery) -> AsyncIterator[WhyEvent]:
        """One delta and the end. In a thread: rules look at files, and a file system may be slow."""
        found = await asyncio.to_thread(_explain, query)
        yield Delta(found.text)
        yield Explained(found.offered)


def _unsure(engine: Engine, query: Query) -> UnknownAnswer:
    """Why there is no answer: the language, else what is nearest, with the words that it does not answer."""
    from terma.offline.edits import NEEDS_A_MODEL
    from terma.offline.language import foreign

    if query.edit[0]:
        return UnknownAnswer(NEEDS_A_MODEL, "choose one: terma models")
    near = engine.near(query, limit=1)
    if not near:
        unknown = engine.unknown(query)
        if language := foreign(query.words):
            return UnsureAnswer(
                f"offline does not know that in {language}{_words(': ', unknown)}",
                "say it in English, or choose a model: terma models",
                unknown=unknown,
            )
        return UnsureAnswer(
            "offline does not know that yet",
            "say it in other words, or one step at a time",
            unknown=unknown,
        )
    return _not_sure(near[0])


def _not_sure(near: Ranked) -> UnsureAnswer:
    command, unknown = near.candidate.command, near.left
    return UnsureAnswer(
        f"not sure{_words(' of ', unknown)}",
        f"nearest: {command}",
        nearest=command,
        confidence=near.candidate.score,
        unknown=unknown,
    )


def _words(before: str, words: tuple[str, ...]) -> str:
    return before + ", ".join(f"“{word}”" for word in words[:NAMED]) if words else ""


def _explain(query: WhyQuery) -> Explanation:
    from terma.offline.explain import explain

    return explain(query)


PLUGIN = OfflineProvider()
