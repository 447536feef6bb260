"""A conversation with the embedded engine: it proposes the command for the words, explains what failed, and concludes.

It knows no more than Ctrl+T and ?why do, and says so where that is not enough.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence, Set
from contextlib import aclosing
from dataclasses import replace
from typing import Any, cast

from terma.agent.chat import offline_answers, why_questions
from terma.agent.chat.deeds.answers import Answer, answer
from terma.agent.chat.deeds.asked import addresses_terma, asked
from terma.agent.chat.deeds.continued import continued
from terma.agent.chat.deeds.evidence import evidence, nothing_named
from terma.agent.chat.deeds.of_one import ended, how_it_went, may_have_failed, not_run
from terma.agent.chat.deeds.pointed import pointed_at
from terma.agent.chat.deeds.record import REFUSED, Deed, Record, record
from terma.agent.chat.deeds.senses import sense_of
from terma.agent.chat.failures import NO_ANSWER, failure, given, seen
from terma.agent.chat.turns import Tried, shown, state
from terma.chat import ChatEvent, ChatMessage, Finish, TextDelta, ToolCall
from terma.conversation.words import NOT_RUN_NOBODY
from terma.errors import ProviderError, UnknownAnswer
from terma.tools.run_command import read
from terma.types import Candidate, Delta, Explained, Final, Fix, Note, Provider, Query, WhyQuery

RUN = "run_command"
MAX_FIXES = 3  # proposals in a row to mend what failed
OF_THE_WORLD = (
    "the embedded engine knows this machine, not what things are",
    "a model does: terma config init, terma local install",
)


class Embedded:
    """Answers one request as a chat model would. `query` is what is known of the shell, without words; `typed` reads
    what its history has last."""

    def __init__(
        self,
        provider: Provider,
        query: Query,
        tools: Set[str],
        typed: Callable[[], Awaitable[Sequence[str]]],
    ) -> None:
        self._provider = provider
        self._query = query
        self._tools = tools
        self._typed = typed
        self._sense = sense_of(query)

    async def chat(self, messages: Sequence[ChatMessage]) -> AsyncGenerator[ChatEvent, None]:
        """Text, at most one call of run_command, and the end. Where it does not know, what it knows of the things that
        the question names; raises UnknownAnswer where that is nothing."""
        try:
            async for event in self._answers(messages):
                yield event
        except UnknownAnswer:
            question, context, tried = state(messages)
            known = record(messages)
            if tried or given(context):
                raise
            said = await asyncio.to_thread(evidence, question, known, self._sense, self._query.cwd)
            if not said and addresses_terma(question, known.known):
                said = offline_answers.of_itself()
            if not said and (none := nothing_named(question, known, self._sense)):
                raise UnknownAnswer(NO_ANSWER[0], none) from None
            if not said:
                raise
            yield TextDelta(said)
            yield Finish()

    async def _answers(self, messages: Sequence[ChatMessage]) -> AsyncGenerator[ChatEvent, None]:
        question, context, tried = state(messages)
        if tried and (outcome := read(tried[-1].result)) is not None:
            ran = outcome.changed or tried[-1].command
            if outcome.status == 0:
                yield TextDelta(
                    "That worked." if outcome.output.strip() else "That worked; it printed nothing."
                )
            elif outcome.status < 0:
                yield TextDelta(f"`{_first(ran)}` has not ended yet, so there is nothing to say about it.")
            else:
                fixed = len([one for one in tried if read(one.result) is not None]) > MAX_FIXES
                async for event in self._explain(
                    failure(ran, outcome.status, outcome.output), tried, not fixed
                ):
                    yield event
        elif tried and tried[-1].result.startswith(NOT_RUN_NOBODY):
            yield TextDelta(f"```\n{tried[-1].command}\n```\n")
        elif (
            not tried
            and not given(context)
            and (said := await self._told(question, context, messages)) != Answer()
        ):
            if said.failure is not None:
                async for event in self._of_another(said.failure, question):
                    yield event
            else:
                yield self._again(said.command) if said.again else TextDelta(said.text)
        elif why_questions.asks_why(question) or given(context) or _again_refused(question, messages, tried):
            if tried:
                yield TextDelta("Then not.")
            elif (
                not given(context)
                and (other := pointed_at(question, record(messages), self._sense)) is not None
            ):
                async for event in self._of_another(other, question):
                    yield event
            else:
                failed = replace(seen(context, messages), question=question)
                meant = "sure" if given(context) else why_questions.bearing(question, failed)
                if meant == "none":
                    raise UnknownAnswer(*NO_ANSWER)
                if meant == "perhaps":
                    yield TextDelta(f"The newest failure that I know of is `{_first(failed.command)}`:\n\n")
                async for event in self._explain(failed, tried, True):
                    yield event
        else:
            named, _ = offline_answers.pointed(question, shown(context, record(messages)))
            if not named and offline_answers.asks_what_it_is(question):
                raise UnknownAnswer(*OF_THE_WORLD)
            if not named and offline_answers.asks_what_was_done(question):
                raise UnknownAnswer(*NO_ANSWER)
            async for event in self._propose(named or question, len(tried)):
                yield event
        yield Finish()

    async def _told(self, question: str, context: str, messages: Sequence[ChatMessage]) -> Answer:
        """What needs no command: told off the machine and the conversation, or a command to run again. Empty where a
        command has to answer."""
        if offline_answers.asks_of_itself(question):
            return Answer(offline_answers.ABOUT)
        known = record(messages)
        if found := continued(question, known) or asked(question, known.known):
            if found.about == "list" and not known.deeds:
                return Answer(offline_answers.from_history(await self._typed()))
            made = await asyncio.to_thread(answer, found, known, self._sense)
            if made is not None and made.command and not made.again:
                return Answer(await self._what_it_does(made.command, known))
            if made is not None:
                return made
        last = known.deeds[-1] if known.deeds else Deed("")
        worked = last.status == 0 and not why_questions.is_subject(messages)
        if worked and why_questions.points_at_the_last(question):
            return Answer(await self._what_it_does(last.command, known))
        if said := await asyncio.to_thread(offline_answers.told, question, self._query):
            return Answer(said)
        if worked and why_questions.asks_of_the_last(question):
            raise UnknownAnswer(*NO_ANSWER)  # what failed before that is not meant
        last_shown = shown(context, known)
        return Answer(
            await asyncio.to_thread(offline_answers.told_of_a_thing, question, last_shown, self._query)
        )

    async def _of_another(self, deed: Deed, question: str) -> AsyncIterator[ChatEvent]:
        """Why, of a command that the question means: it need not have failed, nor run."""
        if not may_have_failed(deed):
            yield TextDelta(not_run(deed) if deed.by == REFUSED else how_it_went(deed))
            return
        if deed.status < 0:
            yield TextDelta(f"{ended(deed)} Of what it printed:\n\n")
        why = replace(failure(deed.command, deed.status, deed.output or ""), question=question)
        async for event in self._explain(why, [], True):
            yield event

    async def _what_it_does(self, command: str, known: Record) -> str:
        """A command piece by piece; how it went, where nothing is known of it."""
        said = await asyncio.to_thread(offline_answers.what_it_does, command, self._query)
        return said or ended(next(one for one in reversed(known.deeds) if one.command == command))

    async def _propose(self, question: str, attempt: int) -> AsyncIterator[ChatEvent]:
        """The next candidate for the words: what was rejected is not proposed again."""
        if not question.strip():
            raise UnknownAnswer(*NO_ANSWER)
        query = replace(self._query, words=question.strip(), attempt=attempt)
        candidate: Candidate | None = None
        try:
            async with aclosing(cast(Any, self._provider.translate(query))) as events:
                async for event in events:
                    if isinstance(event, Note):
                        yield event
                    if isinstance(event, Final):
                        candidate = event.candidates[0] if attempt < event.total else None
                        break
        except UnknownAnswer as error:
            raise UnknownAnswer(*NO_ANSWER) from error
        if candidate is None:
            yield TextDelta("That is all I know for these words; say it in other words.")
        elif candidate.placeholders or RUN not in self._tools:
            names = ", ".join(dict.fromkeys(slot.name for slot in candidate.placeholders))
            yield TextDelta(f"```\n{candidate.command}\n```\n" + (f"Say what {names} is." if names else ""))
        else:
            yield self._call(candidate.command, candidate.note, attempt)

    async def _explain(self, failed: WhyQuery, tried: list[Tried], mend: bool) -> AsyncIterator[ChatEvent]:
        query = replace(
            failed,
            shell=self._query.shell,
            path=self._query.path,
            os=self._query.os,
            aliases=self._query.aliases,
        )
        query = replace(query, cwd=query.cwd or self._query.cwd)
        fixes: tuple[Fix, ...] | None = None
        async with aclosing(cast(Any, self._provider.explain(query))) as events:
            async for event in events:
                if isinstance(event, Delta):
                    yield TextDelta(event.text)
                elif isinstance(event, Note):
                    yield event
                elif isinstance(event, Explained):
                    fixes = event.fixes
                    break
        if fixes is None:
            raise ProviderError(f"{self._provider.name} ended without an answer", "try again")
        known = {one.command.strip() for one in tried} | {query.command.strip()}
        new = [fix for fix in fixes if fix.command.strip() not in known and "{" not in fix.command]
        if new and mend and RUN in self._tools:
            yield TextDelta("\n")
            yield self._call(new[0].command, new[0].note or "a fix for that", len(tried))
        elif new:
            yield TextDelta(f"\n\n```\n{new[0].command}\n```")

    def _again(self, command: str) -> ChatEvent:
        if RUN not in self._tools:
            return TextDelta(f"```\n{command}\n```")
        return self._call(command, "the same once more", 0)

    def _call(self, command: str, description: str, number: int) -> ToolCall:
        values = {"command": command, "description": description}
        return ToolCall(f"embedded_{number}", RUN, json.dumps(values, ensure_ascii=False))


def _again_refused(question: str, messages: Sequence[ChatMessage], tried: Sequence[Tried]) -> bool:
    """Whether what ran before was to run again, and was refused."""
    found = asked(question, record(messages).known) if tried else None
    return found is not None and found.about == "repeat"


def _first(command: str) -> str:
    return command.partition("\n")[0][:60]
