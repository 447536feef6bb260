"""Another model in the middle of a conversation: what it takes in, and what it costs, is that model's own."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

from terma.chat import Usage
from terma.conversation.memory import Memory
from terma.repl.setup.chat_session import ChatSession


def test_memory_is_bounded_by_the_model_in_use_and_a_known_cost_stays_shown() -> None:
    room = 6_000

    async def ask_json(*_: Any) -> dict[str, Any]:
        return {"model": "m", "tools": [], "context_tokens": room, "settings": {"memory_tokens": 24_000}}

    made: Any = SimpleNamespace(
        agent=SimpleNamespace(ask_json=ask_json),
        fields=dict,
        model=SimpleNamespace(name="", calls_tools=False),
        conversation=SimpleNamespace(tools=()),
        memory=Memory(),
        shell=SimpleNamespace(busy=""),
    )
    made.memory.used(Usage(1000, 100, cost=4.5))
    asyncio.run(ChatSession.refresh(made))
    assert made.memory.limit == 6_000
    made.memory.used(Usage(1000, 100))
    assert ChatSession.state(made).endswith("of 6,000 tokens · over $4.5000")
    room = 0
    asyncio.run(ChatSession.refresh(made))
    assert made.memory.limit == 24_000
