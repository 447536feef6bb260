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
    exposure,
    files,
    git,
    grants,
    languages,
    leaks,
    packages,
    persistence,
    readers,
    root,
    system,
)
from terma.risk.rules.table import Rule, Table, asks

_FAMILIES = (
    grants, persistence, exposure, leaks, files, editing, disks, git, system, packages, containers, databases, code,
    languages,
    root, readers,
)  # fmt: skip
_RULES: tuple[Rule, ...] = tuple(chain.from_iterable(family.RULES for family in _FAMILIES))
TABLE = Table(_RULES)
_CHECKS: dict[str, list[Callable[[Call], Findings]]] = {}
for _family in _FAMILIES:
    for _checks in (getattr(_family, "CHECKS", {}), getattr(_family, "MORE_CHECKS", {})):
        for _name, _check in _checks.items():
            _CHECKS.setdefault(_name, []).append(_check)


_BECOMING = {"sudo", "doas", "pkexec", "runuser"}


def findings(call: Call) -> Findings:
    """What the rules say about one command, by its own name and by what goes in and out of it."""
    if not asks(call):
        yield from TABLE.find(call)
    for check in _CHECKS.get(call.name, ()):
        yield from check(call)
    if call.as_root:
        yield from root.shell_inside(call)
    if call.name in _BECOMING:
        yield from root.becoming(call, TABLE.rule)
    yield from code.program(call)
    yield from leaks.plain_password(call)
    yield from exposure.everybody(call)


def at_rest(call: Call) -> Findings:
    """What is said of any command whatever its name: its variables and its redirects."""
    yield from persistence.assignments(call)
    yield from exposure.unchecked(call)
    yield from leaks.redirected(call)
