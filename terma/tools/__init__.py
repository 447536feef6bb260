"""What a model may ask for in a conversation: one tool a file, each exporting PLUGIN; nothing is done unasked.

Other distributions add theirs through entry points of the group `terma.tools`, which load to a Tool.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from terma import registry
from terma.dialogue import Tool
from terma.errors import TermaError

GROUP = "terma.tools"
FIRST = "run_command"  # what is listed first is called most


def load(wanted: Sequence[str] | None = None) -> list[Tool]:
    """Our tools and those of other distributions: all, or those whose names are `wanted` (a name that ends in * stands
    for those that begin so). Ours win over another's of the same name. Raises TermaError for a plug-in that is broken.
    """
    found: dict[str, Tool] = {}
    for module in registry.names(__name__):
        plugin = registry.load(__name__, module)
        for tool in plugin if isinstance(plugin, tuple) else (plugin,):
            found[tool.spec.name] = tool
    for tool in _installed():
        found.setdefault(tool.spec.name, tool)
    names = sorted(found, key=lambda name: (name != FIRST, name.startswith("session_")))
    return [found[name] for name in names if wanted is None or among(name, wanted)]


def among(name: str, wanted: Sequence[str]) -> bool:
    """Whether `wanted` has `name`, or a beginning of it with a * behind."""
    return any(name == one or (one.endswith("*") and name.startswith(one[:-1])) for one in wanted)


def _installed() -> list[Tool]:
    from importlib.metadata import entry_points

    tools = []
    for point in entry_points(group=GROUP):
        try:
            tool = point.load()
            tools.append(cast(Tool, tool() if isinstance(tool, type) else tool))
            _ = (tools[-1].spec.name, tools[-1].read_only, tools[-1].propose, tools[-1].call)
        except Exception as error:
            raise TermaError(
                f"the tool {point.name} of another package is broken: {error}",
                "update or remove that package",
            ) from error
    return tools
