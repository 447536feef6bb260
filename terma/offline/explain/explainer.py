"""From a failure to an explanation: the first rule that holds speaks; where none does, the telling lines do."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path

from terma.offline.explain.case import Case
from terma.offline.explain.model import Explanation, Failure, Fix
from terma.offline.explain.rule import Rule
from terma.text import sanitize

MAX_COMMAND, MAX_OUTPUT = 8192, 32768
MAX_FIXES = 4
FIRST, STEP = 0.9, 0.2  # confidence of the first fix, and how much less each next one has
_TELLING = re.compile(
    r"error|fatal|fail|cannot|can't|could not|couldn't|unable|denied|invalid|not found|no such|unknown|refused"
    r"|exception|missing|undefined|expected|timed? ?out|unrecognized|illegal|abort|not allowed|panic|ambiguous",
    re.IGNORECASE,
)


@cache
def rules() -> tuple[Rule, ...]:
    """Every rule of every family, in the order in which they are tried."""
    names = sorted(file.stem for file in (Path(__file__).parent / "families").glob("[a-z]*.py"))
    found: list[Rule] = []
    for name in names:
        found += import_module(f"terma.offline.explain.families.{name}").RULES
    return tuple(sorted(found, key=lambda rule: rule.rank))


def explain(failure: Failure) -> Explanation:
    """What went wrong and what to type. Never raises; runs nothing; reads names around `failure.cwd` alone."""
    failure = _clean(failure)
    case = Case(failure)
    for rule in rules():
        try:
            facts = rule.facts(case)
            text = rule.say(case, facts) if facts is not None else ""
            if facts is not None and text:
                return Explanation(text, _fixes(rule.propose(case, facts), failure.command), rule.name)
        except Exception:  # a rule that stumbles over hostile text must not take the others down
            if os.environ.get("TERMA_DEBUG"):
                raise
    return Explanation(_unknown(case), (), "unknown")


def telling(output: str, count: int = 3) -> list[str]:
    """The lines of `output` that say most about a failure, in order; the last line when none stands out."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    lines = [line for line in lines if not re.match(r"(?i)try '?.* (?:--help|-h)\b", line)] or lines
    chosen = list(dict.fromkeys(line for line in lines if _TELLING.search(line)))
    picked = chosen if len(chosen) <= count else [*chosen[: count - 1], chosen[-1]]
    return [line[:200] for line in picked or lines[-1:]]


def _clean(failure: Failure) -> Failure:
    output = failure.output
    if len(output) > MAX_OUTPUT:
        output = output[: MAX_OUTPUT // 4] + "\n" + output[-3 * MAX_OUTPUT // 4 :]
    command = sanitize(failure.command[:MAX_COMMAND])
    return replace(failure, command=command, output=sanitize(output))


def _fixes(commands: Iterable[str], failed: str) -> tuple[Fix, ...]:
    fresh = [c for c in dict.fromkeys(sanitize(c).strip() for c in commands) if c and c != failed.strip()]
    return tuple(Fix(c, round(max(0.1, FIRST - STEP * i), 2)) for i, c in enumerate(fresh[:MAX_FIXES]))


def _unknown(case: Case) -> str:
    name = case.program or "The command"
    if case.status == 0:
        return f"{name} ended with status 0, which means success: nothing failed."
    if not case.output.strip():
        return f"{name} ended with status {case.status} and no output is at hand, so terma cannot say why."
    lines = "\n".join(f"  {line}" for line in telling(case.output))
    return (
        f"{name} ended with status {case.status}. terma does not know this failure; its output says:\n{lines}"
    )
