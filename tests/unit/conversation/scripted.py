"""A conversation's neighbours that do what a test wrote down: a model, a person, a shell, a screen."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from terma.chat import ChatEvent, ChatMessage, Finish, TextDelta, ToolCall, ToolCallDelta, ToolSpec, Usage
from terma.conversation.loop import Conversation
from terma.conversation.memory import Memory
from terma.dialogue import Decision, Event, Piece, Proposal, Ran, Running, ToolAnswered
from terma.errors import UsageError
from terma.redact import in_lines, redact
from terma.types import Risk

Step = ChatEvent | Exception | asyncio.Event


def call(name: str = "run_command", id: str = "c1", **arguments: Any) -> ToolCall:
    return ToolCall(id, name, json.dumps(arguments))


def says(*pieces: str) -> list[Step]:
    return [*map(TextDelta, pieces), Usage(10, 5), Finish()]


def calls(*made: ToolCall, text: str = "") -> list[Step]:
    deltas = [ToolCallDelta(number, one.name, "") for number, one in enumerate(made)]
    return [*([TextDelta(text)] if text else []), *deltas, *made, Usage(10, 5), Finish("tool_calls")]


class ScriptedModel:
    """Gives one script a request; the last one is repeated. An asyncio.Event in a script is waited for."""

    def __init__(self, *scripts: Sequence[Step], calls_tools: bool = True) -> None:
        self.name = "scripted"
        self.calls_tools = calls_tools
        self.seen: list[tuple[ChatMessage, ...]] = []
        self.tools: list[tuple[str, ...]] = []
        self.closed = 0
        self.waiting = asyncio.Event()
        self._scripts = list(scripts)

    async def chat(
        self, messages: Sequence[ChatMessage], tools: Sequence[ToolSpec]
    ) -> AsyncGenerator[ChatEvent, None]:
        self.seen.append(tuple(messages))
        self.tools.append(tuple(tool.name for tool in tools))
        script = self._scripts.pop(0) if len(self._scripts) > 1 else self._scripts[0]
        try:
            for step in script:
                if isinstance(step, asyncio.Event):
                    self.waiting.set()
                    await step.wait()
                elif isinstance(step, Exception):
                    raise step
                else:
                    yield step
        finally:
            self.closed += 1


class Person:
    """Decides as written down, then approves everything."""

    def __init__(self, *decisions: Decision) -> None:
        self.asked: list[Proposal] = []
        self.counts: list[tuple[int, int]] = []
        self._decisions = list(decisions)

    async def decide(self, proposal: Proposal, number: int, total: int) -> Decision:
        self.asked.append(proposal)
        self.counts.append((number, total))
        return self._decisions.pop(0) if self._decisions else Decision("approve")


class Screen:
    def __init__(self) -> None:
        self.events: list[Event] = []

    def show(self, event: Event) -> None:
        self.events.append(event)

    def of(self, kind: type) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def text(self) -> str:
        return "".join(event.text for event in self.of(Piece))

    @property
    def results(self) -> list[str]:
        return [event.text for event in self.of(ToolAnswered)]


class FakeShell:
    """Runs nothing; a command that is not in `answers` prints its own name. An Event is waited for."""

    def __init__(self, answers: Mapping[str, Ran | asyncio.Event] | None = None) -> None:
        self.ran: list[str] = []
        self.running = asyncio.Event()
        self.last: Ran | None = None
        self._answers = dict(answers or {})

    name = "bash"

    @property
    def cwd(self) -> str:
        return "/work"

    async def run(self, command: str, *, within: float | None = None) -> Ran:
        self.ran.append(command)
        answer = self._answers.get(command)
        if isinstance(answer, asyncio.Event):
            self.running.set()
            await answer.wait()
        return answer if isinstance(answer, Ran) else Ran(command, f"did {command}", 0, cwd="/work")

    async def close(self) -> None:
        pass


class World:
    def __init__(self, shell: FakeShell, screen: Screen) -> None:
        self.shell = shell
        self.screen = screen
        self.sessions = False
        self.hide: Callable[[str], str] = lambda text: in_lines(redact(text))

    def assess(self, command: str, cwd: str, shell: str = "") -> Risk:
        return Risk("high", ("deletes files",)) if command.startswith("rm") else Risk()

    async def ask(self, kind: str, fields: Mapping[str, str]) -> Any:
        raise AssertionError("no agent here")

    def show(self, event: Event) -> None:
        self.screen.show(event)


class Run:
    """A run_command for the loop's own tests."""

    read_only = False
    spec = ToolSpec(
        "run_command",
        "Run a command.",
        {
            "type": "object",
            "properties": {"command": {"type": "string"}, "description": {"type": "string"}},
            "required": ["command"],
            "additionalProperties": False,
        },
    )

    def propose(self, call_id: str, arguments: Mapping[str, Any], world: Any) -> Proposal:
        if not arguments["command"].strip():
            raise UsageError("the command is empty")
        command = arguments["command"]
        made = Proposal(call_id, "run_command", command, arguments=arguments)
        return replace(made, risk=world.assess(command, world.shell.cwd))

    async def call(self, proposal: Proposal, world: Any) -> tuple[str, Ran | None]:
        world.show(Running(proposal.command))
        ran = await world.shell.run(proposal.command)
        return f"exit status {ran.status}\n{ran.output}", ran


class Stage:
    """All of it together."""

    def __init__(
        self,
        model: ScriptedModel,
        person: Person | None = None,
        shell: FakeShell | None = None,
        **more: Any,
    ) -> None:
        self.model = model
        self.person = person or Person()
        self.screen = Screen()
        self.shell = shell or FakeShell()
        self.memory = more.pop("memory", None) or Memory("you are here")
        self.saved: list[list[ChatMessage]] = []
        self.talk = Conversation(
            model,
            more.pop("tools", [Run()]),
            self.person,
            self.screen,
            World(self.shell, self.screen),
            self.memory,
            save=more.pop("save", lambda memory: self.saved.append(list(memory.messages))),
            **more,
        )


def balanced(messages: Sequence[ChatMessage]) -> bool:
    """Whether each call is followed by its result at once, and no result stands alone: what servers ask for."""
    open_calls: list[str] = []
    for message in messages:
        if message.role == "tool":
            if message.tool_call_id not in open_calls:
                return False
            open_calls.remove(message.tool_call_id)
        elif open_calls:
            return False
        else:
            open_calls = [one.id for one in message.tool_calls]
    return not open_calls
