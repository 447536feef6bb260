"""Every family of rules: a module with RULES (a table) and CHECKS (functions, where a row cannot say it).

High is what cannot be taken back or reaches others:
- loss for good of much, or of what is not named one by one (recursion, wildcards, lists from elsewhere, whole disks);
- loss or stop of what others depend on: databases, queues, buckets, clusters, machines, branches of others;
- keys, passwords and private files that leave, or are opened to everybody;
- code of strangers that runs unseen (a pipe into a shell) or as root;
- a way back in that stays, and rights of root, whoever gets them;
- the machine or its network made unreachable; a guard or a record of what happened switched off.
Medium is what one person can mend: a named file, a service restarted, a package, a setting. Low only looks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain

from terma import registry
from terma.risk import paths
from terma.risk.model import Call, Finding, Findings, Word
from terma.risk.rules import code, disclosed, exposure, leaks, persistence, root, settings, unknown
from terma.risk.rules.handed import possible
from terma.risk.rules.table import Table, asks, told

_USUAL = 50  # of the rows for a program the first speaks: families go by their ORDER where they have one, then by name
_FAMILIES = sorted(
    (family for family in registry.modules(__name__) if hasattr(family, "RULES")),
    key=lambda family: getattr(family, "ORDER", _USUAL),
)
TABLE = Table(chain.from_iterable(family.RULES for family in _FAMILIES))
_CHECKS: dict[str, list[Callable[[Call], Findings]]] = {}
for _family in _FAMILIES:
    for _checks in (getattr(_family, "CHECKS", {}), getattr(_family, "MORE_CHECKS", {})):
        for _name, _check in _checks.items():
            _CHECKS.setdefault(_name, []).append(_check)


_BECOMING = {"sudo", "doas", "pkexec", "runuser"}


def findings(call: Call) -> Findings:
    """What the rules say about one command, by its own name and by what goes in and out of it."""
    found = [*_by_families(call)]
    yield from found
    if any(one.kind == "persists" and one.level == "medium" for one in found) and _names_loose(call):
        yield Finding("high", "leaves something to run that anybody may write", "persists")
    lost = next((one.kind for one in found if one.kind in _LOSSES and one.level == "medium"), None)
    if lost is not None and _in_production(call):
        yield Finding("high", "what others use, in production", lost)
    deletes = any(one.kind == "deletes" and one.level == "medium" for one in found)
    if (
        deletes and call.name != "rm" and any(map(_is_list, call.args))
    ):  # rm: `files` knows which lists are of one
        yield Finding("high", "deletes whatever another command lists", "deletes")


_LOSSES = ("deletes", "stops")
_PRODUCTION = re.compile(r"(?<![A-Za-z])prod(?:uction)?(?![A-Za-z])", re.I)

_FILE = re.compile(r"/|\.\w{1,5}$")


def _in_production(call: Call) -> bool:
    """Whether a word of `call` says that it is about production; a file that is called so is not."""
    return any(_PRODUCTION.search(word.text) and not _FILE.search(word.text) for word in call.args)


def _is_list(word: Word) -> bool:
    """`$(frob list)`, `<(frob list)`: what stands for as many words as a command prints."""
    return bool(word.programs) and _WHOLE.fullmatch(word.text) is not None and not word.programs <= _OF_ONE


_WHOLE = re.compile(r"(?:[$<]\(.*\)|`.*`)", re.S)
_OF_ONE = {
    "mktemp",
    "date",
    "readlink",
    "realpath",
    "dirname",
    "basename",
    "pwd",
    "hostname",
    "id",
    "whoami",
    "uname",
}


def _names_loose(call: Call) -> bool:
    read = [one.target for one in call.redirects if one.operator == "<"]
    return any(paths.loose(word.text) and not word.dynamic for word in (*call.args, *read))


def _by_families(call: Call) -> Findings:
    rule = TABLE.rule(call)
    if not asks(call):
        yield from told(rule)
    found = [one for check in _CHECKS.get(call.name, ()) for one in check(call)]
    yield from found or unknown.findings(call, rule)
    if not asks(call) and not unknown.is_free(call.name):
        yield from settings.of(call, unknown.only_looks(call))
    if call.as_root:
        yield from root.shell_inside(call)
    if call.name in _BECOMING:
        yield from root.becoming(call, TABLE.rule)
    yield from code.program(call)
    yield from disclosed.plain_password(call)
    yield from exposure.everybody(call)
    yield from exposure.recorded(call)


def handed(call: Call) -> Iterator[str]:
    """The shell text that a program which nobody here knows is handed."""
    if possible(call):
        yield from unknown.commands(call, TABLE.rule(call))


def at_rest(call: Call) -> Findings:
    """What is said of any command whatever its name: its variables and its redirects."""
    yield from persistence.assignments(call)
    yield from exposure.unchecked(call)
    yield from leaks.redirected(call)
