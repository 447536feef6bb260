"""Words that were entered as if they were a command: the key and ?why behind their "command not found" still bring the
command that was meant, and say which key comes before Enter."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing, suppress
from dataclasses import replace

from terma.agent import giving
from terma.agent.choosing import Choosing
from terma.agent.explaining import Explaining, as_json, number
from terma.agent.key_passthrough import SECONDS
from terma.agent.remembering import shell_of
from terma.errors import UnknownAnswer
from terma.suggest.translate import Frame
from terma.suggest.why import Assess, answer_whole, why
from terma.types import Delta, Event, Explained, Final, Fix, Output, Provider, Query, Raw, WhyEvent, WhyQuery

Fields = Mapping[str, str]
Replies = AsyncGenerator[Frame | Raw, None]

NOT_FOUND = 127
ADVICE = "you meant words: Ctrl+T before Enter next time"
MEANT = "No command has that name: you meant words"
EXPLAINED = f"{MEANT}. Press Ctrl+T before Enter next time.\n"
SEEN = "the line itself says it"
MAX_SHELLS = 64  # of which it is known that they were told


class EnteredWords:
    """The asks `fix`, `why` and `why_json` for a line that was words and that an engine answers; `explaining` has every
    other."""

    def __init__(
        self,
        choosing: Choosing,
        explaining: Explaining,
        translate: Callable[[Fields], Replies],
        final: Callable[[Provider, Query], Awaitable[Final]],
        assess: Assess,
    ) -> None:
        self._choosing = choosing
        self._explaining = explaining
        self._translate = translate
        self._final = final
        self._assess = assess
        self._advised: OrderedDict[str, None] = OrderedDict()

    async def fix(self, fields: Fields) -> Replies:
        """The frames of `translate` for the words, with the advice once a shell; else the fixes of the failure. Raises
        UnknownAnswer, of the words where they were that."""
        unknown: UnknownAnswer | None = None
        if await were_words(self._explaining.query(fields), fields):
            began = False
            asked = {
                name: value for name, value in fields.items() if name not in ("displaced", "list", "second")
            }
            try:
                async with aclosing(self._translate(asked | {"buffer": fields["command"]})) as frames:
                    async for frame in self._advising(shell_of(fields), frames):
                        began = began or not isinstance(frame, tuple) or frame[0] != "note"
                        yield frame
                return
            except UnknownAnswer as error:
                if began:
                    raise
                unknown = error
        try:
            async with aclosing(self._explaining.fix(fields)) as others:
                async for frame in others:
                    yield frame
        except UnknownAnswer:
            if unknown is None:
                raise
            raise UnknownAnswer(f"you meant words: {unknown.message}", unknown.hint) from None

    async def why(self, fields: Fields) -> Replies:
        """The explanation that they were words, with their commands as fixes; else that of the failure."""
        query = self._explaining.query(fields)
        frames: Replies | None = None
        if words := await self._words(query, fields):
            frames = self._explained(query, words, number(fields, "columns", 0))
        async with aclosing(frames or self._explaining.why(fields)) as shown:
            async for frame in shown:
                yield frame

    async def why_json(self, fields: Fields) -> Replies:
        """The same for programs, as `done json`."""
        query = self._explaining.query(fields)
        if words := await self._words(query, fields):
            answer = await answer_whole(replace(query, output=Output(trouble=SEEN)), words, self._assess)
            yield as_json(answer, words.name)
            return
        async with aclosing(self._explaining.why_json(fields)) as others:
            async for frame in others:
                yield frame

    async def _words(self, query: WhyQuery, fields: Fields) -> _Words | None:
        """What answers the line as words; None where it was none, or where only the failure has a fix."""
        if query.question or not await were_words(query, fields):
            return None
        provider = giving.at_once(await self._choosing.provider(fields))
        words = Query(
            words=query.command, shell=query.shell, cwd=query.cwd, path=query.path, os=query.os, aliases=query.aliases
        )  # fmt: skip
        try:
            return _Words(provider.name, await self._final(provider, words))
        except UnknownAnswer as unknown:
            return None if await self._has_fix(fields) else _Words(provider.name, Final(()), unknown)

    async def _has_fix(self, fields: Fields) -> bool:
        with suppress(UnknownAnswer):
            async with aclosing(self._explaining.fix(fields)) as frames:
                async for frame in frames:
                    if isinstance(frame, tuple) and frame[0] == "done":
                        return True
        return False

    def _explained(self, query: WhyQuery, words: _Words, columns: int) -> Replies:
        async def see() -> WhyQuery:
            return replace(query, output=Output(trouble=SEEN))

        return why(query, see, words, self._assess, columns, lambda answer: None)

    async def _advising(self, shell: str, frames: Replies) -> Replies:
        """`frames`, the last note of which begins with the advice where this shell has not had it. A danger has the
        state line to itself: then it is said another time."""
        said, dangerous = "", False
        async for frame in frames:
            if isinstance(frame, tuple):
                said = frame[1] if frame[0] == "note" else said
                dangerous = dangerous or frame[0] == "risk"
                if frame[0] == "done" and not dangerous and shell not in self._advised:
                    self._advised[shell] = None
                    while len(self._advised) > MAX_SHELLS:
                        self._advised.popitem(last=False)
                    yield ("note", " · ".join(filter(None, (ADVICE, said))))
            yield frame


class _Words:
    """The candidates for the words, told as a provider tells an explanation: so they pass the same border."""

    local = True

    def __init__(self, name: str, final: Final, unknown: UnknownAnswer | None = None) -> None:
        self.name = name
        self._final = final
        self._unknown = unknown

    async def translate(self, query: Query) -> AsyncIterator[Event]:
        """The answer that is there already."""
        yield self._final

    async def explain(self, query: WhyQuery) -> AsyncIterator[WhyEvent]:
        """That they were words, and the commands that need nothing filled in, or that none is known."""
        unknown = self._unknown
        yield Delta(f"{MEANT}, but {unknown.message}: {unknown.hint}.\n" if unknown else EXPLAINED)
        whole = [candidate for candidate in self._final.candidates if not candidate.placeholders]
        yield Explained(tuple(Fix(each.command, each.score, each.note) for each in whole))


async def were_words(query: WhyQuery, fields: Fields) -> bool:
    """Whether the line was not found (a status, or a field `missing` of a shell that has none for that) and the router
    calls it words. A PATH on a hanging disk is not waited for. A `function` of the shell was found: that of what it
    calls something was not, or that zsh sources nothing, ends with the same status."""
    if (query.status != NOT_FOUND and fields.get("missing") != "1") or fields.get("function") == "1":
        return False
    try:
        async with asyncio.timeout(SECONDS):
            return await asyncio.to_thread(_is_prompt, query)
    except TimeoutError:
        return False


def _is_prompt(query: WhyQuery) -> bool:
    """One word alone is a program that is missing; and where the first is a command, another one was not found."""
    from terma.routing import Known, is_here, route

    known = Known(query.path, query.shell, query.aliases, cwd=query.cwd)
    words = query.command.split(maxsplit=1)
    if len(words) < 2 or is_here(words[0], known):
        return False
    found = route(query.command, known)
    return found.kind == "prompt" and not found.unsure
