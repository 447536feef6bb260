"""Looks that the output itself proposes: a command that shows more, a file in which the rest stands."""

from __future__ import annotations

import re
from collections.abc import Iterator

from terma.offline.explain.case import Case
from terma.offline.explain.evidence.named import is_runnable
from terma.offline.explain.line import quote

_TO_SEE = re.compile(
    r"\bto (?:see|list|show|get|view|check|find out|inspect|examine)\b|\b(?:see|check)\b"
    r"|\bfor (?:a |the |more |further |all )?(?:full |complete )?(?:list|details?|info\w*)\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[`'‘\"“]([a-z][\w.+-]*(?: [^`'’\"”\n]{1,120})?)[`'’\"”]")
_FILE = re.compile(
    r"(?:\bsee(?: file)?|\bsav\w+ (?:\w+ ){0,3}(?:to|in)(?: file)?|\bfound (?:in|at)|\bwritten to|\brefer to|\bcheck"
    r"|\blog(?:ged|s)?(?: file)?(?: is| are)? (?:to|in|at|is)|\bdetails (?:in|at|are in)|\brejects to(?: file)?)"
    r"[: ]+['\"`‘“]?([~/.\w+@-][^\s'\"`’”,;]*)",
    re.IGNORECASE,
)
_SHORT = 4096  # bytes of a file that is shown whole


def to_read(case: Case) -> Iterator[str]:
    """The commands that the output names to see more with; not its pages of help."""
    lines = [
        re.sub(r"^\S+ (?:error|err!|warn)\s+", "", line, flags=re.IGNORECASE) for line in case.evidence.lines
    ]
    for at, line in enumerate(lines):
        if not _TO_SEE.search(line) or len(line) > 300:
            continue
        found = _QUOTED.findall(line)
        below = next((one.strip() for one in lines[at + 1 : at + 3] if one.strip()), "")
        if line.rstrip().endswith(":"):
            found.append(below.removeprefix("$ "))
        yield from (one for one in found if is_runnable(one, case.runs) and not one.startswith("sudo "))


def named_files(case: Case) -> Iterator[str]:
    """The file in which the output says that the rest stands."""
    for hit in _FILE.finditer(case.evidence.flat):
        name = hit[1].rstrip(".,:;)")
        if not case.is_regular(name) or case.program == "cat":
            continue
        short = case.at(name).stat().st_size <= _SHORT
        yield f"{'cat' if short else 'less'} {quote(name)}"
