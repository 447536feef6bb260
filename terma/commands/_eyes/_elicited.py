"""The person at an agent's client, asked through it before anything is typed on the other machine."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from terma.mcp.asking import Ask, Question
from terma.text import sanitize

if TYPE_CHECKING:
    from terma.errors import TermaError
    from terma.redact import Redactor
    from terma.vision.parts import Answer, Seen
    from terma.vision.policy import Verdict
    from terma.vision.types import Act

_YES, _STOP = "yes", "stop"
_DECISION = {"type": "string", "enum": ["yes", "no", "stop"], "title": "Do it?"}
_REASON = {"type": "string", "title": "Why not (the agent is told)"}
_INSTEAD = {"type": "string", "title": "Type this instead (with no: it is judged, and shown to you again)"}


class Elicited:
    """`ask` is the way to the person while a call runs; without one everything is refused."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self.ask: Ask | None = None

    async def approve(self, action: Act, verdict: Verdict, seen: Seen, why: str = "") -> Answer:
        """Only yes is yes; another text is a proposal of the person's, judged and shown again."""
        from pydantic import ValidationError

        from terma.vision import lines
        from terma.vision.parts import Answer
        from terma.vision.policy import describe
        from terma.vision.types import Line, Text

        editable = isinstance(action, Line | Text)
        about = [sanitize(line) for line in lines.told(seen.state)]
        about += [f"note: {sanitize(verdict.reason)}"] if verdict.reason else []
        said = await self._asked(
            f"type on the other machine:\n\n    {sanitize(describe(action))}", about, why, seen, editable
        )
        if said is None:
            return Answer("no")
        reason, instead = (str(said.get(name) or "").strip() for name in ("reason", "instead"))
        if said.get("decision") == _STOP:
            return Answer("stop")
        if editable and instead:
            try:
                return Answer(
                    "instead", action=type(action).model_validate({"kind": action.kind, "text": instead})
                )
            except ValidationError:
                return Answer("no", "what the person would type instead cannot be typed")
        return Answer("yes") if said.get("decision") == _YES else Answer("no", reason)

    async def press(self, what: str, why: str, seen: Seen) -> bool:
        """Whether a button of the machine may be pressed."""
        said = await self._asked(f"{what}", [], why, seen, False)
        return said is not None and said.get("decision") == _YES

    async def resume(self, error: TermaError) -> bool:
        return False

    async def reached(self, evidence: str, seen: Seen) -> bool:
        return False

    async def password(self, seen: Seen) -> str | None:
        return None

    def told(self, what: str, text: str) -> None:
        """What is done stands in the results."""

    async def _asked(
        self, what: str, about: list[str], why: str, seen: Seen, editable: bool
    ) -> dict[str, Any] | None:
        from terma.vision.parts import CHANGED
        from terma.vision.redacting import clean

        if self.ask is None:
            return None
        rows = [sanitize(row).rstrip() for row in clean(seen.state, self._redactor).rows]
        screen = "\n".join(f"    {row}" for row in rows).rstrip()
        reason = [why if why == CHANGED else f"why, as the agent says: {sanitize(why)}"] if why else []
        about = [self._redactor.redact(one).text for one in about]
        message = "\n".join(["An agent asks to " + what, "", *reason, *about, "", "the screen:", screen])
        fields = {"decision": _DECISION} | ({"instead": _INSTEAD} if editable else {}) | {"reason": _REASON}
        schema = {"type": "object", "properties": fields, "required": ["decision"]}
        return await asyncio.to_thread(self.ask, Question(message, schema))
