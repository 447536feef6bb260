"""A sentence is answered: for the prompt it was typed on, in pieces, or for a program, all at once."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from typing import TYPE_CHECKING

from terma.agent import giving
from terma.agent.choosing import Choosing
from terma.agent.explaining import aliases, number
from terma.agent.key_passthrough import divert
from terma.agent.learning import Learning, Look
from terma.agent.remembering import Remembering, shell_of
from terma.agent.telling import told
from terma.context import history
from terma.context.memory import Event
from terma.errors import ProviderError, UnknownAnswer, UsageError
from terma.suggest.choices import choices
from terma.suggest.half import translated
from terma.suggest.listing import listing, unsure
from terma.suggest.second import with_second
from terma.suggest.translate import Assess, Frame, close
from terma.text import one_line
from terma.types import Final, Provider, Query, Raw

if TYPE_CHECKING:
    from terma.config import Settings

Fields = Mapping[str, str]
Replies = AsyncGenerator[Frame | Raw, None]
MAX_WORDS = 4_000  # code points of a sentence; a prompt holds far less
MAX_COUNT = 50


class Sentences:
    """Each method answers one request about a sentence: it yields frames without their id, and raises TermaError.

    `named` gives an engine by its name, `machine` is "linux", "macos" or "bsd"."""

    def __init__(
        self,
        choosing: Choosing,
        memory: Remembering,
        learning: Learning,
        named: Callable[[str], Provider],
        assess: Assess,
        machine: str,
    ) -> None:
        self._choosing = choosing
        self._memory = memory
        self._learning = learning
        self._named = named
        self._assess = assess
        self._machine = machine

    async def translate(self, fields: Fields) -> Replies:
        """A sentence on a prompt: notes and deltas, then the command as it should stand there."""
        query = await self._query(fields, fields.get("buffer", ""))
        settings = await self._choosing.settings(fields)
        diverted = await divert(query, fields, settings)
        if diverted == ("done", "explained"):
            async with aclosing(told(fields)) as rows:
                async for row in rows:
                    yield row
            return
        if diverted:
            yield diverted
            return
        provider = await self._watched(await self._choosing.provider(fields), fields, settings, query)
        if wants_list(fields, settings):
            beside = None if provider.local else self._named("offline")
            size = number(fields, "columns", 80), number(fields, "lines", 24)
            replies = choices(query, provider, beside, self._assess, *size)
        else:
            replies = translated(query, provider, self._assess, fields.get("half") == "1")
        replies = with_second(replies, fields.get("second", ""), provider, query, self._assess)
        async with aclosing(replies) as frames:
            async for frame in frames:
                yield frame

    async def _watched(
        self, provider: Provider, fields: Fields, settings: Settings, query: Query
    ) -> Provider:
        """`provider`, whose answers are ordered by what this shell did with earlier ones, where that may be learned."""
        shell = shell_of(fields)
        if not settings.learning.enabled or not shell:
            return provider
        run = tuple(fields.get(key, "") for key in ("command", "status", "duration"))
        look = Look()
        if not query.attempt:
            look = await self._learning.look(fields.get("histfile", ""))
            self._learning.ran(shell, run, query.history, query.words, look)
        return self._learning.watched(provider, shell, run, look.end)

    async def suggest(self, fields: Fields) -> Replies:
        """A sentence from a program: one `done json` with at most `count` candidates."""
        query = await self._query(fields, fields.get("words", ""))
        provider = giving.at_once(await self._choosing.provider(fields))
        count = min(max(number(fields, "count", 1), 1), MAX_COUNT)
        try:
            found = await final(provider, query)
        except UnknownAnswer as error:
            if fields.get("second") != "1":
                raise
            yield (
                "done",
                "json",
                json.dumps(unsure(error, provider.name, query, self._assess), ensure_ascii=False),
            )
            return
        answer = listing(found, provider.name, query, count, self._assess)
        if notes := getattr(provider, "said", ()):
            answer["notes"] = [one_line(note) for note in notes]
        if not answer["candidates"]:
            raise UnknownAnswer(f"{provider.name} has no answer to that", "say it in other words")
        yield ("done", "json", json.dumps(answer, ensure_ascii=False))

    async def _query(self, fields: Fields, words: str) -> Query:
        words = words.strip()
        if not words:
            raise UsageError("there is no sentence to translate", "type what you want, then press the key")
        if len(words) > MAX_WORDS:
            raise UsageError(f"the sentence is longer than {MAX_WORDS} characters", "shorten it")
        cwd = fields.get("cwd", "")
        ran = Event(
            fields.get("command", ""),
            number(fields, "status", -1),
            number(fields, "duration", 0),
            fields.get("command_dir", ""),
        )
        return Query(
            words=words,
            shell=fields.get("shell", "bash"),
            cwd=cwd if cwd.startswith("/") else "",
            path=fields.get("path", ""),
            os=self._machine,
            attempt=max(number(fields, "attempt", 0), 0),
            history=await history.soon(fields.get("histfile", "")),
            status=number(fields, "status", -1),
            command=fields.get("command", ""),
            duration=number(fields, "duration", 0),
            recent=self._memory.note(fields, ran) if ran.command else (),
            style="python" if "\nTERMA_XONSH_STYLE=python" in fields.get("settings", "") else "",
            aliases=aliases(fields.get("aliases", "")),
            again=fields.get("again") == "1",
        )


def wants_list(fields: Fields, settings: Settings) -> bool:
    """Whether the candidates are to be listed: the key was pressed twice quickly (`list=1`), or the settings want a
    list at once. A shell that shows none sends no such field."""
    if settings.suggestions.list == "always":
        return "list" in fields and (fields["list"] == "1" or not number(fields, "attempt", 0))
    return settings.suggestions.list == "twice" and fields.get("list") == "1"


async def final(provider: Provider, query: Query) -> Final:
    """The whole answer of `provider`. Raises TermaError, also where it ends without one."""
    events = provider.translate(query)
    try:
        async for event in events:
            if isinstance(event, Final):
                return event
    finally:
        await close(events)
    raise ProviderError(f"{provider.name} ended without an answer", "try again")
