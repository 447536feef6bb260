"""The fixes of a failure at the prompt: kept with their shell, stepped through by the key, and the embedded engine's
shown below the prompt while a model thinks."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing, suppress

from terma.agent.remembering import shell_of
from terma.errors import TermaError, UnknownAnswer
from terma.records import dataclass
from terma.suggest.translate import Assess, Frame, translate
from terma.suggest.why import Answer
from terma.text import one_line
from terma.types import ENGINE, Candidate, Delta, Event, Final, Provider, Query, Raw

Fields = Mapping[str, str]
Replies = AsyncGenerator[Frame | Raw, None]
Choose = Callable[[Fields], Awaitable[Provider]]
Explain = Callable[[Fields, Provider], Awaitable[Answer]]

MAX_KEPT = 64  # shells whose last answer is kept
CODE = "the answer's code"
NO_FIX = ("no fix is known for that", "?why says what happened")


@dataclass(frozen=True, slots=True)
class _Kept:
    """The answer about one run of a command. `first` is the attempt that got its first fix."""

    event: tuple[str, ...]
    engine: str
    answer: Answer
    first: int = 0


class Fixing:
    """Keeps, per shell, the last explanation, so that the key steps through its fixes without asking again.

    `choose` says which engine explains, `explain` gives all that it says, `beside` what the embedded one does."""

    def __init__(
        self, choose: Choose, explain: Explain, beside: Callable[[Fields], Awaitable[Answer]], assess: Assess
    ) -> None:
        self._choose = choose
        self._explain = explain
        self._beside = beside
        self._assess = assess
        self._answers: OrderedDict[str, _Kept] = OrderedDict()

    def keep(self, fields: Fields, engine: str, answer: Answer) -> None:
        """Step through this answer from now on."""
        self._put(fields, engine, answer, 0)

    def _put(self, fields: Fields, engine: str, answer: Answer, first: int) -> _Kept:
        shell = shell_of(fields)
        kept = self._answers[shell] = _Kept(event_of(fields), engine, answer, first)
        self._answers.move_to_end(shell)
        while len(self._answers) > MAX_KEPT:
            self._answers.popitem(last=False)
        return kept

    def kept(self, fields: Fields) -> _Kept | None:
        """The answer about this run of this command, where one was given."""
        kept = self._answers.get(shell_of(fields))
        return kept if kept is not None and kept.event == event_of(fields) else None

    async def fix(self, fields: Fields, attempt: int, after: float) -> Replies:
        """Frames as `translate` gives them for the fix number `attempt`. While a model thinks, the embedded fix stands
        below the prompt from `after` seconds on (0: never), and the next attempt takes it. Raises what the chosen
        engine raises, and UnknownAnswer where no fix is known."""
        kept = self.kept(fields)
        if kept is None:
            async with aclosing(self._sought(fields, attempt, after)) as steps:
                async for step in steps:
                    if isinstance(step, _Kept):
                        kept = step
                    else:
                        yield step
        if kept is None:
            raise UnknownAnswer(*NO_FIX)
        answer = kept.answer
        query = Query(words=answer.query.command, cwd=answer.query.cwd, attempt=max(attempt - kept.first, 0))
        async with aclosing(translate(query, _Fixes(kept.engine, answer), self._assess)) as frames:
            async for frame in frames:
                if frame != ("note", f"{kept.engine} · thinking"):
                    yield frame

    async def _sought(
        self, fields: Fields, attempt: int, after: float
    ) -> AsyncGenerator[Frame | _Kept, None]:
        """Notes while an engine is asked, then its answer, which is kept."""
        provider = await self._choose(fields)
        waits = after > 0 and not provider.local
        if waits and attempt and (beside := await self._by_engine(fields)) is not None:
            yield self._put(fields, ENGINE, beside, attempt)  # the key again, while the model was silent
            return
        yield ("note", f"{provider.name} · looking at what failed")
        task = asyncio.ensure_future(self._explain(fields, provider))
        try:
            if waits:
                await asyncio.wait({task}, timeout=after)
                if not task.done() and (beside := await self._by_engine(fields)) is not None:
                    yield ("note", f"{provider.name} · {_shown(beside)} · the same key takes it")
            answer = await task
            yield self._put(fields, provider.name, answer, 0)
        finally:
            task.cancel()
            await asyncio.wait({task})

    async def _by_engine(self, fields: Fields) -> Answer | None:
        """The embedded answer, None where it has no fix that can be shown on a line."""
        with suppress(TermaError):  # the model is asked still
            answer = await self._beside(fields)
            if answer.fixes and "\n" not in answer.fixes[0][0].command:
                return answer
        return None


def _shown(answer: Answer) -> str:
    fix, risk = answer.fixes[0]
    return one_line(f"{fix.command} ({' · '.join([ENGINE] + [risk.level] * (risk.level != 'low'))})")


class _Fixes:
    """The fixes of an answer, else the commands that its text shows, told as a provider tells candidates: so they pass
    the same border."""

    def __init__(self, name: str, answer: Answer) -> None:
        self.name = name
        self._answer = answer

    async def translate(self, query: Query) -> AsyncIterator[Event]:
        fixes = [fix for fix, _ in self._answer.fixes]
        shown = [] if fixes else [fix for fix, _ in self._answer.shown]
        if not fixes and not shown:
            raise UnknownAnswer(*NO_FIX)
        index = query.attempt % len(fixes or shown)
        candidates = [
            Candidate(fix.command, fix.confidence, "look" if fix.look else "fix", note=fix.note)
            for fix in fixes
        ] or [Candidate(fix.command, fix.confidence, CODE) for fix in shown]
        yield Delta(candidates[index].command)
        yield Final((*candidates[index:], *candidates[:index]), index, len(candidates))


def event_of(fields: Fields) -> tuple[str, ...]:
    """Which run of which command is asked about."""
    return tuple(fields.get(key, "") for key in ("command", "status", "duration", "command_dir", "engine"))
