"""What make reads: where, of which files, and what their lines begin with."""

from __future__ import annotations

import re

from terma.offline.explain.case import Case
from terma.offline.explain.rule import Facts


def make_folder(case: Case) -> str:
    """The folder that make works in, as typed behind -C; "" for this one."""
    found = re.search(r"(?:^|\s)(?:-C ?|--directory[= ])([^\s;|&]+)", case.failed_text)
    return found[1].strip("'\"").rstrip("/") + "/" if found and case.program in ("make", "gmake") else ""


def makefiles(case: Case) -> list[str]:
    """The makefiles that make reads: the named ones, else the first of its own names that is there."""
    folder = make_folder(case)
    named = [
        folder + after
        for flag, after in zip(case.args, case.args[1:], strict=False)
        if flag in ("-f", "--file", "--makefile")
    ]
    own = (folder + name for name in ("GNUmakefile", "makefile", "Makefile"))
    return named or [name for name in own if case.is_file(name)][:1]


def targets(case: Case) -> list[str]:
    text = "\n".join(map(case.read, makefiles(case)))
    return [t for t in re.findall(r"^([A-Za-z0-9][\w./-]*)\s*:(?!=)", text, re.MULTILINE)]


def spaces_at(case: Case, facts: Facts) -> bool:
    """Whether the line that make cannot read begins with spaces, or cannot be looked at."""
    rows = case.read(facts["path"]).split("\n")
    number = int(facts["line"])
    return not case.exists(facts["path"]) or (number <= len(rows) and rows[number - 1].startswith(" "))


def separator(case: Case, facts: Facts) -> str:
    spaces = spaces_at(case, facts) and case.exists(facts["path"])
    why = (
        "begin with a tab, and there are spaces."
        if spaces
        else "begin with a tab; any other line is a rule, an assignment or a directive."
    )
    return f"{facts['path']}, line {facts['line']}: missing separator. A recipe line must {why}"


def recipe_failed(case: Case, facts: Facts) -> str:
    """That a recipe failed, and whether it said why: its rows are shown before they run."""
    where = f" ({facts['where']})" if facts["where"] else ""
    rows = {row.strip() for name in makefiles(case) for row in case.read(name).splitlines()}
    before = case.output.partition("*** [")[0].splitlines()[:-1]
    said = any(row.strip() and row.strip() not in rows for row in before)
    told = "The error stands above this line." if said else "It said nothing itself."
    return f"make stopped: the recipe of target {facts['name']} failed with status {facts['code']}{where}. {told}"
