"""A conversation with all that belongs to it, from its first question to its close."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from terma import tools
from terma.conversation.loop import Conversation
from terma.conversation.memory import Memory
from terma.conversation.saved import Saved
from terma.conversation.secrets import Secrets
from terma.errors import TermaError
from terma.repl.approval.approver import TerminalApprover
from terma.repl.asking import Shown
from terma.repl.prompt import shell_names, shell_tab
from terma.repl.setup.agent import Agent
from terma.repl.setup.chat_options import LOCAL, OFFLINE, Fields
from terma.repl.setup.model import AgentModel
from terma.repl.setup.tool_environment import ToolEnvironment
from terma.repl.shell.persistent import PersistentShell
from terma.repl.tty.terminal import Terminal
from terma.suggest.code_blocks import codes

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
        self.memory.limit = memory_limit(self.about)
        self.conversation.tools = tools.load(self.about["tools"])

    async def close(self) -> None:
        """End the shell and what it started, and give back the terminal and the agent."""
        await self.shell.close()
        await self.agent.close()
        if self.saved is not None:
            self.saved.close()
        if self.terminal is not None:
            self.terminal.close()


def memory_limit(about: dict[str, Any]) -> int:
    """Tokens that memory may take: as the settings say, and no more than the model in use takes in."""
    limit: int = min(filter(None, (about["settings"]["memory_tokens"], about["context_tokens"])))
    return limit


def here() -> str:
    """The working directory, the root where it is gone."""
    try:
        return str(Path.cwd())
    except OSError:
        return "/"
