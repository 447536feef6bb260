"""Puts a chat model together with what it needs of the other rooms: a place, redaction, the ledger, the checks."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import lru_cache

from terma.agent import offering
from terma.agent.engines import Choice, find
from terma.chat import ChatEvent, ChatMessage, ChatRequest, ModelSpec, Usage
from terma.config import Settings
from terma.config.roles import Role
from terma.suggest.model_call import Grounds, Helpers, Offers, Protocols, Task
from terma.suggest.prompt import Place
from terma.suggest.prompted import Prompted
from terma.suggest.standing import Standing
from terma.types import Candidate, Provider, Query, WhyQuery

MAX_KEPT = 8  # models with their answers; somebody who uses more starts afresh


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelServices:
    """What the agent hands in, so that this file knows no room beside suggest and models."""

    place: Callable[[Query | WhyQuery, Settings], Awaitable[Place]]
    told: Callable[[str, str], None]
    used: Callable[[ModelSpec, Usage], None]
    may_ask: Callable[[Settings], None]  # raises ModelError when the day's limit is reached
    engine: Callable[[], Provider]  # the embedded one
    prefer: Callable[[Query, Sequence[Candidate]], tuple[Candidate, ...]]  # by what was learned here


class Models:
    """One Prompted for each model and its settings, kept with its answers."""

    def __init__(self, services: ModelServices) -> None:
        self._services = services
        self._standings: dict[tuple[str, str, str], Standing] = {}  # a few: as many as a person has models
        self._kept: OrderedDict[tuple[Role | ModelSpec, ...], tuple[Settings, Prompted]] = OrderedDict()

    def provider(self, choice: Choice, settings: Settings, role: Role) -> Prompted:
        """The engine for a choice that names a model, being what `role` says."""
        assert choice.spec is not None
        key: tuple[Role | ModelSpec, ...] = (role, _plain(choice.spec), *map(_plain, choice.others))
        kept = self._kept.get(key)
        if kept is None or kept[0] != settings:
            kept = (settings, self._made(choice, settings, role))
            self._kept[key] = kept
        self._kept.move_to_end(key)
        while len(self._kept) > MAX_KEPT:
            self._kept.popitem(last=False)
        return kept[1]

    def _made(self, choice: Choice, settings: Settings, role: Role) -> Prompted:
        assert choice.spec is not None
        services, spec = self._services, choice.spec

        async def place(query: Query | WhyQuery) -> Place:
            return await services.place(query, settings)

        def used(usage: Usage) -> None:
            services.used(spec, usage)

        def told(name: str, messages: Sequence[ChatMessage]) -> None:
            services.may_ask(settings)
            services.told(name, "\n\n".join(f"[{message.role}]\n{message.content}" for message in messages))

        async def beside(query: Query) -> Offers:
            found = await offering.offers(query, services.engine())
            return (
                replace(found, sure=services.prefer(query, found.sure))
                if settings.learning.enabled
                else found
            )

        async def facts(query: Query, found: Offers) -> Sequence[str]:
            return await offering.facts(query, found, names_files=settings.privacy.files)

        wants = settings.suggestions
        helpers = Helpers(
            place=place,
            hide=hidden,
            told=told,
            used=used,
            protocols=protocols(),
            offers=beside,
            facts=facts,
            lead=wants.lead,
            beside_after=wants.offline_after,
            check=offering.checked if wants.check else None,
            checks=offering.checks if wants.check else None,
            standing=self._standings.setdefault((spec.provider, spec.api_base, spec.model), Standing()),
            vocabulary=offering.vocabulary,
            is_words=offering.is_words if wants.check else None,
            second_try=wants.second_try,
            ground=grounds,
        )
        warmth = spec.temperature if spec.temperature is not None else role.temperature
        task = Task(role.text, replace(spec, temperature=warmth))
        return Prompted(_WithFallbacks(choice.others), task, helpers)


async def grounds(query: WhyQuery) -> Grounds:
    """What the embedded explainer finds. In a thread: it looks at files, and a file system may be slow."""
    from terma.offline.explain.grounds import ground

    return await asyncio.to_thread(ground, query)


class _WithFallbacks:
    """The model of a request, and those behind it."""

    name = "models"

    def __init__(self, others: Sequence[ModelSpec]) -> None:
        self._others = others

    async def chat(self, request: ChatRequest) -> AsyncGenerator[ChatEvent, None]:
        from terma.models.policy.fallbacks import with_fallbacks

        async with aclosing(with_fallbacks(request, self._others, find)) as events:
            async for event in events:
                yield event

    def preload(self, spec: ModelSpec) -> None:
        find(spec.provider).preload(spec)

    async def close(self) -> None:
        """The models are shared: the agent closes them at its end."""


def hidden(messages: Sequence[ChatMessage]) -> tuple[tuple[ChatMessage, ...], Callable[[str], str]]:
    """The messages without secrets, and what puts them back."""
    from terma.redact import Redactor

    redactor = Redactor()
    shown = [
        message
        if message.role == "system" and _is_clean(message.content)
        else replace(message, content=redactor.redact(message.content).text)
        for message in messages
    ]
    return tuple(shown), redactor.restore


@lru_cache(maxsize=8)
def _is_clean(head: str) -> bool:
    """Whether a head holds no secret: it is the same with every question, and is read once."""
    from terma.redact import Redactor

    return Redactor().redact(head).text == head


def protocols() -> Protocols:
    """How commands come back, from the room that reads them for conversations too."""
    from terma.conversation.json_commands import INSTRUCTION, TOOL, CommandReader, from_call

    return Protocols(TOOL, INSTRUCTION, CommandReader, from_call)


def _plain(spec: ModelSpec) -> ModelSpec:
    """As a key of a dictionary: without the mapping."""
    return replace(spec, headers=())  # type: ignore[arg-type]
