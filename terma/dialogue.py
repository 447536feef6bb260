"""What a conversation shows, asks and uses: events, and a small protocol for each thing that is handed to it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from terma.chat import ChatEvent, ChatMessage, ToolSpec, Usage
from terma.types import Risk

EndedBy = Literal["marker", "pattern", "settle", "timeout", "exit", "interrupt", "stop", "end"]
State = Literal["idle", "running", "needs_input", "unsure", "password", "continuation", "exited"]
Verdict = Literal["approve", "reject", "modify", "quit"]
IfBusy = Literal["refuse", "wait", "interrupt"]
Reason = Literal["answered", "interrupted", "steps", "quit", "error"]


@dataclass(frozen=True, slots=True)
class Proposal:
    """Something a model wants done that a person decides on. `command` is what would run, "" for a tool that runs
    none; `arguments` are the tool's. `touches` names files, hosts and programs that it would change, the worst first;
    `missing` is what the machine lacks for it.

    `where` is what is shown beside the command, every argument and the directory, and an approval for later holds
    nowhere else; None: the arguments as they are, and the shell's directory. `before` stands on the line already that
    the command completes. `lasts` says that something goes on when the command has ended, and for how long.
    `unasked`: the settings let it run, and nobody saw it before. Names and
    texts are sanitized; keys are spelled out where they are shown."""

    id: str
    tool: str
    command: str = ""
    description: str = ""
    risk: Risk = field(default_factory=Risk)
    touches: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    arguments: Mapping[str, Any] = field(default_factory=dict)
    where: Mapping[str, str] | None = None
    before: str = ""
    lasts: str = ""
    unasked: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided. `command` is what to run instead (verdict modify); `reason` is told to the model. `by` says
    whether a person looked at this very proposal, approved the same command before, or allowed it in the settings."""

    verdict: Verdict
    command: str = ""
    reason: str = ""
    by: Literal["person", "before", "settings", "nobody"] = "person"


@dataclass(frozen=True, slots=True)
class Ran:
    """How a command in the persistent shell went. `output` is its own, processed (as it looked, without escapes), not
    yet redacted nor shortened. `status` is None while it is not known (it runs on, or asks). `seconds` is its
    duration, `dropped` the bytes of output that were not kept, `cwd` the shell's directory afterwards ("" unknown).
    `restarted`: the shell had ended, and there is a new one. `earlier` is what a command came to that a time-out had
    left running, and that had to end first. `background` are the command lines of what it started and left running,
    `session` is the terma session in which the command goes on. `insisted`: the person pressed Ctrl+C more than once,
    and wants an end of all of it; `key` is what they pressed last. ended_by stop: they pressed Ctrl+Z, and it is a
    stopped job of the shell; end: then they had it ended. `alone`: what they stopped so where that is a part of the
    command, which the shell did not keep together: all that is known behind it is of that part. What was typed at a
    password prompt is in none of it.
    """

    command: str
    output: str
    status: int | None
    ended_by: EndedBy = "marker"
    state: State = "idle"
    seconds: float = 0.0
    dropped: int = 0
    cwd: str = ""
    restarted: bool = False
    earlier: Ran | None = None
    background: tuple[str, ...] = ()
    session: str = ""
    insisted: bool = False
    key: str = "Ctrl+C"
    alone: str = ""


# What a view is told, in order.


@dataclass(frozen=True, slots=True)
class Waiting:
    """Nothing has come yet for the request that was just sent, to the model `whom` where its name is known."""

    what: str = "model"
    whom: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of the model's words, sanitized."""

    text: str


@dataclass(frozen=True, slots=True)
class Said:
    """The model's words of this turn are complete, or were cut off. `text` repeats all of it."""

    text: str
    interrupted: bool = False


@dataclass(frozen=True, slots=True)
class Noted:
    """A remark: a retry, a fallback, something dropped from memory."""

    text: str


@dataclass(frozen=True, slots=True)
class Decided:
    """Proposal `number` of `total` in this turn (1-based) was decided on."""

    proposal: Proposal
    decision: Decision
    number: int = 1
    total: int = 1


@dataclass(frozen=True, slots=True)
class Running:
    """A command begins in the shell; its output reaches the person's terminal by itself."""

    command: str


@dataclass(frozen=True, slots=True)
class ToolAnswered:
    """What a tool returned to the model, redacted and shortened. `ran` is there for commands."""

    tool: str
    text: str
    failed: bool = False
    ran: Ran | None = None


@dataclass(frozen=True, slots=True)
class Used:
    """What the request that has just ended took; `seconds` is its duration."""

    usage: Usage
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Closed:
    """The question is dealt with. `message` and `hint` are there for reason error."""

    reason: Reason
    message: str = ""
    hint: str = ""


Event = Waiting | Piece | Said | Noted | Decided | Running | ToolAnswered | Used | Closed


class View(Protocol):
    """What a person, or a program that reads JSON, sees. Must return at once."""

    def show(self, event: Event) -> None: ...


class Model(Protocol):
    """A chat model, wherever it is. Redaction, keys, retries and the ledger are its business (the agent's)."""

    name: str
    calls_tools: bool  # False: propose through json_commands; found out at the first request where unknown

    def chat(
        self, messages: Sequence[ChatMessage], tools: Sequence[ToolSpec]
    ) -> AsyncGenerator[ChatEvent, None]:
        """Like terma.chat.ChatModel.chat. Raises ModelError; closing it, or cancelling, ends the request at once."""
        ...


class Approver(Protocol):
    """Decides on proposals. Raises nothing: EOF, Ctrl+C and a missing terminal are a Decision to reject."""

    async def decide(self, proposal: Proposal, number: int, total: int) -> Decision: ...


class Shell(Protocol):
    """The conversation's persistent shell: what `cd`, `export` and `source` do in it lasts."""

    @property
    def cwd(self) -> str:
        """Its working directory now, "" when unknown."""
        ...

    @property
    def name(self) -> str:
        """Which shell it is: bash, zsh, fish."""
        ...

    async def run(
        self, command: str, *, within: float | None = None, if_busy: IfBusy = "refuse", plain: bool = False
    ) -> Ran:
        """Run one command line, or several, in the person's sight, with their keys. `within` (seconds; None: as the
        settings say; 0: no bound) ends the wait, not the command; `if_busy` says what is done when one that was left
        running that way still runs. `plain`: nobody was asked, so what it prints
        reaches their terminal as text and colours only. Cancelling it interrupts the command (SIGINT, then harder) and
        leaves the shell at its prompt. Raises TermaError when there is no shell to be had, or it is busy."""
        ...

    async def close(self) -> None:
        """End it as a terminal does that hangs up: what was detached from it lives on."""
        ...


class Tool(Protocol):
    """`terma/tools/NAME.py` exports one as PLUGIN; other distributions use the entry points terma.tools."""

    spec: ToolSpec
    read_only: bool  # changes nothing: still shown, and asked about where the settings want that

    def propose(self, call_id: str, arguments: Mapping[str, Any], world: World) -> Proposal:
        """What it would do. Raises UsageError for arguments that are wrong: the model is told."""
        ...

    # `async def looked(proposal, world) -> Proposal` may be there, too: with what only the agent knows of it, asked
    # before the person is. Raises TermaError: the model is told, and nobody is asked.

    # `def offered(world) -> bool`, too: whether it is described to the model now; without it, it always is.

    async def call(self, proposal: Proposal, world: World) -> tuple[str, Ran | None]:
        """Do it; what the model is told, not yet redacted or shortened. Raises TermaError: the model is told."""
        ...


class World(Protocol):
    """What tools are handed. `ask` asks the agent (the kinds of the wire) and returns its JSON. `hide` takes secrets
    out of a text with the conversation's placeholders: who gives a part of a text hides the whole first. `sessions`:
    there were terma sessions; it stays so to the end of a conversation."""

    shell: Shell
    sessions: bool

    @property
    def hide(self) -> Callable[[str], str]: ...

    def assess(self, command: str, cwd: str, shell: str = "") -> Risk: ...
    async def ask(self, kind: str, fields: Mapping[str, str]) -> Any: ...
    def show(self, event: Event) -> None: ...
