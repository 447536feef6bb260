"""Which engine answers, and why: what was set explicitly, or what `auto` finds. Nothing set is replaced in silence."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace

from terma import backends
from terma.agent import local_model
from terma.agent.found import HOSTED, Finding, hosted, served
from terma.agent.keys import Keys
from terma.agent.permitted import Permitted
from terma.agent.probe import Probe
from terma.chat import ChatModel, ModelError, ModelSpec
from terma.config import Model, Settings
from terma.errors import ConfigError
from terma.local import places
from terma.local.places import NAME as LOCAL
from terma.records import dataclass


@dataclass(frozen=True, slots=True)
class Choice:
    """What answers: an engine by name, or a model with those behind it. `why` is for `terma models`; `auto` says that
    nobody set it."""

    engine: str
    why: str
    auto: bool = False
    spec: ModelSpec | None = None
    others: tuple[ModelSpec, ...] = ()
    left: tuple[Finding, ...] = ()  # what `auto` found before this one, and may not take

    @property
    def notes(self) -> tuple[str, ...]:
        """What the person should know of what was left: of the first alone, `terma models` lists all."""
        return tuple(finding.note for finding in self.left if finding.note)[:1]


def find(name: str) -> ChatModel:
    """The way to models of that name. Raises UsageError."""
    if name == local_model.PLUGIN.name:
        return local_model.PLUGIN
    return backends.of(name)


class Engines:
    """Chooses for each request: the settings may differ from shell to shell."""

    def __init__(self) -> None:
        self.keys = Keys()
        self.probe = Probe()
        self.permitted = Permitted()

    async def choose(
        self, settings: Settings, environment: Mapping[str, str], by_variables: frozenset[str] = frozenset()
    ) -> Choice:
        """`by_variables` are the models that variables name, which any directory can set. Raises ConfigError or
        ModelError when what is set explicitly cannot be used."""
        if settings.engine == LOCAL:
            spec = _fitted(local_model.spec(), settings)
            return Choice(LOCAL, f"engine = {LOCAL}", spec=spec)
        if settings.engine != "auto" and not backends.known(settings.engine):
            return Choice(settings.engine, f"engine = {settings.engine}")
        if settings.model:
            names = (settings.model, *settings.fallbacks)
            for name in by_variables.intersection(names):
                await asyncio.to_thread(self._ask_about, name, settings, environment)
            spec, *others = [await self.spec(name, settings, environment) for name in names]
            return Choice(spec.provider, f"model = {settings.model}", spec=spec, others=tuple(others))
        if settings.engine != "auto":
            raise ConfigError(
                f'engine = "{settings.engine}" needs a model', "terma config set model provider/model"
            )
        return await self.automatic(settings, environment)

    async def automatic(self, settings: Settings, environment: Mapping[str, str]) -> Choice:
        """The first that may answer: a key in the shell's environment, a local server that was found, `terma local`
        where that was wanted; else the embedded engine. What may not yet is told in the choice's `left`."""
        self.probe.refresh(settings.local_ports)
        found = await asyncio.to_thread(self.findings, settings, environment)
        left: list[Finding] = []
        for finding in found:
            if finding.spec is not None and finding.state == "allowed":
                spec = _fitted(finding.spec, settings)
                return Choice(spec.provider, finding.why, auto=True, spec=spec, left=tuple(left))
            left.append(finding)
        why = "nothing else was allowed to answer" if found else "no key in the environment, no local server"
        return Choice("offline", why, auto=True, left=tuple(left))

    def _ask_about(self, name: str, settings: Settings, environment: Mapping[str, str]) -> None:
        """Raises ModelError where a variable names a service and another one has a key for it, and nobody said yes to
        that key: with both a directory could send words to an account of its own."""
        if name in settings.models or _beside(name, settings) is not None:
            return
        variable = _variable(name)
        for finding in hosted(environment, self.permitted):
            if finding.variable == variable and finding.state != "allowed":
                raise ModelError(
                    "no_key",
                    f"{name}: a variable names it, and {finding.why}; a directory can set both",
                    f"terma models --allow {finding.name}, or terma config set model {name}",
                )

    def findings(self, settings: Settings, environment: Mapping[str, str]) -> list[Finding]:
        """All that `auto` could take, the best first, and whether it may. Looks at files: not for the event loop."""
        found = [*hosted(environment, self.permitted)]
        found += served(self.probe.servers, self.permitted, settings.local_ports)
        if (ours := places.installed()) is not None and ours.auto:
            spec = local_model.spec(f"{ours.name} (local)")
            found.append(Finding(LOCAL, "terma local is installed, and may answer", "", "", "allowed", spec))
        return found

    async def spec(self, name: str, settings: Settings, environment: Mapping[str, str]) -> ModelSpec:
        """The model called `name` in the settings, another one of its server (`name/model`), or `provider/model`, with
        its key. Raises ModelError."""
        if name == LOCAL and name not in settings.models:
            return _fitted(local_model.spec(), settings)
        model = settings.models.get(name) or _beside(name, settings) or Model(model=name)
        key = await self.keys.of(name, model, environment)
        forced = settings.engine if settings.engine != "auto" and backends.known(settings.engine) else ""
        if not key and not model.api_base and name not in settings.models:
            key, base, plain = _hosted(name, environment)
            if base and not forced:
                model = replace(model, model=plain, api_base=base)
        backend = forced or backends.fitting(model.api_base)
        if model.provider != "auto":
            backend = model.provider
        return _fitted(
            ModelSpec(
                provider=backend,
                model=model.model,
                api_base=model.api_base,
                api_key=key,
                headers=model.headers,
                temperature=model.temperature,
                max_tokens=model.max_tokens,
                price=model.price,
                proxy=model.proxy,
                ca_file=model.ca_file,
                label=name,
            ),
            settings,
        )


def _beside(name: str, settings: Settings) -> Model | None:
    """For `work/qwen3:8b`: the model qwen3:8b of the server that [models.work] names, with its key. None where that
    table names no server."""
    table, _, model = name.partition("/")
    known = settings.models.get(table)
    if known is None or not model or not known.api_base:
        return None
    return replace(
        known, model=model, price=(), context_tokens=0, max_tokens=0
    )  # those are of the other model


def _hosted(name: str, environment: Mapping[str, str]) -> tuple[str, str, str]:
    """For `openai/gpt-4.1-mini`: the key that the environment has for that service, where it is, and the model's own
    name there. The key alone for a service that litellm has to speak to."""
    wanted = _variable(name)
    for variable, _, _, base in HOSTED:
        if variable == wanted:
            key = environment.get(variable, "")
            return key, base if key else "", name.partition("/")[2]
    return "", "", name


def _variable(name: str) -> str:
    """Which variable holds the key of the service that `provider/model` names; "" for one that is not known."""
    provider = name.partition("/")[0].lower()
    for variable, service, *_ in HOSTED:
        if provider in (variable.removesuffix("_API_KEY").lower(), service.lower()):
            return variable
    return ""


def _fitted(spec: ModelSpec, settings: Settings) -> ModelSpec:
    return replace(
        spec,
        connect_timeout=settings.timeouts.connect,
        first_token_timeout=settings.timeouts.first_token,
        between_tokens_timeout=settings.timeouts.between_tokens,
        retries=settings.retries,
        requests_per_minute=settings.limits.requests_per_minute,
        small=spec.small or local_model.tells_small(spec.model),
    )
