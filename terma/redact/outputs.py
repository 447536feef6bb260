"""Secrets that a table's head, or the command above, gives away: the line that holds one says nothing of it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from terma.redact.plausible import NAME_PARTS, family, is_secret, looks_random, stands_in

Span = tuple[int, int]
ROWS = 200  # of a table
LONGEST = 600  # characters of a line
RULE = re.compile(r"[-+|=: \t]+$")
HINTS = ("openssl rand", "pwgen", "gopass", "genkey", "base64 -d", "code")
PROMPT = re.compile(r"[^\n]{0,60}?[$#%>❯➜][ \t]+(?:sudo[ \t]+)?")
# What prints a secret: generators, password stores, and whatever is asked for one by name.
PRINTS = re.compile(
    r"(?i)openssl[ \t]+rand|\bpwgen\b|\bpass[ \t]+(?:show\b|[\w.@-]+/)|\bgopass\b|genkey|base64[ \t]+(?:-d|--dec)"
    r"|\b(?:get|read|show|print|access|lookup|create|cat|echo|field|find|reveal|view|generate|new|output)\b[^\n]{0,60}"
    r"(?:passw|secret|token|credential|api[-_]?key|private[-_]?key|\.key\b)"
    r"|(?:token|secret|key|password)s?[ \t:-]{1,2}(?:create|generate|show|get|print)|rails[ \t]+secret"
)
CAPTION = re.compile(
    r"(?i)(?:recovery|backup|scratch|rescue|one[- ]time)[ \t]+codes?[^\n:]{0,60}:?[ \t]*$"
    r"|(?:initial|admin|root|temporary|generated|new|your)\w*[ \t_-]{0,2}(?:password|secret|token|api[ _-]?key)"
    r"[^\n:]{0,40}:?[ \t]*$"
    r"|^\S*/[\w.-]*(?:password|secret|token)[\w.-]*:?[ \t]*$"
)
ALONE = re.compile(
    r"[ \t]{0,12}(?:[-*•][ \t]+|\d{1,2}[.)][ \t]+)?(?P<v>[^\s<>{}()\[\]\"'`]{6,400})[ \t\r]*(?:\n|$)"
)
CODES = 16  # lines of codes


def spans(text: str, lines: list[Span]) -> Iterator[Span]:
    """Start and end of each; `lines` are those that speak of secrets, in order."""
    read = 0  # the end of the last table: its rows are no heads
    for start, end in lines:
        at = max(start, read)
        while at < end:
            stop = text.find("\n", at, end)
            stop = end if stop < 0 else stop
            if stop - at < LONGEST and stop + 1 < len(text):
                yield from _said_of_the_next(text, text[at:stop], stop + 1)
                found, read = _table(text, text[at:stop], stop + 1)
                yield from found
            at = max(stop + 1, read)


def _said_of_the_next(text: str, line: str, at: int) -> Iterator[Span]:
    """What `line` says of the lines from `at` on."""
    if not ALONE.match(text, at):
        return
    prompt = PROMPT.match(line)
    if prompt and PRINTS.search(line, prompt.end()):
        yield from _alone(text, at, 1)
    elif CAPTION.search(line):
        yield from _alone(text, at, CODES if "code" in line.lower() else 1)


def _alone(text: str, at: int, most: int) -> Iterator[Span]:
    """Lines that hold one word each, as a secret does."""
    length = 0
    for _ in range(most):
        line = ALONE.match(text, at)
        if line is None or not (_token(line["v"], most) or len(line["v"]) == length):
            return
        length = len(line["v"])
        yield line.span("v")
        at = line.end()


def _token(value: str, most: int) -> bool:
    if stands_in(value) or "://" in value or value.endswith((":", ",")) or value.count("/") > 3:
        return False
    if most > 1:
        return any(char.isdigit() for char in value)
    return looks_random(value) and len(value) >= 8


def _table(text: str, head: str, at: int) -> tuple[list[Span], int]:
    """Cells below the name of a secret, in rows of as many cells as the head has, and where the table ends."""
    mark = next((mark for mark in "|\t;," if mark in head), "")
    if not mark:
        return [], 0
    following = text[at : max(at, text.find("\n", at, at + LONGEST))] or text[at : at + LONGEST]
    if following.count(mark) != head.count(mark) and not RULE.match(following):
        return [], 0
    names = head.split(mark)
    columns = {number: kind for number, name in enumerate(names) if (kind := _named(name))}
    found: list[Span] = []
    if not columns or len(names) > 60:
        return found, 0
    for _ in range(ROWS):
        end = text.find("\n", at, at + LONGEST)
        row = text[at : end if end >= 0 else at + LONGEST]
        if not RULE.match(row):
            cells = row.split(mark)
            if len(cells) != len(names):
                return found, at
            found += _cells(cells, columns, at)
        if end < 0:
            return found, at
        at = end + 1
    return found, at


def _named(cell: str) -> str:
    """The family of a column whose head is a name, and no sentence or value."""
    name = cell.strip().strip("\"'`*_")
    return family(name) if len(name) <= 40 and len(NAME_PARTS.findall(name)) <= 4 and "=" not in name else ""


def _cells(cells: list[str], columns: dict[int, str], at: int) -> Iterator[Span]:
    for number, cell in enumerate(cells):
        value = cell.strip().strip("\"'`")
        if number in columns and is_secret(value, columns[number], literal=True):
            start = at + cell.find(value)
            yield start, start + len(value)
        at += len(cell) + 1
