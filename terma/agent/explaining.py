"""The asks about what just happened: `why`, its fixes alone, and what an engine was told of it."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing
from dataclasses import replace
from functools import partial

from terma.agent import giving
from terma.agent.choosing import Choosing, PromptRecord
from terma.agent.fixing import Fixing
from terma.agent.keys import HANDED as KEYS
from terma.agent.remembering import Remembering
from terma.context import history
from terma.context.memory import Event as Ran
from terma.errors import UnknownAnswer, UsageError
from terma.suggest.prompt import seen
from terma.suggest.translate import Frame
from terma.suggest.why import Answer, Assess, answer_whole, why
from terma.types import ENGINE, GIVEN, CaptureRequest, Fix, Output, Provider, Raw, Risk, WhyQuery

Fields = Mapping[str, str]
Replies = AsyncGenerator[Frame | Raw, None]
Gather = Callable[[CaptureRequest], Awaitable[Output]]

MAX_OUTPUT = 20_000  # code points of an output that a program hands over
MAX_READ = 12_288  # code points of its end that are read for the line that decides
MAX_COMMAND = 4_000
MAX_QUESTION = 2_000
NOTHING_RAN = ("nothing was run in this shell yet", "run a command, then ask why")


def as_json(answer: Answer, engine: str) -> Frame:
    """The `done json` frame of an explanation, for programs."""
    fixes, looks = (
        [
            {"command": fix.command, "risk": risk.level, "confidence": round(fix.confidence, 4)}
            for fix, risk in answer.fixes
            if fix.look is wanted
        ]
        for wanted in (False, True)
    )
    source = answer.query.output.source or "none"
    shown = {"explanation": answer.text, "fixes": fixes, "looks": looks, "engine": engine, "source": source}
    return ("done", "json", json.dumps(shown, ensure_ascii=False))


class Explaining:
    """Keeps, per shell, the last answer (so that Ctrl+T steps through its fixes without asking again) and what the
    engine was told last. In memory alone."""

    def __init__(
        self, choosing: Choosing, memory: Remembering, gather: Gather, assess: Assess, os_name: str
    ) -> None:
        self._choosing = choosing
        self._memory = memory
        self._gather = gather
        self._assess = assess
        self._os = os_name
        self._fixing = Fixing(partial(choosing.provider, job="why"), self._whole, self._beside, assess)

    async def why(self, fields: Fields) -> Replies:
        """`say` frames in styles, `fix` frames, `done why`. With `whole` nobody reads before the end: as `why_json`."""
        asked = self.query(fields)
        provider = await self._choosing.provider(fields, "why")
        if fields.get("whole") == "1":
            provider = giving.at_once(provider)

        async def see() -> WhyQuery:
            query = await self.see(asked, fields, await self.may_see(fields, provider))
            self._choosing.tell(told(provider, query), provider)
            return query

        frames = why(
            asked,
            see,
            provider,
            self._assess,
            number(fields, "columns", 0),
            lambda answer: self._fixing.keep(fields, provider.name, answer),
            decisive,
        )
        async with aclosing(frames):
            async for frame in frames:
                yield frame

    async def why_json(self, fields: Fields) -> Replies:
        """`done json`: {"explanation", "fixes": [{"command", "risk", "confidence"}], "looks": the same of what
        shows more and mends nothing, "engine", "source"}. A model that auto chose and that is silent gives way to the
        embedded engine, where that has a fix."""
        provider = giving.at_once(await self._choosing.provider(fields, "why"))
        yield as_json(await self._whole(fields, provider), provider.name)

    async def fix(self, fields: Fields) -> Replies:
        """The fixes alone, for the prompt: frames as `translate` gives them; `attempt` steps through them."""
        after = (await self._choosing.settings(fields)).suggestions.offline_after
        async with aclosing(self._fixing.fix(fields, number(fields, "attempt", 0), after)) as frames:
            async for frame in frames:
                yield frame

    async def first_fix(self, fields: Fields, provider: Provider, accept: Callable[[Fix, Risk], bool]) -> str:
        """The first fix of `provider`, which is local, where it is one to `accept`, else "". Then the key steps through
        that answer, whoever answers otherwise."""
        answer = await self._unsaid(fields, provider)
        if not answer.fixes or not accept(*answer.fixes[0]):
            return ""
        self._fixing.keep(fields, provider.name, answer)
        return answer.fixes[0][0].command

    async def last(self, fields: Fields) -> Replies:
        """`done json`: what an engine would be told of the last command now, or with `sent` what one was told."""
        if fields.get("sent"):
            shown = self._choosing.told
            if shown is None:
                raise UnknownAnswer("no engine was told anything since the agent started", "ask ?why first")
        else:
            provider = await self._choosing.provider(fields, "why")
            may_see = await self.may_see(fields, provider)
            shown = told(provider, await self.see(self.query(fields), fields, may_see))
        yield (
            "done",
            "json",
            json.dumps(
                {"engine": shown.engine, "when": shown.when, "left": shown.left, "text": shown.text},
                ensure_ascii=False,
            ),
        )

    def query(self, fields: Fields) -> WhyQuery:
        """What the shell itself knows; of another pane's shell not where it is. Raises UsageError for numbers that are
        none."""
        stands = "" if fields.get("another_pane") else absolute(fields.get("cwd", ""))
        return WhyQuery(
            command=fields.get("command", "")[:MAX_COMMAND],
            status=number(fields, "status", -1),
            question=fields.get("question", "").strip().lstrip(",:").strip()[:MAX_QUESTION],
            cwd=absolute(fields.get("command_dir", "")) or stands,
            stands=stands,
            shell=fields.get("shell", "bash"),
            path=fields.get("path", ""),
            os=self._os,
            duration=max(number(fields, "duration", 0), 0),
            aliases=aliases(fields.get("aliases", "")),
            statuses=statuses(fields.get("statuses", "")),
            columns=max(number(fields, "columns", 0), 0),
        )

    async def may_see(self, fields: Fields, provider: Provider) -> bool:
        """Whether `provider` may be told what a command printed."""
        return provider.local or (await self._choosing.settings(fields)).privacy.output

    async def see(self, asked: WhyQuery, fields: Fields, may_see: bool = True) -> WhyQuery:
        """The query with the output: what a program hands over, else what a source shows. Raises UnknownAnswer when
        nothing was run."""
        if not may_see:
            output = Output(trouble="privacy.output is false")
        elif "output" in fields:
            output = Output(fields["output"][:MAX_OUTPUT], GIVEN, found=True)
        else:
            output = await self._gather(request_of(asked, fields))
        command = asked.command or output.command
        if not command:
            raise UnknownAnswer(*NOTHING_RAN)
        status = asked.status if asked.status >= 0 else output.status
        past = await history.soon(fields.get("histfile", ""))
        recent = self._memory.note(fields, Ran(command, status, asked.duration, asked.cwd, output.text))
        return replace(asked, command=command, status=status, output=output, history=past, recent=recent)

    async def _whole(self, fields: Fields, provider: Provider) -> Answer:
        query = await self.see(self.query(fields), fields, await self.may_see(fields, provider))
        self._choosing.tell(told(provider, query), provider)
        return await answer_whole(query, provider, self._assess)

    async def _unsaid(self, fields: Fields, provider: Provider) -> Answer:
        """What `provider`, which is local, has to say; what was told last stays what it is."""
        return await answer_whole(await self.see(self.query(fields), fields), provider, self._assess)

    async def _beside(self, fields: Fields) -> Answer:
        return await self._unsaid(fields, self._choosing.named(ENGINE))


def decisive(query: WhyQuery) -> str:
    """The line of the output that tells the failure, by shapes alone: it takes some milliseconds, whatever else is not
    loaded yet."""
    from terma.offline.explain.evidence import extract
    from terma.text import sanitize

    program = query.command.split()[:1]
    names = frozenset(name.rpartition("/")[2] for name in program)
    return extract(sanitize(query.output.text)[-MAX_READ:], names, query.cwd, query.columns).line


def told(provider: Provider, query: WhyQuery) -> PromptRecord:
    """What `provider` learns from `query`, as text to read; without secrets."""
    from terma.redact import redact

    lines = [
        f"Command: {query.command}",
        f"Exit status: {query.status}" if query.status >= 0 else "Exit status: unknown",
        f"Directory: {query.cwd}" if query.cwd else "",
        f"Shell: {query.shell} on {query.os}" if query.os else f"Shell: {query.shell}",
        f"Question: {query.question}" if query.question else "",
        *query.facts,
        seen(query.output),
    ]
    text = "\n".join(filter(None, lines))
    return PromptRecord(provider.name, time.time(), not provider.local, redact(text).text)


def request_of(asked: WhyQuery, fields: Fields) -> CaptureRequest:
    """What finds the terminal of the shell that asks. Raises UsageError for numbers that are none."""
    return CaptureRequest(
        env=environment(fields),
        shell=asked.shell,
        command=asked.command,
        status=asked.status,
        cwd=asked.cwd,
        asked=fields.get("asked", ""),
        path=asked.path,
        columns=max(number(fields, "columns", 0), 0),
        lines=max(number(fields, "lines", 0), 0),
        greeting=fields.get("greeting", ""),
        another=bool(fields.get("another_pane")),
    )


def environment(fields: Fields) -> dict[str, str]:
    """The terminal's variables that the shell sent; models' keys are no business of what looks at terminals."""
    sent = {key.removeprefix("env."): value for key, value in fields.items() if key.startswith("env.")}
    return {name: value for name, value in sent.items() if not name.endswith(KEYS)}


def aliases(text: str) -> dict[str, str]:
    """`name=value` lines as a mapping; others are left out."""
    pairs = (line.partition("=") for line in text.splitlines())
    return {name: value for name, mark, value in pairs if mark and name}


def statuses(text: str) -> tuple[int, ...]:
    """The exit statuses in `text`, a blank between two; () where it holds anything else."""
    words = text.split()
    return tuple(map(int, words)) if all(word.isdecimal() and len(word) < 4 for word in words) else ()


def absolute(path: str) -> str:
    return path if path.startswith("/") else ""


def number(fields: Fields, key: str, default: int) -> int:
    """The whole number of field `key`. Raises UsageError when it is something else."""
    text = fields.get(key, "")
    try:
        return int(text) if text else default
    except ValueError:
        raise UsageError(f"{key} is not a number") from None
