"""The description of the tools is sent with every request: it is short, and says what a model has to know."""

from __future__ import annotations

import json

from terma import tools

MOST = 6_800  # bytes of all of them; of the person's question there are some fifty


def test_all_tools_together_are_short() -> None:
    described = {tool.spec.name: tool.spec for tool in tools.load(None)}
    size = sum(
        len(json.dumps([spec.name, spec.description, dict(spec.parameters)])) for spec in described.values()
    )
    assert size < MOST


def test_they_say_what_waits_and_who_types_passwords() -> None:
    described = {tool.spec.name: tool.spec for tool in tools.load(None)}
    for name in ("session_exec", "session_send"):
        assert "The person types passwords" in described[name].description
    assert "session_read has the rest" in described["session_exec"].description
    assert "<C-c>" in json.dumps(dict(described["session_send"].parameters))
