"""The calls of a turn, one by one: what a tool would do, what the person says to that, and how it went."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from terma.chat import ToolCall
from terma.conversation import words
from terma.conversation.allowing import RUN
from terma.conversation.calls import Guard, arguments
from terma.conversation.memory_writer import MemoryWriter
from terma.dialogue import Approver, Closed, Decided, Decision, Proposal, Ran, Tool, World
from terma.errors import TermaError, UsageError
from terma.text import one_line

Enrich = Callable[[Proposal], Awaitable[Proposal]]


@dataclass
class ToolCalls:
    """For one question. Nothing is done without the approver's word; `wrong` counts calls that no tool could do."""

    tools: Sequence[Tool]
    approver: Approver
    world: World
    writer: MemoryWriter
    enrich: Enrich | None = None
    guard: Guard = field(default_factory=Guard)
    wrong: int = 0

    async def all(self, calls: Sequence[ToolCall]) -> Closed | None:
        """Deal with every call, in order. How the question ends, where a person ended it."""
        ended: Closed | None = None
        for number, call in enumerate(calls, 1):
            if ended is not None:
                quit_ = ended.reason == "quit"
                self.writer.tell(call, words.NOT_RUN_QUIT if quit_ else words.NOT_RUN_INTERRUPTED)
                continue
            try:
                ended = await self._one(call, number, len(calls))
            except UsageError as error:
                self.wrong += 1
                self.writer.answered(call, _error(error), failed=True)
        return ended

    async def _one(self, call: ToolCall, number: int, total: int) -> Closed | None:
        """Raises UsageError for a call that no tool can do."""
        tool = next((tool for tool in self.tools if tool.spec.name == call.name), None)
        if tool is None:
            there_are = ", ".join(tool.spec.name for tool in self.tools) or "none"
            raise UsageError(f"there is no tool {one_line(call.name, 60)!r}; the tools are: {there_are}")
        values = self.writer.secrets.show_all(arguments(call, tool))
        if unknown := self.writer.secrets.unknown(values):
            raise UsageError(
                f"{unknown} is not known any more", "ask the person for the value, or for another way"
            )
        if objection := self.guard.objection(call.name, values):
            self.writer.answered(call, objection, failed=True)
            return None
        proposal = await self._looked(tool, self._proposed(tool, call, values))
        if self.enrich is not None:
            proposal = await self.enrich(proposal)
        decision = await self.approver.decide(proposal, number, total)
        self.writer.view.show(Decided(proposal, decision, number, total))
        told = words.decided(decision)
        if decision.verdict in ("reject", "quit"):
            self.guard.rejected()
            self.writer.answered(call, told, failed=True)
            return Closed("quit") if decision.verdict == "quit" else None
        if decision.verdict == "modify":
            proposal = self._modified(proposal, decision)
        proposal = replace(proposal, unasked=decision.by == "settings")
        return await self._do(tool, call, proposal, told)

    def _proposed(self, tool: Tool, call: ToolCall, values: dict[str, Any]) -> Proposal:
        """Raises UsageError; what a plug-in does wrong is one, too."""
        try:
            return tool.propose(call.id, values, self.world)
        except UsageError:
            raise
        except Exception as error:
            raise UsageError(_broken(error)) from error

    async def _looked(self, tool: Tool, proposal: Proposal) -> Proposal:
        """With all that an approval is of: every argument, and where. Raises UsageError where that cannot be said."""
        looked = getattr(tool, "looked", None)
        try:
            found: Proposal = await looked(proposal, self.world) if looked is not None else proposal
        except TermaError as error:
            raise UsageError(error.message, error.hint) from error
        return found if found.where is not None else replace(found, where=self._where(found))

    def _where(self, proposal: Proposal) -> dict[str, str]:
        """The arguments as they are, but for the command and its description, which stand beside them."""
        shown = {
            name: value if isinstance(value, str) else json.dumps(value, default=str)
            for name, value in proposal.arguments.items()
            if not (name == "command" and value == proposal.command) and name != "description"
        }
        directory = self.world.shell.cwd
        if shown.get("if_busy") == "wait":
            directory += ", or where the command that still runs leaves the shell"
        return {**shown, "directory": directory}

    def _modified(self, proposal: Proposal, decision: Decision) -> Proposal:
        risk = self.world.assess(
            proposal.before + decision.command,
            (proposal.where or {}).get("directory", ""),
            self.world.shell.name if proposal.tool == RUN else "",
        )
        changed = {**proposal.arguments, "command": decision.command}
        return replace(proposal, command=decision.command, risk=risk, arguments=changed)

    async def _do(self, tool: Tool, call: ToolCall, proposal: Proposal, told: str) -> Closed | None:
        """Do what was approved. The question ends where the person interrupted it."""
        ran: Ran | None = None
        try:
            text, ran = await tool.call(proposal, self.world)
            failed = ran is not None and ran.status not in (0, None)
        except asyncio.CancelledError:
            self.writer.tell(call, f"{told}{words.INTERRUPTED}{self._printed(proposal)}")
            raise
        except TermaError as error:
            text, failed = _error(error), True
        except Exception as error:  # the edge of one plug-in
            text, failed = f"error: {_broken(error)}", True
        self.writer.answered(call, f"{told}{text}", failed, ran)
        return Closed("interrupted") if ran is not None and ran.insisted else None

    def _printed(self, proposal: Proposal) -> str:
        """What an interrupted command had printed, where the shell kept that."""
        last = getattr(self.world.shell, "last", None)
        if not isinstance(last, Ran) or last.command != proposal.command or not last.output.strip():
            return ""
        return f"\noutput until then:\n{last.output.strip()}"


def _broken(error: Exception) -> str:
    if os.environ.get("TERMA_DEBUG"):
        raise error
    return f"the tool is broken: {type(error).__name__}: {one_line(str(error))}"


def _error(error: TermaError) -> str:
    return f"error: {error.message}{f' ({error.hint})' if error.hint else ''}"
