"""What the terminal shows of the person's last command, as `?why` sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from terma.chat import ToolSpec
from terma.dialogue import Proposal, Ran, World
from terma.redact import MARK
from terma.redact.find import PLACEHOLDER


class LastFailure:
    """Asks the agent, which finds the terminal; what it says is redacted there."""

    read_only = True
    spec = ToolSpec(
        "last_failure",
        "The last command in the person's shell outside, with status and output.",
        {"type": "object", "properties": {}, "required": [], "additionalProperties": False},
    )

    def propose(self, call_id: str, arguments: Mapping[str, Any], world: World) -> Proposal:
        return Proposal(id=call_id, tool=self.spec.name, description="look at your last command")

    async def call(self, proposal: Proposal, world: World) -> tuple[str, Ran | None]:
        """Raises TermaError when nothing is known of one."""
        found = await world.ask("last", {})
        # its placeholders are not those of the conversation
        return PLACEHOLDER.sub(MARK, str(found["text"])), None


PLUGIN = LastFailure()
