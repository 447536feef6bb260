"""Each kind of request is given to the part that answers it; and what is made ready before the first."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import Callable
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, cast

from terma import paths, registry
from terma.agent.answered import Answered
from terma.agent.choosing import Choosing
from terma.agent.entered_words import EnteredWords
from terma.agent.explaining import Explaining
from terma.agent.hinting import Hinting
from terma.agent.key_passthrough import preload
from terma.agent.learning import Learning
from terma.agent.remembering import Remembering
from terma.agent.sentences import Fields, Replies, Sentences, final
from terma.agent.telling import preload as preload_telling
from terma.agent.telling import told
from terma.errors import ProviderError, TermaError, UsageError
from terma.types import ENGINE, CaptureRequest, Output, Provider, Risk

if TYPE_CHECKING:
    from terma.agent.chat.chatting import Chatting
    from terma.agent.sessions.requests import Sessions
    from terma.config.settings import Sessions as Usual

SESSION = "session_"  # what the kinds of ask begin with that are about sessions


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
        self._learning = Learning(self._choosing.learned)
        self._sessions: Sessions | None = None
        self._chatting: Chatting | None = None
        self._waiting = 0  # answers that are not of sessions, while there are sessions
        self._explaining = Explaining(self._choosing, self._memory, gather, assess, machine())
        self._sentences = Sentences(self._choosing, self._memory, self._learning, named, assess, machine())
        self._meant = EnteredWords(self._choosing, self._explaining, self._sentences.translate, final, assess)
        self._answered = Answered(self._meant.fix, assess)
        self._hinting = Hinting(self._choosing, self._explaining, named)

    def answer(self, kind: str, fields: Fields) -> Replies:
        """The frames that answer a request of `kind`. Raises UsageError for a kind that does not exist."""
        kinds: dict[str, Callable[[Fields], Replies]] = {
            "translate": self._sentences.translate,
            "suggest": self._sentences.suggest,
            "why": self._meant.why,
            "why_json": self._meant.why_json,
            "fix": self._answered.fix,
            "answered": self._answered.keep,
            "hint": self._hinting.hint,
            "explain": told,
            "last": self._explaining.last,
            "screen": self.screen,
            "models": self._choosing.models,
            "usage": self._choosing.usage,
            "status": self.status,
            "stop": self.stop,
        }
        if kind in ("chat", "place", "conversation"):
            return self.chatting.answer(kind, fields)
        if kind.startswith(SESSION):
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
            from terma.agent.chat.chatting import Chatting

            self._chatting = Chatting(self._choosing, machine())
        return self._chatting

    @property
    def sessions(self) -> Sessions:
        """The sessions of this agent, whose code is loaded when the first is asked for."""
        if self._sessions is None:
            from terma.agent.sessions.requests import Sessions

            self._sessions = Sessions(paths.socket_path(), lambda: self._waiting > 0, self._usual)
        return self._sessions

    async def _usual(self) -> Usual:
        """What this person's own settings say of sessions: their file, and no shell's variables."""
        return (await self._choosing.settings({})).sessions

    @property
    def live_sessions(self) -> int:
        """How many sessions have a program that runs: the agent stays for them."""
        return self._sessions.live if self._sessions is not None else 0

    @property
    def answering_sessions(self) -> int:
        """How many answers about sessions go on: they cannot be given by another agent."""
        return self._sessions.answering if self._sessions is not None else 0

    def seconds(self, kind: str, fields: Fields, usual: float) -> float:
        """How long a request may take."""
        if kind == "chat":
            from terma.agent.chat.chatting import SECONDS

            return SECONDS
        if not kind.startswith(SESSION):
            return usual
        from terma.agent.sessions.requests import seconds

        return seconds(kind, fields, usual)

    def preload(self) -> None:
        """Do before the first question what it needs, whatever it is: read the index, build the parser."""
        _embedded("preload")
        assess("ls -l", "/", "")
        preload(os.environ.get("PATH", ""))

    def rehearse(self) -> None:
        """What the first question would do first, while nobody asks one."""
        from terma.redact import redact

        _embedded("rehearse")
        redact("list files")  # makes its patterns

    def rest(self) -> None:
        """Nobody has asked anything for a while."""
        _embedded("rest")

    async def warm(self) -> None:
        """Read what the first explanation of a line would wait for; begin what a model that is set would otherwise do
        while somebody waits; end what an agent that died left."""
        await asyncio.to_thread(preload_telling, os.environ.get("PATH", ""))
        left = (paths.state_dir() / "sessions").exists()  # output in files, which is deleted in time
        if left or paths.beside(paths.socket_path(), "sessions.live").exists():
            with contextlib.suppress(TermaError):  # who asks for a session is told
                await self.sessions.open()
        await self._choosing.warm()

    def leave_sessions(self) -> None:
        """Leave them to the agent after this one."""
        if self._sessions is not None:
            self._sessions.leave()

    async def close(self) -> None:
        """Give back the connections and processes of models, and end the sessions that were not left."""
        if self._sessions is not None:
            await self._sessions.close()
        self._learning.close()
        await self._choosing.close()

    async def screen(self, fields: Fields) -> Replies:
        """What a conversation is told of the terminal; its code is loaded when the first asks."""
        from terma.agent.surveying import Surveying

        async with aclosing(Surveying(self._choosing, self._explaining).screen(fields)) as frames:
            async for frame in frames:
                yield frame

    async def status(self, fields: Fields) -> Replies:
        """What the agent is doing, for `terma agent status`."""
        yield ("done", "json", json.dumps(self._status()))

    async def stop(self, fields: Fields) -> Replies:
        """Leave, after this reply and what is being answered; with `keep`, sessions go on for the next agent."""
        yield ("done", "json", json.dumps({"pid": os.getpid(), "stopping": True}))
        if fields.get("keep"):
            self.leave_sessions()
        self._stop()


def machine(platform: str = sys.platform) -> str:
    """ "linux", "macos" or "bsd": the shell that asks and its agent share a machine."""
    if platform == "darwin":
        return "macos"
    return "bsd" if "bsd" in platform or platform.startswith("dragonfly") else "linux"


def _embedded(step: str) -> None:
    """Have the embedded engine get ready. One that is not there says so when it is asked."""
    with contextlib.suppress(TermaError):
        getattr(named(ENGINE), step, lambda: None)()


def named(name: str) -> Provider:
    """The engine called `name`. Raises ProviderError when it is not there: an engine that someone chose is never
    replaced by another one."""
    try:
        return cast(Provider, registry.load("terma.providers", "offline" if name == "auto" else name))
    except UsageError as error:
        raise ProviderError(f"the engine {name!r} is not available", f"TERMA_ENGINE: {error.hint}") from error
