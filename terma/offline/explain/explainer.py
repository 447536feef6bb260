"""From a failure to an explanation: the first rule that holds speaks; where none does, the telling lines do."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path

from terma.offline.explain.case import Case
from terma.offline.explain.model import Explanation, Failure
from terma.offline.explain.proof import proved
from terma.offline.explain.questions import answer
from terma.offline.explain.rule import Rule
from terma.offline.explain.showing import shown
from terma.text import sanitize
from terma.types import Fix, WhyQuery

MAX_COMMAND, MAX_OUTPUT, MAX_LINE = 4096, 12288, 320  # code points; a capture brings about 8,000
# Seconds of this thread's own work, however busy the machine is: the search through the rules takes some milliseconds
# but for output made to hurt.
BUDGET = 0.5
MAX_FIXES = 4
FIRST, STEP = 0.9, 0.2  # confidence of the first fix, and how much less each next one has
# Words of the messages that common tools have in German, French, Spanish, Portuguese and Italian.
_FOREIGN = re.compile(
    r"(?i)\b(?:nicht|Datei|Verzeichnis|Befehl|keine|fichier|dossier|commande|aucun|introuvable|permission non"
    r"|archivo|directorio|orden|permiso|ning\u00fan|ficheiro|arquivo|comando|diret\u00f3rio|permiss\u00e3o|impossibile"
    r"|directory inesistente)\b|[\u0400-\u04ff\u3040-\u9fff]{3}"
)
_ENGLISH = " It reads English messages; LC_ALL=C in front of the command gives them."


@cache
def rules() -> tuple[Rule, ...]:
    """Every rule of every family, in the order in which they are tried."""
    names = sorted(file.stem for file in (Path(__file__).parent / "families").glob("[a-z]*.py"))
    found: list[Rule] = []
    for name in names:
        module = import_module(f"terma.offline.explain.families.{name}")
        programs = getattr(
            module, "PROGRAMS", ""
        )  # a family of one program's failures speaks of that program alone
        rewrites = getattr(module, "REWRITES", False)
        found += (
            replace(rule, program=rule.program or programs, rewrites=rule.rewrites or rewrites)
            for rule in module.RULES
        )
    return tuple(sorted(found, key=lambda rule: rule.rank))


def explain(failure: Failure | WhyQuery) -> Explanation:
    """What went wrong and what to type, a question answered first. Never raises, never runs the failed command.

    It reads names around `failure.cwd`, and the machine's own facts where a rule asks for them (`machine/`); a tool's
    --help is read only for programs of a fixed list."""
    failure = _clean(Failure.of(failure) if isinstance(failure, WhyQuery) else failure)
    case = Case(failure)
    found = _recognised(case)
    asked = _answer(case)
    text = f"{asked} {found.text}" if asked else found.text
    return replace(found, text=text + shown(case))


def _answer(case: Case) -> str:
    try:
        return sanitize(answer(case))
    except Exception:  # a fact that cannot be had is left out
        if os.environ.get("TERMA_DEBUG"):
            raise
        return ""


def _recognised(case: Case) -> Explanation:
    tried = rules()  # the first time they are read, which is no search
    end = time.thread_time() + BUDGET
    for rule in tried:
        if time.thread_time() > end:
            break
        try:
            facts = rule.facts(case)
            text = rule.say(case, facts) if facts is not None else ""
            if facts is not None and text:
                fixes = proved(case, rule.propose(case, facts), rule.bound)
                return Explanation(text, _fixes(fixes, case.command), rule.name)
        except Exception:  # a rule that stumbles over hostile text must not take the others down
            if os.environ.get("TERMA_DEBUG"):
                raise
    return Explanation(_unknown(case), (), "unknown")


def _tamed(output: str) -> str:
    """The output with over-long lines and blanks shortened: a pattern's time may grow with the square of a line."""
    lines = (
        line if len(line) <= MAX_LINE else line[: MAX_LINE * 3 // 4] + " … " + line[-MAX_LINE // 4 :]
        for line in output.split("\n")
    )
    return re.sub(r"\n{4,}", "\n\n\n", re.sub(r"[ \t]{81,}", " " * 80, "\n".join(lines)))


def _clean(failure: Failure) -> Failure:
    output = failure.output
    if len(output) > MAX_OUTPUT:
        output = output[: MAX_OUTPUT // 4] + "\n" + output[-3 * MAX_OUTPUT // 4 :]
    command = _unaliased(sanitize(failure.command[:MAX_COMMAND]), failure.aliases)
    return replace(failure, command=command, output=_tamed(sanitize(output)))


def _unaliased(command: str, aliases: Mapping[str, str]) -> str:
    """The command with a leading alias written out, when what it stands for is a program with its arguments."""
    first, blank, rest = command.lstrip().partition(" ")
    meaning = aliases.get(first, "")
    return f"{meaning}{blank}{rest}" if meaning and meaning.split()[0] != first else command


def _fixes(commands: Iterable[str], failed: str) -> tuple[Fix, ...]:
    fresh = [c for c in dict.fromkeys(sanitize(c).strip() for c in commands) if c and c != failed.strip()]
    return tuple(Fix(c, round(max(0.1, FIRST - STEP * i), 2)) for i, c in enumerate(fresh[:MAX_FIXES]))


def _unknown(case: Case) -> str:
    name = case.program if case.program and case.blamed else "The command"
    if case.status == 0 and not any(case.failure.statuses):
        return f"{name} ended with status 0, which means success: nothing failed."
    if not case.output.strip():
        return f"{name} ended with status {case.status} and no output is at hand, so terma cannot say why."
    tongue = _ENGLISH if _FOREIGN.search(case.output) else ""
    place = case.evidence.place
    where = f" at {place}" if place and place.own else ""
    return f"{name} ended with status {case.status}{where}. terma knows no more of it than its output tells.{tongue}"
