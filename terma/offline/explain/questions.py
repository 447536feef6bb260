"""What a person asks beside the failure, answered from the machine: who holds a port, how full the disk is, whose a file is."""

from __future__ import annotations

import re

from terma.machine.ports import holder_of
from terma.offline.explain.case import Case
from terma.offline.explain.packages import package_for


def answer(case: Case) -> str:
    """One sentence that answers the question, "" when none was asked or no fact is at hand."""
    asked = case.failure.question.lower()
    if not asked.strip():
        return ""
    for find in (_port, _disk, _owner, _package, _branch, _where):
        said = find(case, asked)
        if said:
            return said
    return ""


def _port(case: Case, asked: str) -> str:
    if not re.search(r"\bports?\b|listen|address already", asked):
        return ""
    text = f"{asked} {case.output} {case.command}"
    found = re.search(r"\bport\s+(\d{2,5})\b", asked) or re.search(r"(?<![\d.])(\d{2,5})(?![\d.])", asked)
    found = found or re.search(r"(?:port[ =]|:)(\d{2,5})\b", text)
    found = found or re.search(r"(?<![\w./-])(\d{4,5})(?![\w./])", case.command)  # a server's bare argument
    if not found:
        return ""
    holder = holder_of(int(found[1]))
    if holder is None:
        return f"Nothing listens on port {found[1]} on this machine now."
    return f"Port {found[1]} is held by {holder}."


def _disk(case: Case, asked: str) -> str:
    if not re.search(r"\b(?:disk|space|full|room|storage)\b", asked):
        return ""
    free = case.free()
    return f"{free[:1].upper()}{free[1:]}." if free else ""


def _owner(case: Case, asked: str) -> str:
    if not re.search(r"\b(?:own\w*|whose|permissions?|denied|allowed|access|writable|write|edit)\b", asked):
        return ""
    for path in (*case.operands, case.words[0].value if case.words else ""):
        if case.exists(path) and case.owner(path):
            mode = case.at(path).stat().st_mode & 0o7777
            return f"{path} belongs to {case.owner(path)} and has mode {mode:03o}."
    return ""


def _package(case: Case, asked: str) -> str:
    if not re.search(r"\b(?:package|install\w*)\b", asked) or case.installed(case.program):
        return ""
    package = package_for(case, case.program)
    return f"The package {package} carries {case.program}." if package else ""


def _branch(case: Case, asked: str) -> str:
    if not re.search(r"\b(?:branch|upstream|remotes?)\b", asked) or case.repo is None:
        return ""
    where = f"on the branch {case.repo.branch}" if case.repo.branch else "on no branch (HEAD is detached)"
    remotes = f"its remotes are {', '.join(case.repo.remotes)}" if case.repo.remotes else "it has no remote"
    return f"This repository is {where}, and {remotes}."


def _where(case: Case, asked: str) -> str:
    if (
        not re.search(r"\b(?:where am i|which (?:folder|directory)|what (?:folder|directory))\b", asked)
        or not case.cwd
    ):
        return ""
    return f"The command ran in {case.cwd}."
