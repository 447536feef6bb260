"""A cause that a question supposes ("is it a permission thing?"), held against what the output speaks of."""

from __future__ import annotations

import re

from terma.offline.explain.case import Case

# What a person may suspect, and how outputs speak of it where it is so.
_SUSPECTED: tuple[tuple[str, str, str], ...] = (
    (
        "permissions",
        r"permissions?|rights|allowed|sudo|root",
        r"denied|not permitted|read-only|eacces|eperm|superuser|\broot\b|privilege|not allowed|forbidden|unauthori",
    ),
    (
        "the network",
        r"network|internet|connection|dns|firewall|proxy|offline",
        r"resolve|name or service|connect|timed? ?out|unreachable|refused|network|socket|proxy|econn|getaddrinfo",
    ),
    ("memory", r"memory|ram|oom", r"memory|killed|allocate|oom|heap|bad_alloc"),
    (
        "a missing file",
        r"missing (?:file|path)|path wrong|wrong (?:path|folder|directory)",
        r"no such file|not found|enoent|does not exist|cannot (?:find|stat|open)|can't (?:find|open)",
    ),
    (
        "a version",
        r"versions?|outdated|too old|too new",
        r"version|requires|unsupported|deprecated|incompatible|standard",
    ),
    (
        "a syntax error",
        r"syntax|typo|misspel\w+|spelling",
        r"syntax|unexpected|expected|parse|unknown|invalid|unrecogni|not found|no such|undefined|undeclared",
    ),
)


def suspicion(case: Case, asked: str) -> str | None:
    """What the output says of a cause that the question supposes; where it speaks of it, the explanation answers."""
    for name, words, signs in _SUSPECTED:
        if re.search(rf"\b(?:{words})\b", asked):
            if re.search(signs, case.low) or (name == "memory" and case.status == 137):
                return None
            return f"Nothing in the output points to {name}." if case.output.strip() else None
    return None
