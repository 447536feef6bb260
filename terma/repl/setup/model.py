"""A chat model as a conversation knows it: behind the agent, which has the keys, the redaction and the ledger."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import asdict
from typing import Any, cast, get_args

from terma.chat import ChatEvent, ChatMessage, ModelError, ToolSpec, Trouble
from terma.errors import ProtocolError, TermaError
from terma.models.worker.messages import event_in
from terma.repl.setup.agent import Agent

SILENCE = 900.0  # seconds; the agent's own bounds end a model's silence long before
_TROUBLES = frozenset(get_args(Trouble))


class AgentModel:
    """What the fields of the shell choose: `fields` gives them anew for each request, so a changed model, role or
    directory holds from the next one on. `name` is known from the first answer on."""

    def __init__(self, agent: Agent, fields: Callable[[], Mapping[str, str]], name: str = "model") -> None:
        self.name = name
        self.calls_tools = True
        self.local = False  # answered by the embedded engine
        self._agent = agent
        self._fields = fields

    async def chat(
        self, messages: Sequence[ChatMessage], tools: Sequence[ToolSpec]
    ) -> AsyncGenerator[ChatEvent, None]:
        """As dialogue.Model.chat. Raises ModelError for a model's trouble, TermaError for the agent's."""
        asked = dict(self._fields()) | {
            "messages": json.dumps([asdict(message) for message in messages], ensure_ascii=False),
            "tools": json.dumps(
                [
                    {"name": t.name, "description": t.description, "parameters": dict(t.parameters)}
                    for t in tools
                ],
                ensure_ascii=False,
            ),
        }
        held = ""
        try:
            async with aclosing(self._agent.ask("chat", asked, SILENCE)) as frames:
                async for verb, *rest in frames:
                    if verb == "part":
                        held += rest[-1]
                    elif verb == "event":
                        said, held = _json(held + rest[-1]), ""
                        if said[0] == "Model":
                            self._known(said[1])
                        else:
                            yield event_in(said)
        except TermaError as error:
            if error.code in _TROUBLES and not isinstance(error, ModelError):
                raise ModelError(cast(Trouble, error.code), error.message, error.hint) from error
            raise

    def _known(self, about: Mapping[str, Any]) -> None:
        name = str(about.get("name", ""))
        if name and name != self.name:
            if self.name != "model":
                self.calls_tools = True  # another model: found out anew
            self.name = name
        self.local = bool(about.get("local"))


def _json(text: str) -> list[Any]:
    try:
        said = json.loads(text)
    except ValueError as error:
        raise ProtocolError("the agent's event is not JSON", "terma agent restart") from error
    if not isinstance(said, list) or len(said) != 2:
        raise ProtocolError("the agent's event is none", "terma agent restart")
    return said
