"""What a person decides on proposals: one by one, at a terminal, or nothing is run."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

from terma.dialogue import Decision, Proposal
from terma.repl.approval.question import ALWAYS, Helpers, Question
from terma.repl.tty.terminal import Terminal
from terma.types import RiskLevel

_RANK = {"low": 0, "medium": 1, "high": 2}
NOBODY = "nobody is at a terminal to approve it"


class TerminalApprover:
    """An Approver of terma.dialogue. `find` gives the terminal to ask at, None where there is none."""

    def __init__(self, helpers: Helpers, find: Callable[[], Terminal | None] = Terminal.find) -> None:
        self._helpers = helpers
        self._find = find
        self._before: dict[str, RiskLevel] = {}

    def forget(self) -> None:
        """Commands that were approved for the session are asked about again."""
        self._before.clear()

    async def decide(self, proposal: Proposal, number: int, total: int) -> Decision:
        await self._helpers.drained()
        known = self._before.get(_same(proposal))
        if known is not None and _RANK[proposal.risk.level] <= _RANK[known]:
            return Decision("approve", by="before")
        low = proposal.risk.level == "low"
        if low and self._helpers.allowed is not None and await self._helpers.allowed(proposal):
            return Decision("approve", by="settings")
        terminal = self._find()
        if terminal is None:
            return Decision("reject", reason=NOBODY, by="nobody")
        try:
            return await self._ask(terminal, proposal, f"{number} of {total}" if total > 1 else "")
        finally:
            terminal.close()

    async def _ask(self, terminal: Terminal, proposal: Proposal, which: str) -> Decision:
        shown, edited = proposal, False
        while True:
            decision = await Question(terminal, self._helpers, shown, which, edited).answer()
            if decision is not None:
                break
            command = await self._helpers.edit(terminal, shown.command)
            if command is None or not command.strip() or command == shown.command:
                continue
            edited = command != proposal.command
            risk = self._helpers.assess(proposal.before + command)
            shown = replace(proposal, command=command, risk=risk, touches=(), missing=())
            if shown.risk.level == "low":
                decision = Decision("approve")  # Enter in the editor was the act
                break
        if decision.verdict == "approve":
            if decision.reason == ALWAYS:
                self._before[_same(shown)] = shown.risk.level
                decision = replace(decision, reason="")
            if edited:
                decision = replace(decision, verdict="modify", command=shown.command)
        return decision


def _same(proposal: Proposal) -> str:
    """All that was shown, and all that is handed to the tool: the very same thing, in the very same place."""
    arguments = {
        name: value for name, value in proposal.arguments.items() if name not in ("command", "description")
    }
    where = sorted((proposal.where or {}).items())
    return json.dumps([proposal.tool, proposal.command, sorted(arguments.items()), where], default=str)
