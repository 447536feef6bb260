"""One place where the question meets history, an engine and the checks on what it says."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, cast

from terma import paths, registry
from terma.agent.choosing import Choosing
from terma.agent.diverting import divert, preload
from terma.agent.explaining import Explaining, aliases, number
from terma.agent.remembering import Remembering
from terma.context import history
from terma.context.memory import Event
from terma.errors import ProviderError, TermaError, UnknownAnswer, UsageError
from terma.suggest.listing import listing
from terma.suggest.translate import Frame, close, translate
from terma.text import one_line
from terma.types import CaptureRequest, Final, Output, Provider, Query, Raw, Risk

if TYPE_CHECKING:
    from terma.agent.chatting import Chatting
    from terma.agent.sessions import Sessions

Fields = Mapping[str, str]
Replies = AsyncGenerator[Frame | Raw, None]
MAX_WORDS = 4_000  # code points of a sentence; a prompt holds far less
MAX_COUNT = 50


def assess(command: str, cwd: str, shell: str) -> Risk:
    """terma.risk.assess, imported when first needed. What xonsh gets was written for bash, and is read as that."""
    from terma.risk import assess as read_risk

    return read_risk(command, cwd, "bash" if shell == "xonsh" else shell)


async def gather(request: CaptureRequest) -> Output:
    """terma.context.gather, imported when first needed."""
    from terma.context.gather import gather

    return await gather(request)


class Handlers:
    """The kinds of `ask`, each a method that yields frames without their id. They raise TermaError."""

    def __init__(self, status: Callable[[], dict[str, Any]], stop: Callable[[], None]) -> None:
        self._status = status
        self._stop = stop
        self._choosing = Choosing(named)
        self._memory = Remembering()
        self._sessions: Sessions | None = None
        self._chatting: Chatting | None = None
        self._waiting = 0  # answers that are not of sessions, while there are sessions
        self._explaining = Explaining(self._choosing, self._memory, gather, assess, machine())

    def answer(self, kind: str, fields: Fields) -> Replies:
        """The frames that answer a request of `kind`. Raises UsageError for a kind that does not exist."""
        kinds: dict[str, Callable[[Fields], Replies]] = {
            "translate": self.translate,
            "suggest": self.suggest,
            "why": self._explaining.why,
            "why_json": self._explaining.why_json,
            "fix": self._explaining.fix,
            "last": self._explaining.last,
            "models": self._choosing.models,
            "usage": self._choosing.usage,
            "status": self.status,
            "stop": self.stop,
        }
        if kind in ("chat", "place", "conversation"):
            return self.chatting.answer(kind, fields)
        if kind.startswith("session_"):
            return self.sessions.answer(kind, fields)
        if kind not in kinds:
            raise UsageError(
                f"the agent does not know the request {kind!r}", "terma agent restart, after an upgrade"
            )
        frames = kinds[kind](fields)
        return frames if self._sessions is None else self._first(frames)

    async def _first(self, frames: Replies) -> Replies:
        """These frames, while what the sessions print steps aside: somebody waits before a prompt."""
        self._waiting += 1
        try:
            async with aclosing(frames):
                async for frame in frames:
                    yield frame
        finally:
            self._waiting -= 1

    @property
    def chatting(self) -> Chatting:
        """Conversations, whose code is loaded when the first asks."""
        if self._chatting is None:
            from terma.agent.chatting import Chatting

            self._chatting = Chatting(self._choosing, machine())
        return self._chatting

    @property
    def sessions(self) -> Sessions:
        """The sessions of this agent, whose code is loaded when the first is asked for."""
        if self._sessions is None:
            from terma.agent.sessions import Sessions

            self._sessions = Sessions(paths.socket_path(), lambda: self._waiting > 0)
        return self._sessions

    @property
    def live_sessions(self) -> int:
        """How many sessions have a program that runs: the agent stays for them."""
        return self._sessions.live if self._sessions is not None else 0

    def seconds(self, kind: str, fields: Fields, usual: float) -> float:
        """How long a request may take."""
        if kind == "chat":
            from terma.agent.chatting import SECONDS

            return SECONDS
        if not kind.startswith("session_"):
            return usual
        from terma.agent.sessions import seconds

        return seconds(kind, fields, usual)

    def preload(self) -> None:
        """Do before the first question what it would otherwise wait for: read the index, build the parser."""
        with contextlib.suppress(TermaError):  # an engine that is not there says so when it is asked
            warm = getattr(named("offline"), "preload", None)
            if warm is not None:
                warm()
        assess("ls -l", "/", "")
        preload(os.environ.get("PATH", ""))

    async def warm(self) -> None:
        """Begin what a model that is set would otherwise do while somebody waits; end what an agent that died left."""
        left = (paths.state_dir() / "sessions").exists()  # output in files, which is deleted in time
        if left or (paths.runtime_dir() / "sessions.live").exists():
            await asyncio.to_thread(self.sessions.reap)
        await self._choosing.warm()

    async def close(self) -> None:
        """Give back the connections and processes of models, and end the sessions."""
        if self._sessions is not None:
            await self._sessions.close()
        await self._choosing.close()

    async def translate(self, fields: Fields) -> Replies:
        """A sentence on a prompt: notes and deltas, then the command as it should stand there."""
        query = await self._query(fields, fields.get("buffer", ""))
        diverted = await divert(query, fields, await self._choosing.settings(fields))
        if diverted:
            yield diverted
            return
        provider = await self._choosing.provider(fields)
        async with aclosing(translate(query, provider, assess)) as frames:
            async for frame in frames:
                yield frame

    async def suggest(self, fields: Fields) -> Replies:
        """A sentence from a program: one `done json` with at most `count` candidates."""
        query = await self._query(fields, fields.get("words", ""))
        provider = await self._choosing.provider(fields)
        count = min(max(number(fields, "count", 1), 1), MAX_COUNT)
        final = await _final(provider, query)
        answer = listing(final, provider.name, query, count, assess)
        if notes := getattr(provider, "notes", ()):
            answer["notes"] = [one_line(note) for note in notes]
        if not answer["candidates"]:
            raise UnknownAnswer(f"{provider.name} has no answer to that", "say it in other words")
        yield ("done", "json", json.dumps(answer, ensure_ascii=False))

    async def status(self, fields: Fields) -> Replies:
        """What the agent is doing, for `terma agent status`."""
        yield ("done", "json", json.dumps(self._status()))

    async def stop(self, fields: Fields) -> Replies:
        """Leave, after this reply and what is being answered."""
        yield ("done", "json", json.dumps({"pid": os.getpid(), "stopping": True}))
        self._stop()

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
            os=machine(),
            attempt=max(number(fields, "attempt", 0), 0),
            history=await asyncio.to_thread(history.read, fields.get("histfile", "")),
            status=number(fields, "status", -1),
            command=fields.get("command", ""),
            duration=number(fields, "duration", 0),
            recent=self._memory.note(fields, ran) if ran.command else (),
            style="python" if "\nTERMA_XONSH_STYLE=python" in fields.get("settings", "") else "",
            aliases=aliases(fields.get("aliases", "")),
        )


def machine(platform: str = sys.platform) -> str:
    """ "linux", "macos" or "bsd": the shell that asks and its agent share a machine."""
    if platform == "darwin":
        return "macos"
    return "bsd" if "bsd" in platform or platform.startswith("dragonfly") else "linux"


def named(name: str) -> Provider:
    """The engine called `name`. Raises ProviderError when it is not there: an engine that someone chose is never
    replaced by another one."""
    try:
        return cast(Provider, registry.load("terma.providers", "offline" if name == "auto" else name))
    except UsageError as error:
        raise ProviderError(f"the engine {name!r} is not available", f"TERMA_ENGINE: {error.hint}") from error


async def _final(provider: Provider, query: Query) -> Final:
    events = provider.translate(query)
    try:
        async for event in events:
            if isinstance(event, Final):
                return event
    finally:
        await close(events)
    raise ProviderError(f"{provider.name} ended without an answer", "try again")
