"""What terma looks up while a person waits, it gives up after a moment and answers without. In tests it goes on: on a
busy machine what was given up would be another answer. Tests of giving up set a bound of their own."""

from __future__ import annotations

import importlib

SECONDS = 90.0
# Bounds in wall-clock seconds, read where they are used.
_BOUNDS = (
    "terma.agent.key_passthrough.SECONDS",
    "terma.agent.offering.SECONDS",
    "terma.agent.probe.SECONDS",
    "terma.conversation.repositories._SECONDS",
    "terma.grounding.budget.SECONDS",
    "terma.machine.helps.TIMEOUT",
    "terma.machine.packages.TIMEOUT",
    "terma.machine.ports.LSOF_TIMEOUT",
    "terma.offline.explain.holders.BUDGET",
    "terma.offline.explain.lookups._LISTS_BUDGET",
    "terma.pieces.globs.SECONDS",
    "terma.tools.search_files.SECONDS",
)


def lift() -> None:
    """Lift them in this process."""
    for name in _BOUNDS:
        module, _, bound = name.rpartition(".")
        room = importlib.import_module(module)
        assert isinstance(getattr(room, bound), float), name
        setattr(room, bound, SECONDS)
