"""The ways to chat models, by name: which there are, and which one takes a model whose settings name none.

The modules of terma.models know what they can reach; nobody else has to know their names.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any, cast

from terma import registry
from terma.chat import ChatModel

PACKAGE = "terma.models"


def known(name: str) -> bool:
    """Whether there is a backend of that name: ours, the person's own or another distribution's. Imports none."""
    return name in registry.names(PACKAGE) or name in registry.every_name(PACKAGE)


def names() -> list[str]:
    """All of them, ours first."""
    return registry.every_name(PACKAGE)


def of(name: str) -> ChatModel:
    """Raises UsageError where there is none of that name, TermaError for one that others may write."""
    return cast(ChatModel, registry.load(PACKAGE, name))


def fitting(api_base: str) -> str:
    """The one of ours that takes a model at that address ("": an address of its provider's own)."""
    return next(name for name in registry.names(PACKAGE) if _plugin(name).reaches(api_base))


def missing(name: str) -> str:
    """The distribution that the backend `name` still wants installed; "" where it has what it needs."""
    package: str = getattr(_plugin(name), "package", "")
    return package if package and find_spec(package) is None else ""


def _plugin(name: str) -> Any:
    return registry.load(PACKAGE, name)
