"""What every room shares: the question, the answer's events, and the protocol of what gives them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol

RiskLevel = Literal["low", "medium", "high"]


@dataclass(frozen=True, slots=True)
class Risk:
    """What a command could destroy. `reasons` are short phrases, the worst first; empty when low."""

    level: RiskLevel = "low"
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Placeholder:
    """A slot that nothing filled: `command[start:end]` (code points) reads `{name}`."""

    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Query:
    """One sentence to translate, with what is known of the shell that asks.

    `attempt` counts from 0: the n-th Ctrl+T on the same sentence asks for the n-th candidate.
    `path` is the asking shell's PATH, which need not be the agent's. `history` holds the person's past commands, the
    newest last. `status` and `command` are of the last command; -1 and "" when unknown. `duration` is in microseconds.
    """

    words: str
    shell: str = "bash"
    cwd: str = ""
    path: str = ""
    os: str = ""
    attempt: int = 0
    history: tuple[str, ...] = ()
    status: int = -1
    command: str = ""
    duration: int = 0
    extra: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Candidate:
    """One command offered for a sentence. `score` is 0..1; `source` names where it came from
    ("tar.extract", "history", "grammar.find"); `note` is a short remark for the state line
    ("rsync is not installed"), or empty."""

    command: str
    score: float
    source: str
    placeholders: tuple[Placeholder, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of the command, in order, as it is written."""

    text: str


@dataclass(frozen=True, slots=True)
class Note:
    """A remark for the state line while the answer is under way."""

    text: str


@dataclass(frozen=True, slots=True)
class Final:
    """The whole answer. `candidates[0]` is what the deltas spelled; the rest are alternatives, best first.

    `index` and `total` say which of how many candidates the first one is (0-based)."""

    candidates: tuple[Candidate, ...]
    index: int = 0
    total: int = 1


@dataclass(frozen=True, slots=True)
class Raw:
    """Bytes for the socket as they are, past every check. Only the scripted engine says it, to play a broken agent."""

    data: bytes


Event = Delta | Note | Final | Raw


class Provider(Protocol):
    """What turns a sentence into a command: the embedded engine, a model behind HTTP, a script for tests."""

    name: str

    def translate(self, query: Query) -> AsyncIterator[Event]:
        """Yield deltas and notes, then exactly one Final.

        Raises UnknownAnswer when it does not know, ProviderError when it failed. Cancelling the task that iterates
        stops the work, down to the provider's own connection."""
        ...
