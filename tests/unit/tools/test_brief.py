"""The description of the tools is sent with every request: it is short, and says what a model has to know."""

from __future__ import annotations

import json

from terma import tools
from terma.chat import ChatRequest, ModelSpec
from terma.models.wire.body import body

MOST = 4_700  # bytes of all of them; of the person's question there are some fifty


def test_all_tools_together_are_short() -> None:
    described = {tool.spec.name: tool.spec for tool in tools.load(None)}
    request = ChatRequest(
        spec=ModelSpec(provider="any", model="any"), messages=(), tools=tuple(described.values())
    )
    assert len(json.dumps(body(request)["tools"])) < MOST


def test_what_is_checked_here_is_not_told_and_holds_all_the_same() -> None:
    (tool,) = tools.load(["session_exec"])
    request = ChatRequest(spec=ModelSpec(provider="any", model="any"), messages=(), tools=(tool.spec,))
    asked = body(request)["tools"][0]["function"]["parameters"]
    assert tool.spec.parameters["additionalProperties"] is False
    assert "additionalProperties" not in asked
    assert asked["required"] == ["session", "input"]
    assert asked["properties"]["timeout"] == {"type": "number", "description": "seconds (30)"}


def test_they_say_what_waits_and_who_types_passwords() -> None:
    described = {tool.spec.name: tool.spec for tool in tools.load(None)}
    assert "Passwords: the person types them" in described["session_exec"].description
    assert "session_read has the rest" in described["session_exec"].description
    assert "<C-c>" in json.dumps(dict(described["session_send"].parameters))
