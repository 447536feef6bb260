"""Private key blocks: the one secret that takes many lines, found whole, cut short, or folded into a string."""

from __future__ import annotations

import re
from collections.abc import Iterator

BEGIN = re.compile(
    r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d: ", re.ASCII
)
END = re.compile(
    r"-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----|Private-MAC: \w{1,80}", re.ASCII
)
# A line of a block that was cut: base64, perhaps quoted, indented or in a diff; or one of its headers.
BODY = re.compile(
    r"[ \t>|+\"'-]{0,40}(?:[A-Za-z0-9+/=]{1,200}(?:\\n)?[\"',]{0,3}|[A-Za-z-]{3,30}: [^\n]{0,200})?[ \t]*$"
)
INSIDE = re.compile(r"[ \t>|+\"'-]{0,40}[A-Za-z0-9+/=]{40,76}(?:\\n)?[\"',]{0,3}[ \t]*$")
LIMIT = 64_000  # characters; a longer block is no key


def spans(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each private key; without its END, as far as the lines look like one."""
    opened = list(_all(BEGIN, ("-----BEGIN ", "PuTTY-User-Key-File-"), text))
    for number, begin in enumerate(opened):
        following = opened[number + 1].start() if number + 1 < len(opened) else len(text)
        limit = min(begin.end() + LIMIT, following)
        end = END.search(text, begin.end(), limit)
        stop = end.end() if end else _as_far_as_it_looks_so(text, begin.end(), limit)
        if stop > begin.end() and re.search(r"[A-Za-z0-9+/]{16}", text[begin.end() : stop]):
            yield begin.start(), stop


def _all(pattern: re.Pattern[str], heads: tuple[str, ...], text: str) -> Iterator[re.Match[str]]:
    """What `pattern.finditer` gives; it opens with one of `heads`, and those are found far sooner."""
    last = 0
    for at in sorted(found for head in heads for found in _places(head, text)):
        match = pattern.match(text, at) if at >= last else None
        if match:
            yield match
            last = match.end()


def _places(word: str, text: str) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + 1)


def spans_from_their_end(text: str) -> Iterator[tuple[int, int]]:
    """Of blocks whose BEGIN was cut off: the lines before an END as long as they look like a key."""
    if "-----END " not in text:
        return
    for end in _all(END, ("-----END ", "Private-MAC: "), text):
        start = end.start()
        while start > 0 and end.start() - start < LIMIT:
            line = text.rfind("\n", 0, start - 1) + 1
            if not INSIDE.match(text[line:start].rstrip("\r\n")):
                break
            start = line
        if start < end.start():
            yield start, end.end()


def inside(line: str) -> bool:
    """Whether `line` may be one of the middle of a key."""
    return bool(INSIDE.match(line.rstrip("\r\n")))


def starts_one(line: str) -> bool:
    """Whether a reader of lines must wait: a block opens and does not close in `line`."""
    begin = None
    for begin in BEGIN.finditer(line):  # noqa: B007  the last one counts
        pass
    return begin is not None and not END.search(line, begin.end())


def goes_on(line: str) -> bool:
    """Whether `line` may belong to an open block; the line with its END does."""
    return bool(END.search(line) or BODY.match(line.rstrip("\r\n")))


def closes(line: str) -> bool:
    """Whether the block ends in `line`."""
    return bool(END.search(line))


def _as_far_as_it_looks_so(text: str, at: int, limit: int) -> int:
    stop = at
    while at < limit:
        line_end = text.find("\n", at, limit)
        line_end = limit if line_end < 0 else line_end
        if not BODY.match(text[at:line_end]):
            break
        if text[at:line_end].strip():
            stop = line_end
        at = line_end + 1
    return stop
