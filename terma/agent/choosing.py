"""From a request to the engine that answers it: the shell's settings, the choice, and what models are told and cost."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from terma import backends, paths, registry
from terma.agent import giving, local_model
from terma.agent.engines import Choice, Engines, find
from terma.agent.found import HOSTED
from terma.agent.learned import Learned
from terma.agent.patience import Patience
from terma.chat import ChatMessage, ChatRequest, ModelSpec, ReasoningDelta, TextDelta
from terma.config import Settings, roles
from terma.config.project import tightened
from terma.config.reader import Reader
from terma.errors import ConfigError, TermaError, UsageError
from terma.local import places
from terma.records import dataclass
from terma.text import sanitize
from terma.types import Provider, Query, WhyQuery

if TYPE_CHECKING:
    from terma.agent.modelled import Models, ModelServices
    from terma.suggest.prompt import Place

Fields = Mapping[str, str]
Frames = AsyncGenerator[tuple[str, ...], None]
LIST_SECONDS = 5.0  # for a server to name its models
CHECK_SECONDS = 60.0  # for the first word of what is only tried


@dataclass(frozen=True, slots=True)
class PromptRecord:
    """What an engine was told, for `terma last --sent`. `left` says whether it left this machine."""

    engine: str
    when: float
    left: bool
    text: str


class Choosing:
    """Holds what lives as long as the agent: settings as read, keys, the models in use, what was told last."""

    def __init__(self, named: Callable[[str], Provider]) -> None:
        self.named = named
        self._reader: Reader | None = None
        self._engines = Engines()
        self._left: dict[str, bool] = {}
        self.told: PromptRecord | None = None
        self._notes = giving.ReadNotes()
        self.patience = Patience()
        self._models: Models | None = None
        self.learned = Learned()
        for job in ("shell", "why", "assistant"):  # an upgrade may remove the package under a running agent
            roles.load(job, None)

    async def provider(self, fields: Fields, job: str = "shell") -> Provider:
        """The engine for this request, in the role that it names or that `job` has. Raises ConfigError, ModelError,
        ProviderError or UsageError: what was set explicitly is never replaced."""
        choice, settings, role = await self.choice(fields, job)
        return self._provider(choice, settings, role, fields.get("client", ""))

    async def choice(self, fields: Fields, job: str) -> tuple[Choice, Settings, roles.Role]:
        """What answers this request, with the settings and the role that hold for it. Raises like `provider`."""
        role = roles.load(fields.get("role") or job, self._role_folder())
        settings = of_role(await self.settings(fields), role, fields.get("model", ""))
        named = by_variables(fields, settings)
        return await self._engines.choose(settings, environment(fields), named), settings, role

    def _provider(self, choice: Choice, settings: Settings, role: roles.Role, shell: str) -> Provider:
        once = partial(self._notes.news, shell)
        if choice.spec is None:
            engine = self.named(choice.engine)
            return giving.giving_way(engine, engine, choice.notes, once, self.patience)
        if self._models is None:
            from terma.agent.modelled import Models

            self._models = Models(self.rooms())
        self.will_tell(choice.spec)
        model = cast(Provider, self._models.provider(choice, settings, role))
        if not choice.auto:
            beside = settings.suggestions.offline_after > 0  # 0: never
            return giving.keeping_company(model, self.named("offline")) if beside else model
        return giving.giving_way(model, self.named("offline"), choice.notes, once, self.patience)

    def _role_folder(self) -> Path:
        return paths.config_dir() / "roles"

    async def settings(self, fields: Fields) -> Settings:
        """What holds for the shell that asks, in the directory in which it stands."""
        if self._reader is None:
            self._reader = Reader(paths.config_dir() / "config.toml")
        settings = await self._reader.read(variables(fields))
        return await asyncio.to_thread(tightened, settings, fields.get("cwd", ""))

    def tell(self, told: PromptRecord, provider: Provider) -> None:
        """Remember what an embedded engine was told; a model's own prompt is remembered when it is sent."""
        if provider.local:
            self.told = told

    def _model_told(self, name: str, text: str) -> None:
        self.told = PromptRecord(name, time.time(), self._left.get(name, True), text)

    def will_tell(self, spec: ModelSpec) -> None:
        """Know, for when it is told something, whether that leaves this machine."""
        self._left[spec.name] = not is_here(spec)

    def rooms(self) -> ModelServices:
        """What is handed to whoever asks models: loaded when one is asked, for most agents ask none."""
        from terma.agent.ledger import ledger
        from terma.agent.modelled import ModelServices
        from terma.agent.prompt_context import place

        async def where(query: Query | WhyQuery, settings: Settings) -> Place:
            return await place(query, settings.privacy)

        return ModelServices(
            place=where,
            told=self._model_told,
            used=lambda spec, usage: ledger().add(spec.name, usage),
            may_ask=lambda settings: ledger().hold(settings.limits),
            engine=lambda: self.named("offline"),
            prefer=lambda query, candidates: self.learned.prefer(query.words, candidates),
        )

    async def models(self, fields: Fields) -> Frames:
        """`done json`: {"used", "why", "auto", "servers": [{"name", "where", "models"}], "left": [what auto may not
        take: {"name", "why", "state", "note"}], …}. With `allow` or `deny` the person's answer about one of those is
        kept first. With `list`, "offered" are the models of the server in use, as a conversation may choose them.
        Raises UsageError for one that was not found."""
        role = roles.load(fields.get("role") or "shell", self._role_folder())
        settings = of_role(await self.settings(fields), role, fields.get("model", ""))
        await self._engines.probe.look(settings.local_ports)
        said = await self._said(fields, settings)
        choice = await self._engines.choose(settings, environment(fields), by_variables(fields, settings))
        found = [
            {"name": server.kind, "where": server.api_base, "models": list(server.models)}
            for server in self._engines.probe.servers
        ]
        if (ours := places.installed()) is not None:
            found.append({"name": "terma local", "where": ours.model, "models": [ours.name]})
        keys = [name for name, *_ in HOSTED if environment(fields).get(name)]
        shown = {
            "used": choice.spec.name if choice.spec else choice.engine,
            "provider": choice.engine,
            "why": choice.why,
            "auto": choice.auto,
            "servers": found,
            "keys": keys,
            "named": sorted(settings.models),
            "fallbacks": list(settings.fallbacks),
            "left": [
                {"name": one.name, "why": one.why, "state": one.state, "note": one.note}
                for one in choice.left
            ],
            "said": said,
        }
        if fields.get("list"):
            shown["offered"] = await self._offered(choice, settings)
        if fields.get("check"):
            shown["check"] = await self._checked(choice, settings)
        yield ("done", "json", json.dumps(shown, ensure_ascii=False))

    async def _said(self, fields: Fields, settings: Settings) -> str:
        """Keep what the person says about a finding; in words what holds now, "" where nothing was said."""
        wanted = (fields.get("allow") or fields.get("deny") or "").lower()
        if not wanted:
            return ""
        found = await asyncio.to_thread(self._engines.findings, settings, environment(fields))
        names = {one.name: one for one in found if one.key and one.state != "barred"}
        if wanted.removeprefix("http://").removesuffix("/v1") not in names:
            raise UsageError(
                f"auto has found nothing called {wanted} that may be allowed",
                f"there is {', '.join(names)}" if names else "terma models lists what it finds",
            )
        one = names[wanted.removeprefix("http://").removesuffix("/v1")]
        allowed = bool(fields.get("allow"))
        await asyncio.to_thread(self._engines.permitted.say, one.key, allowed, one.question)
        return f"{one.name} {'may answer from now on' if allowed else 'is not asked'}"

    async def _offered(self, choice: Choice, settings: Settings) -> list[str]:
        """The models of the server that [models.NAME] in use names, as NAME/model; [] where it tells none."""
        table = settings.model.partition("/")[0]
        spec = choice.spec
        if spec is None or table not in settings.models or not settings.models[table].api_base:
            return []
        tell = getattr(find(spec.provider), "models", None)
        if tell is None:
            return []
        try:
            async with asyncio.timeout(LIST_SECONDS):
                found: list[str] = await tell(spec)
        except (TermaError, TimeoutError):
            return []
        return [f"{table}/{one}" for one in found if sanitize(one) == one and not re.search(r"\s", one)]

    async def _checked(self, choice: Choice, settings: Settings) -> dict[str, object]:
        """One tiny question to what is used: {"ok", "seconds"} once its first word is there, else {"ok", "error",
        "hint"}. What refuses, ends without a word or stays silent does not answer."""
        began = time.monotonic()
        if choice.spec is None:
            return {"ok": True, "seconds": 0.0}
        limit = min(settings.timeouts.connect + settings.timeouts.first_token, CHECK_SECONDS)
        request = ChatRequest(spec=choice.spec, messages=(ChatMessage("user", "Say: ready"),))
        try:
            self.rooms().may_ask(settings)
            async with asyncio.timeout(limit), aclosing(find(choice.spec.provider).chat(request)) as events:
                async for event in events:
                    if isinstance(event, TextDelta | ReasoningDelta) and event.text.strip():
                        return {"ok": True, "seconds": round(time.monotonic() - began, 3)}
        except TimeoutError:
            return {
                "ok": False,
                "error": f"no word within {limit:g} s",
                "hint": "terma models --check, later",
            }
        except TermaError as error:
            return {"ok": False, "error": error.message, "hint": error.hint}
        return {"ok": False, "error": "it ended without a word", "hint": "another model, or its server's log"}

    async def usage(self, fields: Fields) -> Frames:
        """`done json`: what models cost, day by day."""
        from terma.agent.ledger import ledger

        yield ("done", "json", json.dumps({"days": ledger().days()}, ensure_ascii=False))

    async def warm(self) -> None:
        """Begin what a model that is set, or found, would otherwise do while somebody waits."""
        with suppress(TermaError, OSError):
            settings = await self.settings({})
            choice = await self._engines.choose(settings, {})
            if choice.spec is not None:
                local_model.PLUGIN.beginning = lambda: local_model.beginning(paths.config_dir() / "roles")
                find(choice.spec.provider).preload(choice.spec)

    async def close(self) -> None:
        """Give back connections and processes of the models that were used."""
        await self.patience.close()
        await local_model.PLUGIN.close()
        for backend in registry.loaded(backends.PACKAGE):
            with suppress(TermaError, OSError):
                await backend.close()


def of_role(settings: Settings, role: roles.Role, said: str = "") -> Settings:
    """The settings in a role that has an engine or a model of its own. An engine that is set explicitly stays, and so
    does the model that was `said` for this request."""
    if said or settings.engine != "auto" or not (role.engine or role.model):
        return settings
    try:
        return replace(settings, engine=role.engine or settings.engine, model=role.model or settings.model)
    except ValueError as error:
        raise ConfigError(f"the role {role.name}: {error}", "mend its file, or the settings") from None


def variables(fields: Fields) -> dict[str, str]:
    """The TERMA_ settings of the shell that asks (its field `settings`, NAME=value lines), and over them the engine
    that the request names. The agent has none of its own: it answers every shell."""
    pairs = (line.partition("=") for line in fields.get("settings", "").splitlines())
    found = {name: value for name, mark, value in pairs if mark and is_setting(name)}
    if fields.get("engine"):
        found["TERMA_ENGINE"] = fields["engine"]
    return {name: value for name, value in found.items() if value}


def by_variables(fields: Fields, settings: Settings) -> frozenset[str]:
    """The models of `settings` that a variable named, and not the person, with this request."""
    said, names = variables(fields), set[str]()
    if "TERMA_MODEL" in said and not fields.get("model"):
        names.add(said["TERMA_MODEL"])
    if "TERMA_FALLBACKS" in said:
        names.update(settings.fallbacks)
    return frozenset(names)


def is_setting(name: str) -> bool:
    """Whether a variable may be one of the settings; `terma.config.layers` knows which are."""
    first = name.removeprefix("TERMA_").partition("__")[0].lower()
    return name.startswith("TERMA_") and first in Settings.__slots__


def environment(fields: Fields) -> dict[str, str]:
    """The variables that the shell sent as env.NAME."""
    return {key.removeprefix("env."): value for key, value in fields.items() if key.startswith("env.")}


def is_here(spec: ModelSpec) -> bool:
    """Whether a model's server is on this machine."""
    if spec.api_base.startswith("unix:"):
        return True
    host = spec.api_base.partition("://")[2].partition("/")[0].rpartition("@")[2]
    return re.fullmatch(r"(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d*)?", host) is not None
