"""The settings there are, with their defaults: plain dataclasses, since the agent reads them and stays light.

`validate` checks them with pydantic, in a process that may be heavy. A check that types cannot express raises
ValueError in `__post_init__`, which pydantic reports with the path of the key.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any, ClassVar, Literal

from terma import backends
from terma.config.eyes import Eyes
from terma.config.places import FORM, is_place
from terma.config.whose import ANYONE, PERSON, TABLE, among, less, off, stricter
from terma.records import dataclass

LOCAL = "local"  # the model of `terma local`, as a model and as an engine
STRICT: dict[str, Any] = {"extra": "forbid"}  # pydantic: an unknown key is an error
KEY_SOURCES = ("api_key", "api_key_env", "api_key_command", "api_key_keyring")


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """One model under a name of your choice. At most one of the `api_key…` keys.

    `provider` auto: openai_http where api_base is set, else litellm. `api_key_command` is split into words and run
    without a shell; its first line is the key. `api_key_keyring` is "service/user". `max_tokens` and `context_tokens`
    0: the model's own. `price` is in US dollars for a million tokens: of the prompt, of the answer, and of a prompt
    that a cache held where that costs less. `proxy` is a URL; no proxy is taken from the environment."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    model: str = field(metadata=PERSON)
    provider: str = field(default="auto", metadata=PERSON)
    api_base: str = field(default="", metadata=PERSON)
    api_key: str = field(default="", repr=False, metadata=PERSON)
    api_key_env: str = field(default="", metadata=PERSON)
    api_key_command: str = field(default="", metadata=PERSON)
    api_key_keyring: str = field(default="", metadata=PERSON)
    headers: dict[str, str] = field(default_factory=dict, repr=False, metadata=PERSON)
    temperature: float | None = field(default=None, metadata=ANYONE)
    max_tokens: int = field(default=0, metadata=ANYONE)
    context_tokens: int = field(default=0, metadata=ANYONE)
    price: tuple[float, ...] = field(default=(), metadata=PERSON)
    proxy: str = field(default="", metadata=PERSON)
    ca_file: str = field(default="", metadata=PERSON)

    def __post_init__(self) -> None:
        _check(bool(self.model.strip()), "names no model")
        if self.provider != "auto" and not backends.known(self.provider):
            there = ", ".join(("auto", *backends.names()))
            raise ValueError(f"there is no backend {self.provider!r}: choose one of {there}")
        given = [key for key in KEY_SOURCES if getattr(self, key)]
        _check(len(given) < 2, f"has more than one of {', '.join(given)}: keep one")
        _check(
            not self.api_base or self.api_base.startswith(("http://", "https://", "unix:/")),
            "api_base starts with http://, https:// or unix:/",
        )
        _check(
            not self.api_key_keyring or "/" in self.api_key_keyring, 'api_key_keyring reads "service/user"'
        )
        _check(self.temperature is None or 0 <= self.temperature <= 2, "temperature is from 0 to 2")
        _check(
            len(self.price) in (0, 2, 3) and min(self.price, default=0) >= 0,
            "price is [prompt, answer] or [prompt, answer, cached prompt], in dollars for a million tokens",
        )
        _check(self.max_tokens >= 0 and self.context_tokens >= 0, "token counts are 0 or more")


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeouts:
    """Seconds until a model is given up: to connect, to its first token, and between two tokens."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    connect: float = field(default=5.0, metadata=ANYONE)
    first_token: float = field(default=60.0, metadata=ANYONE)
    between_tokens: float = field(default=30.0, metadata=ANYONE)

    def __post_init__(self) -> None:
        _check(min(self.connect, self.first_token, self.between_tokens) > 0, "time-outs are above 0 seconds")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What models may cost in a day, 0: no limit. `daily_cost` is in US dollars."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    daily_cost: float = field(default=0.0, metadata=stricter(less))
    daily_tokens: int = field(default=0, metadata=stricter(less))
    requests_per_minute: int = field(default=0, metadata=stricter(less))

    def __post_init__(self) -> None:
        _check(min(self.daily_cost, self.daily_tokens, self.requests_per_minute) >= 0, "limits are 0 or more")


@dataclass(frozen=True, slots=True, kw_only=True)
class Privacy:
    """What a model that is not the embedded engine may be told. Secrets are always redacted."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    output: bool = field(default=True, metadata=stricter(off))  # of the last command, for ?why
    # commands of your own that are near in meaning
    history: bool = field(default=True, metadata=stricter(off))
    files: bool = field(default=True, metadata=stricter(off))  # names of files that the sentence may mean
    git: bool = field(default=True, metadata=stricter(off))
    # AGENTS.md and the like, for conversations
    guides: bool = field(default=True, metadata=stricter(off))


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestions:
    """How Ctrl+T behaves when a model answers."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    candidates: int = field(default=3, metadata=ANYONE)
    # who answers first beside a model: the embedded engine wherever it is certain enough to answer, the model, or
    # auto: the engine where it is as certain as a strong model, or where the model is a small one
    lead: Literal["auto", "engine", "model"] = field(default="auto", metadata=ANYONE)
    # seconds after the key until the embedded engine's answer is shown beside a model that is silent; 0: never
    offline_after: float = field(default=0.001, metadata=ANYONE)
    # programs, options and files of a suggestion, against this machine
    check: bool = field(default=True, metadata=ANYONE)
    second_try: bool = field(default=True, metadata=ANYONE)  # ask once more when the check fails
    # the key's former owner gets it back on a line that is a command already
    route: bool = field(default=True, metadata=ANYONE)
    # when the candidates are listed to choose from: twice is the key pressed twice quickly
    list: Literal["twice", "always", "never"] = field(default="twice", metadata=ANYONE)

    def __post_init__(self) -> None:
        _check(1 <= self.candidates <= 8, "candidates is from 1 to 8")
        _check(self.offline_after >= 0, "offline_after is 0 or more seconds")


@dataclass(frozen=True, slots=True, kw_only=True)
class Learning:
    """What became of suggestions, kept in one private file on this machine: `terma learned` shows it, `terma forget`
    deletes it. Beside it stand, while the agent is away, at most 64 suggestions of which the history does not tell yet;
    `terma forget --all` deletes both."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    # whether what was accepted, changed and taken back orders later suggestions
    enabled: bool = field(default=True, metadata=stricter(off))


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """`terma "question"` and `terma chat`. `timeout` is in seconds, for one command; 0: none. `allow` lists commands
    that `--yes` covers, words with the wildcards of file names; `read_freely`: tools that only read, inside the
    working directory, do not ask. `protocol` says how a model proposes: tool calls, JSON in its text, or what it can.
    `keep` is how many saved conversations stay; `follow` for how many minutes a question asked at the same prompt goes
    on with the one before, 0: never. `display_lines` bounds what is shown of a command's output, 0: not."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    max_steps: int = field(default=20, metadata=stricter(less))
    timeout: float = field(default=300.0, metadata=ANYONE)
    memory_tokens: int = field(default=24_000, metadata=ANYONE)
    allow: tuple[str, ...] = field(default=(), metadata=stricter(among))
    read_freely: bool = field(default=False, metadata=stricter(off))
    protocol: Literal["auto", "tools", "json"] = field(default="auto", metadata=ANYONE)
    save: bool = field(default=True, metadata=stricter(off))
    keep: int = field(default=200, metadata=ANYONE)
    follow: float = field(default=15.0, metadata=ANYONE)
    display_lines: int = field(default=0, metadata=ANYONE)

    def __post_init__(self) -> None:
        _check(self.follow >= 0, "follow is 0 or more minutes")
        _check(self.display_lines >= 0, "display_lines is 0 or more lines")
        _check(1 <= self.max_steps <= 1000, "max_steps is from 1 to 1000")
        _check(self.timeout >= 0, "timeout is 0 or more seconds")
        _check(self.memory_tokens >= 2000, "memory_tokens is 2000 or more")
        _check(self.keep >= 1, "keep is 1 or more")
        programs = [entry.split()[:1] for entry in self.allow]
        named = all(first and not set("*?[") & set(first[0]) for first in programs)
        _check(named, "each entry of allow begins with the name of a program")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sessions:
    """`terma session create`, where it is not told otherwise. `ttl` is in seconds, `memory` and `files` in MB of output
    that are kept of each; 0: no limit. `secrets`: a name and where its value is, "env:VARIABLE" or "command:pass show
    box"; `terma session secret` types it where a password is asked for, and nowhere else."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    ttl: float = field(default=3600.0, metadata=PERSON)
    storage: Literal["memory", "file"] = field(default="memory", metadata=PERSON)
    memory: float = field(default=10.0, metadata=PERSON)
    files: float = field(default=64.0, metadata=PERSON)
    secrets: dict[str, str] = field(default_factory=dict, metadata=PERSON)

    def __post_init__(self) -> None:
        _check(min(self.ttl, self.memory, self.files) >= 0, "ttl, memory and files are 0 or more")
        for name, place in self.secrets.items():
            _check(is_place(place), f"secrets.{name} reads {FORM}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """All of them. `engine` is auto or the name of a provider; `model` is the name of a table in `models`, or
    "provider/model" as litellm writes it, or "local": what `terma local` installed."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    engine: str = field(default="auto", metadata=ANYONE)
    model: str = field(default="", metadata=ANYONE)
    fallbacks: tuple[str, ...] = field(default=(), metadata=ANYONE)
    retries: int = field(default=2, metadata=ANYONE)
    hints: bool = field(default=False, metadata=ANYONE)
    # Ollama, llama.cpp, LM Studio, vLLM
    local_ports: tuple[int, ...] = field(default=(11434, 8080, 1234, 8000), metadata=stricter(among))
    models: dict[str, Model] = field(default_factory=dict, metadata=TABLE)
    timeouts: Timeouts = field(default_factory=Timeouts, metadata=TABLE)
    limits: Limits = field(default_factory=Limits, metadata=TABLE)
    privacy: Privacy = field(default_factory=Privacy, metadata=TABLE)
    suggestions: Suggestions = field(default_factory=Suggestions, metadata=TABLE)
    learning: Learning = field(default_factory=Learning, metadata=TABLE)
    conversation: Conversation = field(default_factory=Conversation, metadata=TABLE)
    sessions: Sessions = field(default_factory=Sessions, metadata=TABLE)
    eyes: Eyes = field(default_factory=Eyes, metadata=TABLE)

    def __post_init__(self) -> None:
        _check(0 <= self.retries <= 10, "retries is from 0 to 10")
        _check(all(0 < port < 65536 for port in self.local_ports), "local_ports are from 1 to 65535")
        for name in (self.model, *self.fallbacks):
            _check(
                not name or name == LOCAL or name in self.models or "/" in name,
                f'{name!r} is neither a table [models.{name}], nor "local", nor of the form provider/model',
            )
        _check(
            self.engine == "auto" or bool(self.model) or not backends.known(self.engine),
            f'engine = "{self.engine}" needs a model',
        )


def _check(holds: bool, otherwise: str) -> None:
    if not holds:
        raise ValueError(otherwise)
