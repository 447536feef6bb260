"""Puts a conversation together: the agent's model, the person's shell, tools, approval, memory, and who shows it."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from terma import tools
from terma.conversation import words
from terma.conversation.allowing import Allowance
from terma.conversation.loop import Conversation, Limits
from terma.conversation.memory import Memory
from terma.conversation.saved import LAST, Saved, followed, new, place, resume, title
from terma.conversation.secrets import Secrets
from terma.conversation.words import split
from terma.dialogue import Noted, Proposal
from terma.errors import TermaError
from terma.repl.approval.approver import TerminalApprover
from terma.repl.approval.question import Helpers
from terma.repl.asking import Shown
from terma.repl.jobs.stopped import Attending
from terma.repl.prompt import shell_names, shell_tab
from terma.repl.setup.agent import Agent
from terma.repl.setup.chat_options import LOCAL, OFFLINE, ChatOptions, Fields
from terma.repl.setup.model import AgentModel
from terma.repl.setup.tool_environment import ToolEnvironment, assess
from terma.repl.shell.persistent import PersistentShell
from terma.repl.tty.terminal import Terminal
from terma.suggest.code_blocks import codes
from terma.text import ago, one_line

if TYPE_CHECKING:
    from terma.repl.display.drawing import Drawing

HANDING_OVER = 2.0  # seconds; an agent that is busy has no need of it


@dataclass(slots=True)
class ChatSession:
    """A conversation with all that belongs to it. `about` is what the agent says of it."""

    agent: Agent
    fields: Fields
    about: dict[str, Any]
    model: AgentModel
    shell: PersistentShell
    world: ToolEnvironment
    approver: TerminalApprover
    memory: Memory
    conversation: Conversation
    view: Shown
    terminal: Terminal | None
    secrets: Secrets
    saved: Saved | None = None
    keeping: Callable[[Memory], None] | None = None
    models: tuple[str, ...] = ()
    asker: str = ""  # the shell outside

    @property
    def settings(self) -> dict[str, Any]:
        found: dict[str, Any] = self.about["settings"]
        return found

    def state(self) -> str:
        """The line beneath the prompt."""
        used = self.memory.totals
        limit = self.memory.limit
        tokens = f"{self.memory.tokens:,} of {limit:,} tokens" if used.requests else ""
        cost = ("over " if used.unpriced else "") + f"${used.cost:.4f}" if used.cost else ""
        running = self.shell.busy
        asked = any(mark in running for mark in (shell_names.MARK, shell_tab.MARK))  # by terma, unseen
        busy = "a command still runs" if running and not asked else ""
        parts = [self.model.name, tokens, cost, busy]
        return " · ".join(filter(None, parts))

    def last_answer(self) -> str:
        """The model's last words, as the person saw them; "" before the first."""
        said = (turn.content for turn in reversed(self.memory.messages) if turn.role == "assistant")
        return self.secrets.show(next(filter(str.strip, said), ""))

    def names(self, of: str) -> list[str]:
        """What may follow /role or /model."""
        if of == "role":
            from terma import paths
            from terma.config import roles

            return roles.names(paths.config_dir() / "roles")
        return [OFFLINE, *self.models] if of == "model" else []

    async def learn(self, of_server: bool = False) -> None:
        """Which models the settings name, and the server in use has, which is asked. Raises nothing: they are only
        offered."""
        with suppress(TermaError, KeyError, TypeError):
            found = await self.agent.ask_json("models", self.fields() | ({"list": "1"} if of_server else {}))
            here = [LOCAL for server in found["servers"] if server["name"] == "terma local"]
            self.models = tuple(dict.fromkeys((*found["named"], *found.get("offered", ()), *here)))

    def save(self) -> None:
        """Write it down now, where it is saved at all."""
        if self.keeping is not None:
            with suppress(OSError):  # it was told when a turn could not be saved
                self.keeping(self.memory)

    def farewell(self) -> str:
        """What is worth knowing at the end, "" for nothing."""
        kept = self.saved is not None and self.keeping is not None and self.memory.messages
        return "go on with it: terma chat --continue" if kept else ""

    async def hand_over(self) -> None:
        """The commands of the last answer go to the shell outside: its key brings them on the empty prompt. Raises
        nothing: the answer was given."""
        if self.asker:
            told = {"asker": self.asker, "codes": json.dumps(codes(self.last_answer()))}
            with suppress(TermaError):
                await self.agent.ask_json("answered", told, HANDING_OVER)

    async def refresh(self) -> None:
        """What another model or role changes. Raises TermaError, and changes nothing, where it cannot be used."""
        self.about = await self.agent.ask_json("conversation", self.fields())
        self.model.name = str(self.about["model"])
        self.model.calls_tools = True
        self.memory.limit = _limit(self.about)
        self.conversation.tools = tools.load(self.about["tools"])

    async def close(self) -> None:
        """End the shell and what it started, and give back the terminal and the agent."""
        await self.shell.close()
        await self.agent.close()
        if self.saved is not None:
            self.saved.close()
        if self.terminal is not None:
            self.terminal.close()


def _limit(about: dict[str, Any]) -> int:
    """Tokens that memory may take: as the settings say, and no more than the model in use takes in."""
    limit: int = min(filter(None, (about["settings"]["memory_tokens"], about["context_tokens"])))
    return limit


async def begin_chat(
    options: ChatOptions,
    agent: Agent,
    about: dict[str, Any],
    view: Shown,
    drawing: Callable[[], Drawing],
    said: Callable[[str], None],
) -> ChatSession:
    """A conversation that is ready to be asked. `about` is what `agent` says of `conversation`; `said` takes the output
    of commands where there is no terminal. Raises TermaError for a saved conversation that cannot be gone on with."""
    fields = Fields(options)
    settings = about["settings"]
    terminal = Terminal.find()
    columns, rows = terminal.size if terminal else (120, 32)
    shell = PersistentShell(
        "",
        here(),
        dict(os.environ),
        columns=columns,
        rows=rows,
        timeout=0.0 if terminal else settings["timeout"],  # who is there waits, or presses a key
        terminal=terminal,
        display_lines=settings["display_lines"],
        show=said,
    )
    fields.cwd = lambda: shell.cwd
    model = AgentModel(agent, fields, str(about["model"]))
    secrets = Secrets()
    attended = Attending(shell, lambda text: view.show(Noted(text)), lambda: drawing().coloured)
    world = ToolEnvironment(attended, agent, view, fields, secrets.hide_lines)
    have = tools.load(about["tools"], lambda text: view.show(Noted(text)))
    name = shell.name
    readers = {tool.spec.name for tool in have if tool.read_only}
    approver = TerminalApprover(
        Helpers(
            drained=view.drained,
            drawing=drawing,
            assess=lambda command: assess(command, shell.cwd, shell.name),
            explain=_explainer(terminal, model, drawing, shell),
            edit=_edit,
            allowed=Allowance(settings["allow"], options.yes, readers, settings["read_freely"], name),
            rest=lambda: shell.rest,
        )
    )
    memory = Memory(words.RULES, _limit(about))
    saved, keeping = _saved(options, settings, model, shell, view)
    if saved is not None:
        saved.restore(memory)
    conversation = Conversation(
        model,
        have,
        approver,
        view,
        world,
        memory,
        Limits(max_steps=options.max_steps or settings["max_steps"]),
        keeping,
        protocol=settings["protocol"],
        enrich=world.enriched,
        begins=world.look,
        secrets=secrets,
    )
    return ChatSession(
        agent=agent,
        fields=fields,
        about=about,
        model=model,
        shell=shell,
        world=world,
        approver=approver,
        memory=memory,
        conversation=conversation,
        view=view,
        terminal=terminal,
        secrets=secrets,
        saved=saved,
        keeping=keeping,
        asker=options.shell,
    )


def _saved(
    options: ChatOptions, settings: dict[str, Any], model: AgentModel, shell: PersistentShell, view: Shown
) -> tuple[Saved | None, Callable[[Memory], None] | None]:
    """The conversation on the disk, and what writes it there; None where it is not to be. Raises TermaError."""
    keep = settings["keep"]
    writes = options.save and settings["save"]
    go_on = options.resume
    try:
        if not go_on and options.follow and writes:
            go_on = followed(place(), options.shell, settings["follow"] * 60)
        if go_on:
            saved: Saved | None = resume(place(), go_on, keep, options.shell, shell.cwd)
        else:
            saved = new(place(), keep) if writes else None
    except OSError as error:
        why = error.strerror or str(error)
        if go_on:
            raise TermaError(f"the conversation cannot be read: {why}", "terma ask --list") from error
        view.show(Noted(f"the conversation is not saved: {one_line(why)}"))
        return None, None
    if saved is not None and go_on:
        view.show(Noted(goes_on(saved, options.resume)))
    if saved is None or not writes:
        return saved, None
    one = saved
    one.shell = options.shell

    def write(memory: Memory) -> None:
        one.model, one.cwd = model.name, shell.cwd
        one.save(memory)

    return saved, write


def goes_on(saved: Saved, asked: str) -> str:
    """What a question goes on with: the first question, how long ago; the last exchange too, where it was asked for by
    --continue, which names none."""
    when = ago(time.time() - saved.updated)
    if saved.copied_from:
        when += ", in a copy: it is open elsewhere"
    about = f"“{title(saved.messages, 60)}”"
    if not asked:
        return f"follows up {about}, {when}; --new begins anew"
    if asked != LAST:
        return f"goes on with {about}, {when}"
    said = {turn.role: split(turn.content)[0] for turn in saved.messages if turn.content.strip()}
    last = [
        f"{who}: {one_line(words, 60)}"
        for who, words in (("you", said.get("user")), ("it", said.get("assistant")))
        if words
    ]
    return "; ".join((f"goes on with {about}, {when}", *last))


def here() -> str:
    """The working directory, the root where it is gone."""
    try:
        return str(Path.cwd())
    except OSError:
        return "/"


async def _edit(terminal: Terminal, command: str) -> str | None:
    from terma.repl.approval.editing import edit

    return await edit(terminal, command)


def _explainer(
    terminal: Terminal | None, model: AgentModel, drawing: Callable[[], Drawing], shell: PersistentShell
) -> Callable[[Proposal], Awaitable[None]]:
    async def told(proposal: Proposal) -> None:
        from terma.pieces import Asked
        from terma.repl.approval.explaining import explain

        if terminal is not None:
            asked = Asked(proposal.command, shell.name, os.environ.get("PATH", ""), shell.cwd)
            await explain(proposal, terminal, None if model.local else model, drawing(), asked)

    return told
