"""What every room shares: the question, the answer's events, and the protocol of what gives them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import field
from typing import Literal, Protocol

from terma.records import dataclass

ENGINE = "offline"  # the name of the embedded engine
GIVEN = "given"  # the source of an output that a program handed over
RiskLevel = Literal["low", "medium", "high"]
Style = Literal[
    "plain", "bold", "code", "dim", "head", "warn", "danger"
]  # of what a shell prints, on the wire


@dataclass(frozen=True, slots=True)
class Risk:
    """What a command could do to its person. `reasons` are short phrases, the worst first, each opening with the word
    of its kind; `kinds` those kinds, in the same order and once each. A low one has none, or "needs root" alone."""

    level: RiskLevel = "low"
    reasons: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Placeholder:
    """A slot that nothing filled: `command[start:end]` (code points) reads `{name}`."""

    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Query:
    """One sentence to translate, with what is known of the shell that asks.

    `attempt` counts from 0: the n-th Ctrl+T on the same sentence asks for the n-th candidate. `again` asks for one that
    was given before, so that nothing is paid for twice.
    `path` is the asking shell's PATH, which need not be the agent's. `history` holds the person's past commands, the
    newest last. `status` and `command` are of the last command; -1 and "" when unknown. `duration` is in microseconds.
    `recent` tells what ran in this shell lately, a line each, the oldest first. `style` is "python" where xonsh may be
    answered in Python.
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
    recent: tuple[str, ...] = ()
    aliases: Mapping[str, str] = field(default_factory=dict)
    style: str = ""
    again: bool = False

    @property
    def edit(self) -> tuple[str, str]:
        """("ls", "newest first") of `ls # newest first`: a command, and how it is to be changed; else ("", "")."""
        command, wish = (text.strip() for text in self.words.partition(" # ")[::2])
        quoted = command.count("'") % 2 or command.count('"') % 2
        counts = wish.startswith("of ")  # the # of files
        return (command, wish) if command and wish and not quoted and not counts else ("", "")


@dataclass(frozen=True, slots=True)
class Candidate:
    """One command offered for a sentence. `score` is 0..1; `source` names where it came from
    ("tar.extract", "history", "grammar.find"); `note` is a short remark for the state line
    ("rsync is not installed"), or empty. `by` names the engine that offers it, "" for the one that was asked."""

    command: str
    score: float
    source: str
    placeholders: tuple[Placeholder, ...] = ()
    note: str = ""
    by: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """What in a command is not so on this machine, in a short phrase. `kind`: "absent" is a program that a package
    would bring, "invented" a program, subcommand or option that nothing here knows, "file" a file that is not there.
    `program` is the one that is missing, or that has no such option; "" for files."""

    text: str
    kind: Literal["absent", "invented", "file"]
    program: str = ""


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


@dataclass(frozen=True, slots=True)
class CaptureRequest:
    """What a source needs to find the asking shell's terminal, and what to look for in it.

    `env` holds the terminal's own variables as the shell has them (`shell_hooks/wire.sh` names them: TMUX_PANE, STY,
    TERMA_RECORDING, ...). `command` is the last command line as typed, "" when unknown; `asked` is the line that asks
    (`?why is the port busy`), which may stand beneath the output, "" when it was a key. `path` is the shell's PATH;
    `columns` and `lines` are the terminal's size in cells, 0 when unknown. `greeting` is the line with which terma has
    begun a conversation there: it and what stands beneath it are no command's output. `another`: it is not the pane
    in which the person asks."""

    env: Mapping[str, str]
    shell: str = "bash"
    command: str = ""
    status: int = -1
    cwd: str = ""
    asked: str = ""
    path: str = ""
    columns: int = 0
    lines: int = 0
    greeting: str = ""
    another: bool = False


@dataclass(frozen=True, slots=True)
class Capture:
    """What one source saw. `text` is as the source gave it, escape sequences and all. `exact`: it is the last
    command's own output; otherwise it is scrollback in which that output has yet to be found. `columns` is the width
    at which it was drawn, 0 when its lines are not wrapped. `status` is the command's exit status where the source
    knows it, else -1."""

    source: str
    text: str
    exact: bool = False
    columns: int = 0
    status: int = -1
    command: str = ""


class Source(Protocol):
    """A place where the terminal's text can be had: `terma/context/sources/NAME.py` exports one as PLUGIN."""

    name: str
    priority: int  # the lower is asked first
    variables: tuple[str, ...]  # of the environment, what it asks for; without the first it is not here

    async def capture(self, request: CaptureRequest) -> Capture | None:
        """None: not here, said at once. Raises TermaError or OSError when it is here and broken."""
        ...


@dataclass(frozen=True, slots=True)
class Output:
    """What the last command printed, as plain text fit to be read: without escapes, folded and shortened.

    `source` names where it came from ("tmux", "recording"; "" when there was none). `found` is False when the command
    was not found in the scrollback and `text` is the end of what the terminal shows. `trouble` says in one line why a
    source that is here gave nothing, or is empty. `command` and `status` are what the source itself knows."""

    text: str = ""
    source: str = ""
    found: bool = False
    trouble: str = ""
    command: str = ""
    status: int = -1

    @property
    def deep(self) -> bool:
        """Whether anything was seen of the output. A prompt must not pretend to have seen it otherwise."""
        return bool(self.source)


@dataclass(frozen=True, slots=True)
class WhyQuery:
    """A command that was run, how it ended and what it printed, with what the person asks about it (may be "").

    `status` is -1 when unknown; `duration` is in microseconds, 0 when unknown. `facts` are short lines about the place
    ("git: on main, 2 files changed"), `history` the person's past commands, the newest last, `recent` what ran in this
    shell lately, a line each. `statuses` are the exit statuses of the last pipeline's commands, in order, () when
    unknown; `columns` is the terminal's width, 0 when unknown. `stands` is the folder in which the shell is now, ""
    when unknown: a command may have left the one in which it began."""

    command: str
    status: int = -1
    output: Output = field(default_factory=Output)
    question: str = ""
    cwd: str = ""
    shell: str = "bash"
    path: str = ""
    os: str = ""
    duration: int = 0
    facts: tuple[str, ...] = ()
    history: tuple[str, ...] = ()
    recent: tuple[str, ...] = ()
    aliases: Mapping[str, str] = field(default_factory=dict)
    statuses: tuple[int, ...] = ()
    columns: int = 0
    stands: str = ""


@dataclass(frozen=True, slots=True)
class Fix:
    """A command to type instead. `confidence` is 0..1; `note` says what it does, or is empty. `look`: it mends nothing,
    and shows what the failure is about."""

    command: str
    confidence: float = 1.0
    note: str = ""
    look: bool = False


@dataclass(frozen=True, slots=True)
class Explained:
    """The end of an explanation: the fixes, the best first. The text before it came as Deltas of markdown; `shown` are
    the commands in its code blocks, which nothing proves: for who asks for them."""

    fixes: tuple[Fix, ...] = ()
    shown: tuple[Fix, ...] = ()


Event = Delta | Note | Final | Raw
WhyEvent = Delta | Note | Explained | Raw


class Translator(Protocol):
    """What turns a sentence into a command."""

    name: str

    def translate(self, query: Query) -> AsyncIterator[Event]:
        """Yield deltas and notes, then exactly one Final.

        Raises UnknownAnswer when it does not know, ProviderError when it failed. Cancelling the task that iterates
        stops the work, down to the provider's own connection."""
        ...


class Provider(Translator, Protocol):
    """An engine: the embedded one, a model behind HTTP, a script for tests."""

    local: bool  # what it is told stays on this machine, in this process

    def explain(self, query: WhyQuery) -> AsyncIterator[WhyEvent]:
        """Yield deltas of markdown and notes, then exactly one Explained. Raises and is cancelled as translate."""
        ...
