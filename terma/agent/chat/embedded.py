"""A conversation with the embedded engine: it proposes the command for the words, explains what failed, and concludes.

It knows no more than Ctrl+T and ?why do, and says so where that is not enough.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence, Set
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any, cast

from terma.agent.chat import offline_answers, why_questions
from terma.chat import ChatEvent, ChatMessage, Finish, TextDelta, ToolCall
from terma.conversation.words import NOT_RUN_NOBODY, split
from terma.errors import ProviderError, UnknownAnswer
from terma.output.shorten import troubles
from terma.tools.run_command import Outcome, read
from terma.types import Candidate, Delta, Explained, Final, Fix, Note, Output, Provider, Query, WhyQuery

RUN = "run_command"
MAX_FIXES = 3  # proposals in a row to mend what failed
NO_ANSWER = (
    "the embedded engine has no answer to that",
    "say it as one command's work, or set a model up: terma config init, terma local install",
)
OF_THE_WORLD = (
    "the embedded engine knows this machine, not what things are",
    "a model does: terma config init, terma local install",
)
NOTHING_FAILED = (
    "no command is known that failed",
    "run it once more in a shell with terma's key (terma init), or pipe its output in: command 2>&1 | terma 'why?'",
)


@dataclass(frozen=True, slots=True)
class _Tried:
    """A call of this question and its result."""

    command: str
    result: str


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

    async def chat(self, messages: Sequence[ChatMessage]) -> AsyncGenerator[ChatEvent, None]:
        """Text, at most one call of run_command, and the end. Raises UnknownAnswer where it does not know."""
        question, context, tried = _state(messages)
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
                    _failure(ran, outcome.status, outcome.output), tried, not fixed
                ):
                    yield event
        elif tried and tried[-1].result.startswith(NOT_RUN_NOBODY):
            yield TextDelta(f"```\n{tried[-1].command}\n```\n")
        elif not tried and not _given(context) and (said := await self._told(question, context, messages)):
            yield TextDelta(said)
        elif why_questions.asks_why(question) or _given(context):
            if tried:
                yield TextDelta("Then not.")
            else:
                failed = replace(_seen(context, messages), question=question)
                if not _given(context) and not why_questions.is_about(question, failed):
                    raise UnknownAnswer(*NO_ANSWER)
                async for event in self._explain(failed, tried, True):
                    yield event
        else:
            meant, _ = offline_answers.pointed(question, _shown(context, _earlier(messages)))
            if not meant and offline_answers.asks_what_it_is(question):
                raise UnknownAnswer(*OF_THE_WORLD)
            if not meant and offline_answers.asks_what_was_done(question):
                raise UnknownAnswer(*NO_ANSWER)
            async for event in self._propose(meant or question, len(tried)):
                yield event
        yield Finish()

    async def _told(self, question: str, context: str, messages: Sequence[ChatMessage]) -> str:
        """What needs no command: told off the machine and the conversation. "" where a command has to answer."""
        earlier = _earlier(messages)
        ran = [(one.command, outcome.status) for one, outcome in earlier]
        since = sum(
            len(turn.ran) for turn in messages[-1:]
        )  # entered after what was captured with this question
        known = offline_answers.run(ran[: len(ran) - since], context, ran[len(ran) - since :])
        if offline_answers.asks_what_ran(question):
            return offline_answers.was_run(question, known, () if ran else await self._typed())
        last = known[-1] if known else ("", -1)
        worked = last[1] == 0 and not why_questions.is_subject(messages)
        if worked and why_questions.points_at_the_last(question):
            return await asyncio.to_thread(offline_answers.what_it_does, last[0], self._query)
        if said := await asyncio.to_thread(offline_answers.told, question, known, self._query):
            return said
        if worked and why_questions.asks_of_the_last(question):
            raise UnknownAnswer(*NO_ANSWER)  # what failed before that is not meant
        return await asyncio.to_thread(
            offline_answers.told_of_a_thing, question, _shown(context, earlier), self._query
        )

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

    async def _explain(self, failed: WhyQuery, tried: list[_Tried], mend: bool) -> AsyncIterator[ChatEvent]:
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

    def _call(self, command: str, description: str, number: int) -> ToolCall:
        values = {"command": command, "description": description}
        return ToolCall(f"embedded_{number}", RUN, json.dumps(values, ensure_ascii=False))


def _state(messages: Sequence[ChatMessage]) -> tuple[str, str, list[_Tried]]:
    """The last question, its context, and what was called since, with the results."""
    question = context = ""
    tried: list[_Tried] = []
    commands: dict[str, str] = {}
    for message in messages:
        if message.role == "user":
            question, context = split(message.content)
            tried = []
        for call in message.tool_calls:
            commands[call.id] = _command(call)
        if message.role == "tool":
            tried.append(_Tried(commands.get(message.tool_call_id, ""), message.content))
    return question, context, tried


def _earlier(messages: Sequence[ChatMessage]) -> list[tuple[_Tried, Outcome]]:
    """Every command of the conversation that ran, with how it went, the oldest first."""
    commands = {call.id: _command(call) for message in messages for call in message.tool_calls}
    found = []
    for message in messages:
        found += [(_Tried(one.command, ""), Outcome(one.status, one.output)) for one in message.ran]
        outcome = read(message.content) if message.role == "tool" else None
        if outcome is not None:
            ran = outcome.changed or commands.get(message.tool_call_id, "")
            found.append((_Tried(ran, message.content), outcome))
    return found


def _shown(context: str, earlier: Sequence[tuple[_Tried, Outcome]]) -> offline_answers.Shown | None:
    """The last output: of this conversation, else what was captured of the terminal. Of what failed, what was printed
    is about the failure."""
    for one, outcome in reversed(earlier):
        if outcome.output.strip() and outcome.status <= 0:
            return offline_answers.Shown(one.command, outcome.output)
    printed = re.search(r"^Output, from [^\n]*:\n(.*)", context, re.MULTILINE | re.DOTALL)
    return offline_answers.Shown("", printed[1]) if printed else None


def _command(call: ToolCall) -> str:
    try:
        value = json.loads(call.arguments)
    except ValueError:
        return ""
    return str(value.get("command", "")) if isinstance(value, dict) else ""


def _seen(context: str, messages: Sequence[ChatMessage]) -> WhyQuery:
    """The failure that is asked about: the text that came with the question, else the newest one of this conversation,
    whoever ran it, else what was captured. Raises UnknownAnswer when there is none."""
    if given := _given(context):
        if not troubles(given):
            raise UnknownAnswer(*NO_ANSWER)
        return _failure("", 1, given)
    for one, outcome in reversed(_earlier(messages)):
        if outcome.status > 0:
            return _failure(one.command, outcome.status, outcome.output)
    told = re.search(r"^Command: (.+)$", context, re.MULTILINE)
    if told is None:
        raise UnknownAnswer(*NOTHING_FAILED)
    ended = re.search(r"^Exit status: (\d+)$", context, re.MULTILINE)
    stood = re.search(r"^Directory: (/.*)$", context, re.MULTILINE)
    printed = re.search(r"^Output, from [^\n]*:\n(.*)", context, re.MULTILINE | re.DOTALL)
    made = _failure(told[1], int(ended[1]) if ended else -1, printed[1] if printed else "")
    seen = made.output if printed else Output()
    return replace(made, cwd=stood[1] if stood else "", output=seen)


def _given(context: str) -> str:
    """What was piped in or read from a file, "" for nothing."""
    behind = r"(?:\n\n(?:Directory: /|Command: )|\Z)"  # what was captured stands after it
    found = re.match(rf"(?:Standard input|File [^\n]*):\n(.*?){behind}", context, re.DOTALL)
    return found[1] if found else ""


def _failure(command: str, status: int, output: str) -> WhyQuery:
    return WhyQuery(command=command, status=status, output=Output(output, "the conversation", found=True))


def _first(command: str) -> str:
    return command.partition("\n")[0][:60]
