"""Every family of rules: a module with RULES (a table) and CHECKS (functions, where a row cannot say it)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

from terma.risk.model import Call, Findings
from terma.risk.rules import (
    code,
    containers,
    databases,
    disks,
    editing,
    files,
    git,
    languages,
    packages,
    system,
)
from terma.risk.rules.table import Rule, Table

_FAMILIES = (files, editing, disks, git, system, packages, containers, databases, code, languages)
_RULES: tuple[Rule, ...] = tuple(chain.from_iterable(family.RULES for family in _FAMILIES))
_TABLE = Table(_RULES)
_CHECKS: dict[str, list[Callable[[Call], Findings]]] = {}
for _family in _FAMILIES:
    for _name, _check in getattr(_family, "CHECKS", {}).items():
        _CHECKS.setdefault(_name, []).append(_check)


def findings(call: Call) -> Findings:
    """What the rules say about one command, by its own name."""
    yield from _TABLE.find(call)
    for check in _CHECKS.get(call.name, ()):
        yield from check(call)
