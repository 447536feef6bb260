"""What a model may ask for in a conversation: one tool a file, each exporting PLUGIN; nothing is done unasked.

A person's own and those of other distributions come behind ours (terma.added; docs/tools.md has an example of both).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from terma import registry
from terma.dialogue import Tool

FIRST = "run_command"  # what is listed first is called most


def load(wanted: Sequence[str] | None = None, told: Callable[[str], None] = lambda text: None) -> list[Tool]:
    """Our tools, the person's own and those of other distributions: all, or those whose names are `wanted` (a name that
    ends in * stands for those that begin so). Ours win over another's of the same name. `told` gets a line for an added
    one that is broken: the others are there."""
    found: dict[str, Tool] = {}
    for plugin in registry.every(__name__, told, _tools):
        for tool in _tools(plugin):
            found.setdefault(tool.spec.name, tool)
    names = sorted(found, key=lambda name: (name != FIRST, name.startswith("session_")))
    return [found[name] for name in names if wanted is None or among(name, wanted)]


def among(name: str, wanted: Sequence[str]) -> bool:
    """Whether `wanted` has `name`, or a beginning of it with a * behind."""
    return any(name == one or (one.endswith("*") and name.startswith(one[:-1])) for one in wanted)


def _tools(plugin: Any) -> tuple[Tool, ...]:
    """A module may export one tool or several, or their class. Raises AttributeError for what is no tool."""
    made = plugin() if isinstance(plugin, type) else plugin
    tools: tuple[Tool, ...] = made if isinstance(made, tuple) else (made,)
    for tool in tools:
        _ = (tool.spec.name, tool.read_only, tool.propose, tool.call)
    return tools
