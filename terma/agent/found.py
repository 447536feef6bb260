"""What `auto` could take that nobody set: services whose key is in the environment, and servers that listen here.

Each is one `Finding`, with the question that it needs before its first use. Who listens on a port is looked up with
the kernel: this person and root are asked about; a service's account has to be named by its address; another person is
never taken up, whatever is said.
"""

from __future__ import annotations

import os
import pwd
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Literal

from terma import backends
from terma.agent.permitted import Permitted
from terma.agent.probe import Server
from terma.chat import ModelSpec
from terma.installed import adding
from terma.machine.ports import Listening, listening_on, program_of
from terma.records import dataclass

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
try:  # hashlib brings OpenSSL: 3 MB that the agent need not hold
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

State = Literal["allowed", "asked", "named", "denied", "barred", "missing"]
PERSONS = 1000  # from this number on an account is a person's, below it a service's
TOLD = "your words, names of files here, commands of yours that are near, and for ?why what a command printed"


@dataclass(frozen=True, slots=True)
class Finding:
    """`name` is what `terma models --allow` takes; `key` is what is remembered; `question` what the person is asked.

    `state`: "asked" waits for a yes or no; "named" for its name to --allow; "denied" got a no; "barred" is never taken;
    "missing" lacks a package."""

    name: str
    why: str
    key: str
    question: str
    state: State
    spec: ModelSpec | None = None
    more: str = ""
    variable: str = ""  # that holds its key

    @property
    def note(self) -> str:
        """What to say beside an answer of another engine; "" for nothing."""
        if self.state in ("asked", "named"):
            return f"{self.why}; to use it: terma models --allow {self.name}"
        return self.more if self.state == "missing" else ""


def hosted(environment: Mapping[str, str], permitted: Permitted) -> Iterator[Finding]:
    """The services whose key is in the shell's environment."""
    for variable, service, model, base in HOSTED:
        if not (key := environment.get(variable)):
            continue
        label = f"{model.rpartition('/')[2]} ({service})"
        backend = backends.fitting(base)
        spec = ModelSpec(
            provider=backend,
            model=model,
            api_base=base,
            api_key=key,
            label=label,
        )
        mark = blake2b(key.encode("utf-8", "replace"), digest_size=8).hexdigest()
        kept = f"{service} with the key {mark}"
        question = f"{variable} is set. {service} would get {TOLD}. May {service} answer from now on?"
        name, why = service.lower(), f"{variable} is set"
        said = permitted.said(kept)
        if said is not False and (lacking := backends.missing(backend)):
            more = f"{why}, but {service} needs {lacking}: {adding(lacking)}"
            yield Finding(name, why, kept, question, "missing", spec, more, variable)
        else:
            yield Finding(name, why, kept, question, _state(said), spec, variable=variable)


def served(servers: Sequence[Server], permitted: Permitted, ports: Sequence[int]) -> Iterator[Finding]:
    """The servers that were found on `ports`, as they stand there now."""
    for server in servers:
        if server.port not in ports:
            continue
        name = f"127.0.0.1:{server.port}"
        who = listening_on(server.port)
        uid = whose(who)
        whom = f"{account(uid)}'s" if uid not in (None, os.geteuid()) else ""
        program = _program(who) if who is not None else ""
        kept = f"{server.api_base} of uid {'?' if uid is None else uid} by {program or '?'}"
        by = ", ".join(filter(None, (whom, program))) or "nobody can tell whose"
        where = f"{server.kind} listens on port {server.port} ({by})"
        question = f"{where}. It would get {TOLD}. May it answer from now on?"
        model = preferred(server)
        spec = ModelSpec(
            provider=backends.fitting(server.api_base),
            model=model,
            api_base=server.api_base,
            label=f"{model} ({server.kind})",
        )
        said = permitted.said(kept)
        if uid is not None and uid not in (os.geteuid(), 0):
            if uid >= PERSONS or len(who.uids if who else ()) > 1:
                yield Finding(name, f"{name} is {whom}", kept, question, "barred", None)
                continue
            state: State = "named" if said is None else _state(said)
        else:
            state = _state(said)
        why = f"{server.kind} answers on port {server.port}" + (f", as {account(uid)}" if whom else "")
        yield Finding(name, why, kept, question, state, spec)


def _state(said: bool | None) -> State:
    return "asked" if said is None else "allowed" if said else "denied"


def whose(who: Listening | None) -> int | None:
    """The account behind a port, the strangest where there are several; None where it cannot be told."""
    if who is None:
        return None
    return max(who.uids, key=lambda uid: (uid not in (os.geteuid(), 0), uid != 0, uid))


def account(uid: int | None) -> str:
    """The name of an account."""
    if uid is None:
        return "somebody"
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"user {uid}"


@lru_cache(maxsize=16)
def _program(who: Listening) -> str:
    """Found once for a socket: the walk takes a while, and its number is never another's while it lives."""
    return program_of(who)


def preferred(server: Server) -> str:
    """Of a server's models the one that most likely writes commands: made for code or for instructions."""

    def rank(name: str) -> int:
        low = name.lower()
        if any(word in low for word in ("embed", "rerank", "whisper", "tts", "vision")):
            return 3
        return 0 if "coder" in low or "code" in low else 1 if "instruct" in low or "chat" in low else 2

    return min(server.models, key=rank)
