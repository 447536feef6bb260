"""What a conversation's tools work with: the shell, the agent, the screen; and what they cannot know is added here."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from terma.dialogue import Event, Proposal, Shell, View
from terma.errors import TermaError
from terma.repl.setup.agent import Agent
from terma.types import Risk

LIST, CREATE = "session_list", "session_create"


def assess(command: str, cwd: str, shell: str = "") -> Risk:
    """terma.risk.assess, imported when first needed."""
    from terma.risk import assess as read_risk

    return read_risk(command, cwd, shell)


@dataclass
class ToolEnvironment:
    """A dialogue.World. `fields` are those of a request: shell, path, settings."""

    shell: Shell
    agent: Agent
    view: View
    fields: Mapping[str, str]
    hide: Callable[[str], str]
    sessions: bool = False

    def assess(self, command: str, cwd: str, shell: str = "") -> Risk:
        """What `command` could destroy, read as `shell` reads it ("": nobody knows which it is)."""
        return assess(command, cwd, shell)

    async def ask(self, kind: str, fields: Mapping[str, str]) -> Any:
        """Ask the agent, as the person's shell would; of sessions with what they printed. Raises TermaError."""
        if kind.startswith("session_"):
            from terma.repl.setup.session_calls import called

            found = await called(kind.removeprefix("session_"), json.loads(fields["args"]), self.shell.cwd)
            self.sessions = self.sessions or kind == CREATE
            return found
        return await self.agent.ask_json(kind, {**self.fields, **fields})

    async def look(self) -> None:
        """Whether there are sessions, which may have come from elsewhere. Raises nothing: they are only offered."""
        if not self.sessions:
            with suppress(TermaError, KeyError, TypeError):
                self.sessions = bool((await self.agent.ask_json(LIST, {"args": "{}"}))["sessions"])

    def show(self, event: Event) -> None:
        """Tell the person."""
        self.view.show(event)

    async def enriched(self, proposal: Proposal) -> Proposal:
        """With what this machine lacks for the command: programs, options, files."""
        if not proposal.command:
            return proposal
        cwd, shell = self.shell.cwd or os.getcwd(), self.fields.get("shell", "bash")  # noqa: PTH109
        missing = await asyncio.to_thread(_missing, proposal.command, self.fields.get("path", ""), cwd, shell)
        return replace(proposal, missing=tuple(missing))


def _missing(command: str, path: str, cwd: str, shell: str) -> list[str]:
    from terma.grounding import check

    try:
        return list(check(command, path, cwd, shell))
    except (OSError, ValueError):
        return []
