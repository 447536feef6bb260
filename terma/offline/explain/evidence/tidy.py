"""Lines as their program meant them: boxes off, what a terminal or a fixed margin broke put together again."""

from __future__ import annotations

import re

_BOX = "\u2500-\u257f"
_EDGE = re.compile(rf"^\s*[{_BOX}]+ ?|\s*[{_BOX}]+\s*$")
_RULE = re.compile(rf"^[\s{_BOX}=_*~-]*$")
_BULLET = re.compile(r"^(?:[-*•]|\d+[.)]) ")
_MARGIN = 60  # columns: a shorter line was ended on purpose
# What xonsh lists beneath its "command not found": names on PATH that are spelled like it.
_NEAR_NAMES = re.compile(
    r"^Did you mean (?:one of )?the following\?\n(?: {4}\S+: +(?:Alias|Command \(.*\))$\n?)+", re.M
)
_CLOSED = (".", ":", ";", "!", "?", "{", "}", ")", ">", "]")


def tidy(output: str, columns: int = 0) -> list[str]:
    """The lines of `output` (plain text); `columns` is the terminal's width, 0 when unknown."""
    return _sentences(_whole([_unboxed(line) for line in output.split("\n")], columns))


def without_near_names(output: str) -> str:
    """What xonsh printed without names that it found by their spelling alone: terma looks for these itself, and nobody
    who knows what was meant proposed one of them."""
    return _NEAR_NAMES.sub("", output)


def _unboxed(line: str) -> str:
    """A line without the box around it; a rule becomes empty. Blanks inside the box stay, for they tell an excerpt."""
    if not any("\u2500" <= char <= "\u257f" for char in line):
        return line.rstrip()
    if _RULE.match(line):
        return ""
    return _EDGE.sub("", _EDGE.sub("", line, count=1)).rstrip()


def _whole(lines: list[str], columns: int) -> list[str]:
    """Lines that fill the terminal to its last column go on in the next one."""
    if columns < 20:
        return lines
    joined: list[str] = []
    full = False
    for line in lines:
        if full and line and not line[0].isspace():
            joined[-1] += line
        else:
            joined.append(line)
        full = len(line) == columns
    return joined


def _sentences(lines: list[str]) -> list[str]:
    """A sentence that a program broke at its own margin on one line: it goes on in lower case, as deep or deeper."""
    joined: list[str] = []
    last = ""
    for line in lines:
        if joined and _goes_on(last, line):
            joined[-1] = f"{joined[-1]} {line.strip()}"
        else:
            joined.append(line)
        last = line
    return joined


def _goes_on(before: str, line: str) -> bool:
    text = line.strip()
    if re.search(r"\w{2} \w+$", before) and re.match(r"[\"'`‘“][\w.:/-]+[\"'`’”][?.]?$", text):
        return len(before) < 400  # "Did you mean" and the name, which alone had no room
    if not text or not text[0].islower() or len(before) < _MARGIN or len(before) > 400:
        return False
    if before.split()[:2] == text.split()[:2]:  # `npm error`: a label that each line begins with
        return False
    if before.rstrip().endswith(_CLOSED) or _BULLET.match(text):
        return False
    if re.match(r"[\w./+-]+(?::|\(|=|\s*\d)", text):  # a program, a path, an assignment: a line of its own
        return False
    if re.match(r"\s*(?:at |from |\d+ ?\|)", line):
        return False
    deep, was = len(line) - len(line.lstrip()), len(before) - len(before.lstrip())
    return deep >= was and " " in text
