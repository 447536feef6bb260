"""A program that is here and was not found, as this very line or one before it took its folder out of PATH."""

from __future__ import annotations

import os
import re

from terma.offline.explain.case import Case
from terma.offline.explain.rule import Facts, Rule

_SETS = re.compile(
    r"(?:^|[;&|\n]\s*)(?P<how>unset\s+(?:-v\s+)?PATH\b|(?:(?:export|declare\s+-x|typeset\s+-x)\s+)?PATH=(?P<to>\"[^\"]*\"|'[^']*'|[^\s;&|]*))"
    r"(?P<end>\s*(?:;|&&|\|\||\n|$))"
)
_KEEPS = re.compile(r"\$\{?PATH\b|\$path\b|`|\$\(")
_RECENT = 5
_BACK = 'export PATH="$(command -p getconf PATH)"'


def _lost(case: Case) -> str:
    """What took away the folders that PATH had, as typed; "" where nothing that is known did."""
    mine = [word for word in case.words if word.part == case.part]
    before = case.command[: mine[0].start] if mine else ""
    for line in (before, *reversed(case.failure.history[-_RECENT:])):
        found = list(_SETS.finditer(line))
        if found:
            to = found[-1]["to"] or ""
            return "" if _KEEPS.search(to) else found[-1]["how"]
    return ""


def _folder(case: Case) -> str:
    """The folder among those that every system searches by default that has the program."""
    name = case.program
    folders = (os.confstr("CS_PATH") or os.defpath).split(":")
    there = (
        folder
        for folder in folders
        if folder and name and "/" not in name and case.exists(f"{folder}/{name}")
    )
    return next(there, "")


def _text(case: Case, facts: Facts) -> str:
    how, folder, name = _lost(case), _folder(case), case.program
    told = re.search(
        rf"(?<![\w./-]){re.escape(name)}: (?:command not found|not found|No such file)", case.output
    )
    if not how or not folder or not (told or f"not found: {name}" in case.output):
        return ""
    return f"{name}: command not found, as `{how}` took {folder}, where it lies, out of PATH. This shell finds no program by its name until PATH is set again."


def _fixes(case: Case, facts: Facts) -> list[str]:
    mine = [word for word in case.words if word.part == case.part]
    return [f"{_BACK} && {case.command[mine[0].start :]}"] if mine else []


RULES = (
    Rule("search_path.lost", ("not found", "no such file"), "", _text, _fixes, rank=12, rewrites=True),
)  # fmt: skip
