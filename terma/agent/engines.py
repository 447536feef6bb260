"""Which engine answers, and why: what was set explicitly, or what `auto` finds. Nothing set is replaced in silence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from terma.agent import local_model
from terma.agent.keys import Keys
from terma.agent.probe import Probe, Server
from terma.chat import ModelSpec
from terma.config import Model, Settings
from terma.errors import ConfigError
from terma.local import places
from terma.local.places import NAME as LOCAL

MODEL_ENGINES = ("openai_http", "litellm")
# Which variable holds a key for what, and the model that `auto` takes there: small, fast, good at commands. Most
# services speak OpenAI's protocol, so no litellm is needed for them.
HOSTED: tuple[tuple[str, str, str, str], ...] = (
    ("OPENAI_API_KEY", "OpenAI", "gpt-4.1-mini", "https://api.openai.com/v1"),
    ("ANTHROPIC_API_KEY", "Anthropic", "anthropic/claude-haiku-4-5", ""),
    (
        "GEMINI_API_KEY",
        "Gemini",
        "gemini-2.5-flash",
        "https://generativelanguage.googleapis.com/v1beta/openai",
    ),
    ("OPENROUTER_API_KEY", "OpenRouter", "openai/gpt-4.1-mini", "https://openrouter.ai/api/v1"),
    ("GROQ_API_KEY", "Groq", "llama-3.3-70b-versatile", "https://api.groq.com/openai/v1"),
    ("MISTRAL_API_KEY", "Mistral", "codestral-latest", "https://api.mistral.ai/v1"),
    ("DEEPSEEK_API_KEY", "DeepSeek", "deepseek-chat", "https://api.deepseek.com/v1"),
    ("XAI_API_KEY", "xAI", "grok-3-mini", "https://api.x.ai/v1"),
)
KEY_VARIABLES = tuple(variable for variable, *_ in HOSTED)


@dataclass(frozen=True, slots=True)
class Choice:
    """What answers: an engine by name, or a model with those behind it. `why` is for `terma models`; `auto` says that
    nobody set it."""

    engine: str
    why: str
    auto: bool = False
    spec: ModelSpec | None = None
    others: tuple[ModelSpec, ...] = ()


class Engines:
    """Chooses for each request: the settings may differ from shell to shell."""

    def __init__(self) -> None:
        self.keys = Keys()
        self.probe = Probe()

    async def choose(self, settings: Settings, environment: Mapping[str, str]) -> Choice:
        """Raises ConfigError or ModelError when what is set explicitly cannot be used."""
        if settings.engine == LOCAL:
            spec = _patient(local_model.spec(), settings)
            return Choice(LOCAL, f"engine = {LOCAL}", spec=spec)
        if settings.engine not in ("auto", *MODEL_ENGINES):
            return Choice(settings.engine, f"engine = {settings.engine}")
        if settings.model:
            spec = await self.spec(settings.model, settings, environment)
            others = [await self.spec(name, settings, environment) for name in settings.fallbacks]
            return Choice(spec.provider, f"model = {settings.model}", spec=spec, others=tuple(others))
        if settings.engine != "auto":
            raise ConfigError(
                f'engine = "{settings.engine}" needs a model', "terma config set model provider/model"
            )
        return self.automatic(settings, environment)

    def automatic(self, settings: Settings, environment: Mapping[str, str]) -> Choice:
        """A key in the shell's environment, else a local server that was found, else `terma local` where that was
        wanted, else the embedded engine."""
        for variable, service, model, base in HOSTED:
            if key := environment.get(variable):
                spec = _patient(
                    ModelSpec(
                        provider="openai_http" if base else "litellm",
                        model=model,
                        api_base=base,
                        api_key=key,
                        label=f"{model.rpartition('/')[2]} ({service})",
                    ),
                    settings,
                )
                return Choice(spec.provider, f"{variable} is set", auto=True, spec=spec)
        self.probe.refresh(settings.local_ports)
        if self.probe.servers:
            server = self.probe.servers[0]
            model = preferred(server)
            spec = _patient(
                ModelSpec(
                    provider="openai_http",
                    model=model,
                    api_base=server.api_base,
                    label=f"{model} ({server.kind})",
                ),
                settings,
            )
            return Choice("openai_http", f"{server.kind} answers on port {server.port}", auto=True, spec=spec)
        if (ours := places.installed()) is not None and ours.auto:
            spec = _patient(local_model.spec(f"{ours.name} (local)"), settings)
            return Choice(LOCAL, "terma local is installed, and may answer", auto=True, spec=spec)
        return Choice("offline", "no key in the environment, no local server", auto=True)

    async def spec(self, name: str, settings: Settings, environment: Mapping[str, str]) -> ModelSpec:
        """The model called `name` in the settings, or `provider/model`, with its key. Raises ModelError."""
        if name == LOCAL and name not in settings.models:
            return _patient(local_model.spec(), settings)
        model = settings.models.get(name) or Model(model=name)
        key = await self.keys.of(name, model, environment)
        backend = model.backend
        if settings.engine in MODEL_ENGINES and model.provider == "auto":
            backend = "openai_http" if settings.engine == "openai_http" else "litellm"
        if not key and not model.api_base and name not in settings.models:
            key, base, plain = _hosted(name, environment)
            if base and backend == "litellm" and settings.engine != "litellm":
                model, backend = replace(model, model=plain, api_base=base), "openai_http"
        return _patient(
            ModelSpec(
                provider=backend,
                model=model.model,
                api_base=model.api_base,
                api_key=key,
                headers=model.headers,
                temperature=model.temperature,
                max_tokens=model.max_tokens,
                proxy=model.proxy,
                ca_file=model.ca_file,
                label=name,
            ),
            settings,
        )


def _hosted(name: str, environment: Mapping[str, str]) -> tuple[str, str, str]:
    """For `openai/gpt-4.1-mini`: the key that the environment has for that service, where it is, and the model's own
    name there. The key alone for a service that litellm has to speak to."""
    provider, _, model = name.partition("/")
    for variable, service, _, base in HOSTED:
        if (
            variable.removesuffix("_API_KEY").lower() == provider.lower()
            or service.lower() == provider.lower()
        ):
            return environment.get(variable, ""), base if environment.get(variable) else "", model
    return "", "", name


def _patient(spec: ModelSpec, settings: Settings) -> ModelSpec:
    return replace(
        spec,
        connect_timeout=settings.timeouts.connect,
        first_token_timeout=settings.timeouts.first_token,
        between_tokens_timeout=settings.timeouts.between_tokens,
        retries=settings.retries,
        requests_per_minute=settings.limits.requests_per_minute,
    )


def preferred(server: Server) -> str:
    """Of a server's models the one that most likely writes commands: made for code or for instructions."""

    def rank(name: str) -> int:
        low = name.lower()
        if any(word in low for word in ("embed", "rerank", "whisper", "tts", "vision")):
            return 3
        return 0 if "coder" in low or "code" in low else 1 if "instruct" in low or "chat" in low else 2

    return min(server.models, key=rank)
