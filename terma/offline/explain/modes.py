"""A right that the owner of a file or folder has not given to themselves: the mode is what bars them, and not root."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator

from terma.offline.explain.case import Case
from terma.offline.explain.finding import Finding
from terma.offline.explain.line import quote
from terma.offline.explain.shapes.told import told

# The mode itself proves it; a program may say only that it could not open.
_BARRED = re.compile(
    r"permission denied|file exists|eacces|not permitted"
    r"|(?:could ?n[o']t|cannot|can't|unable to|failed to) (?:be )?(?:open|read|creat|writ|mak)",
    re.IGNORECASE,
)
_OF_FOLDER = re.compile(r"renam|remov|unlink|creat|mkdir|temporary|delet", re.IGNORECASE)
_PATH = re.compile(r"['\"`‘“]?((?:\.{0,2}/)?[\w.+@][\w.+@/-]*)['\"`’”]?")
_MAX_PATHS = 12


def barred(case: Case) -> Iterator[Finding]:
    """`chmod` of what the output calls refused, before the failed command; nothing for root, whom no mode bars."""
    if os.geteuid() == 0 or not case.cwd:
        return
    for line in told(case).splitlines():
        if not _BARRED.search(line):
            continue
        for path in dict.fromkeys(_PATH.findall(line.removeprefix(f"{case.program}:"))[:_MAX_PATHS]):
            known = case.exists(path) and (
                path in line.split(": ") or path in case.args or _is_quoted(line, path)
            )
            right, where = _lacking(case, path, line) if known else ("", "")
            if right:
                yield Finding(
                    f"{_named(where)} belongs to you, and its mode bars you.",
                    f"chmod u+{right} {quote(where)} && {case.rest}",
                )
                return


def _is_quoted(line: str, path: str) -> bool:
    return bool(re.search(rf"['\"`‘“]{re.escape(path)}['\"’”]", line))


def _named(where: str) -> str:
    return "This folder" if where == "." else where


def _lacking(case: Case, path: str, line: str) -> tuple[str, str]:
    """The right that is missing, and at what: at the thing itself, else at the folder that holds it."""
    mode, denied = _own_mode(case, path), not re.search(r"file exists", line, re.IGNORECASE)
    if denied and mode and case.is_dir(path) and mode & stat.S_IRUSR == 0:
        return "rx", path
    if denied and mode and not case.is_dir(path) and mode & stat.S_IRUSR == 0:
        return "r", path
    above = os.path.dirname(path.rstrip("/")) or "."  # noqa: PTH120  (a text, as it was typed)
    folder = _own_mode(case, above)
    entry = _OF_FOLDER.search(line) or not denied  # a name in the folder is changed, and not what it names
    readable = mode is not None and (mode & stat.S_IWUSR or entry)
    if folder and readable and folder & stat.S_IWUSR == 0:
        return "w", above
    return "", ""


def _own_mode(case: Case, path: str) -> int | None:
    """The mode of what belongs to this user; None for anything else."""
    try:
        found = case.at(path).stat()
    except (OSError, ValueError):
        return None
    return found.st_mode if _is_mine(found) else None


def _is_mine(found: os.stat_result) -> bool:
    return found.st_uid == os.geteuid()
