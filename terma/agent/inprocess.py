"""The same answers without an agent, for a program where no runtime directory can be used (a container, a
full disk).

try:
    answer = client.connect().ask_json("suggest", fields)
except (AgentUnavailable, UnsafePath):
    answer = inprocess.ask_json("suggest", fields)
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from contextlib import aclosing
from typing import Any

from terma.agent.handlers import Handlers
from terma.errors import ProtocolError


def ask(kind: str, fields: Mapping[str, str]) -> list[tuple[str, ...]]:
    """Like client.Connection.ask, in this process and all at once. Raises TermaError."""
    return asyncio.run(_ask(kind, fields))


def ask_json(kind: str, fields: Mapping[str, str]) -> Any:
    """Like client.Connection.ask_json, in this process. Raises TermaError."""
    for frame in ask(kind, fields):
        if frame[:2] == ("done", "json"):
            return json.loads(frame[2])
    raise ProtocolError("the answer holds no JSON")


def handlers() -> Handlers:
    """What answers in this process, for programs with an event loop of their own. Close it at the end."""
    return Handlers(status=dict, stop=lambda: None)


async def _ask(kind: str, fields: Mapping[str, str]) -> list[tuple[str, ...]]:
    async with aclosing(handlers().answer(kind, fields)) as frames:
        return [frame async for frame in frames if isinstance(frame, tuple)]
