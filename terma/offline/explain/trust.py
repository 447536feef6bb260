"""How much a fix is to be trusted: the measured precision of its rule and its kind on cases they were not written from.

`precision.json` is written by `python -m training.why`. A rule may know several things, the program that was
meant and the package of one that is not there, so its fixes of each kind are counted apart. Where those were seen too
seldom the kind speaks, and where that was, all fixes together: each gives the next `PRIOR` cases' worth of weight."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from terma.offline.explain.asked import is_advised
from terma.offline.explain.case import Case
from terma.offline.explain.commands import commands_of
from terma.offline.explain.line import words_of

# Cases that a more general measure counts for: cross-fitted over programs, with fewer one case decides about a rule,
# and with this what is called sure was right in nine of ten (`python -m training.why` prints it).
PRIOR = 8.0
INSERTED = 0.65  # below this a fix is told as a possibility, and not inserted
SURE = 0.9  # cross-fitted, nine of ten of these are right; below it no second line parts what was measured
Counts = Mapping[str, tuple[int, int]]


def kind_of(case: Case, fix: str) -> str:
    """What stands behind `fix`: "advised" by the output, its new words "proposed" there, or "found" on the machine, a
    file or a program; an "edit" of a file, a "step" before the same command, else the rule's own knowledge: "known"."""
    commands = commands_of(fix, case.failure.shell)
    if any(is_advised(case, command) for command in commands):
        return "advised"
    if any(command.program == "sed" and "-i" in command.words for command in commands):
        return "edit"
    if len(commands) > len(commands_of(case.command, case.failure.shell)):
        return "step"
    typed = {word.value for word in case.words}
    added = [word.value for word in words_of(fix) if word.value not in typed]
    told = [word for word in added if re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", case.evidence.flat)]
    if added and len(told) == len(added):
        return "proposed"
    started = {command.program for command in commands if case.installed(command.program)}
    if added and all(
        word in told or word in started or case.exists(word) or case.exists(word.partition("=")[2] or word)
        for word in added
    ):
        return "found"
    return "known"


def confidence(rule: str, kind: str) -> float:
    """The expected precision of a fix of `kind` by `rule`, 0..1."""
    return estimate(_measured(), rule, kind)


def estimate(counts: Counts, rule: str, kind: str) -> float:
    """`counts` has (right, offered) under "all", "kind KIND" and "rule NAME, KIND"; Laplace's prior is under "all"."""
    right, seen = counts.get("all", (0, 0))
    share = (right + 1) / (seen + 2)
    for name in (f"kind {kind}", f"rule {rule}, {kind}"):
        right, seen = counts.get(name, (0, 0))
        share = (right + PRIOR * share) / (seen + PRIOR)
    return share


def band(share: float) -> str:
    """The name of a confidence: "sure", "likely", or "guess", which is not inserted."""
    return "sure" if share >= SURE else "likely" if share >= INSERTED else "guess"


@cache
def _measured() -> Counts:
    text = Path(__file__).with_name("precision.json").read_text(encoding="utf-8")
    return {name: (right, seen) for name, (right, seen) in json.loads(text)["counts"].items()}
