"""Programs on terminals that live on beside the conversation's own shell: servers, REPLs, logins elsewhere."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from typing import Any

from terma.chat import ToolSpec
from terma.dialogue import Proposal, Ran, World
from terma.errors import UsageError
from terma.sessions.operations import BY_NAME, Operation, schema
from terma.text import one_line, sanitize
from terma.types import Risk

PREFIX = "session_"
# What a model needs of each; their description is sent with every request.
OFFERED = {
    "create": "session command cwd if_not_exists kind",
    "exec": "session input wait settle timeout",
    "send": "session text enter keys",
    "read": "session all tail since wait settle timeout",
    "search": "session pattern context ignore_case",
    "list": "",
    "kill": "session",
}


class SessionTool:
    """One operation of terma.sessions.operations. What it would type or start is the proposal's command."""

    def __init__(self, operation: Operation) -> None:
        self._operation = operation
        self.read_only = operation.read_only
        whole = schema(operation)
        kept = OFFERED[operation.name].split()
        properties = {name: whole["properties"][name] for name in kept}
        self.spec = ToolSpec(PREFIX + operation.name, operation.words, {**whole, "properties": properties})

    def propose(self, call_id: str, arguments: Mapping[str, Any], world: World) -> Proposal:
        """Raises UsageError where there is nothing to run or to type."""
        name = self._operation.name
        session = one_line(str(arguments.get("session", "")), 80)
        command = self._command(arguments)
        if name in ("exec", "send") and not command and not arguments.get("enter"):
            raise UsageError(f"{self.spec.name} has nothing to type")
        rest = {
            key: value
            for key, value in arguments.items()
            if key not in ("session", "input", "command", "text")
        }
        summary = (
            self._operation.summary.replace("it", session or "it", 1)
            if name != "list"
            else "list the sessions"
        )
        return Proposal(
            id=call_id,
            tool=self.spec.name,
            command=command if name != "send" else "",
            description=summary if name != "send" else f"type into {session}: {one_line(command)}",
            risk=world.assess(command, "") if command else Risk(),
            touches=(f"session {session}",) if session and not self.read_only else (),
            arguments=_clean({"session": session} | ({"text": command} if name == "send" else {}) | rest),
        )

    def _command(self, arguments: Mapping[str, Any]) -> str:
        if self._operation.name == "exec":
            return sanitize(str(arguments.get("input", "")))
        if self._operation.name == "send":
            return sanitize(" ".join(str(text) for text in arguments.get("text") or ()))
        if self._operation.name == "create":
            return sanitize(shlex.join(str(word) for word in arguments.get("command") or ()))
        return ""

    async def call(self, proposal: Proposal, world: World) -> tuple[str, Ran | None]:
        """Raises TermaError."""
        values = dict(proposal.arguments)
        if self._operation.name == "exec":
            values = {**values, "input": proposal.command}
        elif self._operation.name == "create" and proposal.command:
            values = {**values, "command": shlex.split(proposal.command)}
        elif self._operation.name == "send":
            values = {**values, "text": [values.get("text", "")]}
        if self._operation.name == "list":
            values = {}
        found = dict(await world.ask(self.spec.name, {"args": json.dumps(values)}))
        output = str(found.pop("output", ""))
        return f"{json.dumps(found, ensure_ascii=False)}\n{output}".strip(), None


def _clean(values: Mapping[str, Any]) -> dict[str, Any]:
    """For the person's eyes: nothing in it that a terminal would obey."""
    return {key: sanitize(value) if isinstance(value, str) else value for key, value in values.items()}


PLUGIN = tuple(SessionTool(BY_NAME[name]) for name in OFFERED)
