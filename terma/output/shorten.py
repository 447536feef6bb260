"""An output cut to a length that a person or a model reads, with what went wrong left in."""

from __future__ import annotations

import re
from functools import cache

from terma.output.fold import fold, shape
from terma.output.odd import odd_lines

MOST_TROUBLE = 40  # lines that `troubles` gives
_MARKER = 40  # characters of one
LONGEST_TROUBLE = 300  # characters of one such line

# Words of programs, compilers, test runners and system errors; no warnings, of which there may be hundreds.
# Every branch begins with a letter of its own, and no flag is set: so the search skips what can be none of them.
_TROUBLE = (
    r"error|exception|fatal|fail(?:ed|ures?|s|ing)?\b|panic|abort|denied|refused|killed|segmentation fault|core dumped|"
    r"traceback|undefined|unresolved|unrecogni[sz]ed|unexpected|unknown|invalid|illegal|cannot |can't |could not |"
    r"couldn't |unable to |not found|no such |not permitted|not allowed|timed out|timeout|conflict|missing|"
    r"out of memory|no space left|enoent|eacces|eaddrinuse|econn|fehler|erreur|ошибка|✗|✘|错误|失败|エラー"
)
_NO_TROUBLE = re.compile(r"\b(?:0|no) (?:errors?|failures?|failed|conflicts?)\b|-werror")
_LOWER = {ord(char): char.lower() for char in "ABCDEFGHIJKLMNOPQRSTUVWXYZОШИБКА"}  # keeps every length


@cache
def _trouble() -> re.Pattern[str]:
    """Made when it is needed: programs that live for a moment shorten nothing."""
    return re.compile(_TROUBLE)


def digest(text: str, limit: int = 8000, head: int = 2000, tail: int = 4000) -> str:
    """`text` (plain, see `plain`) in about `limit` characters, the same for the same text.

    Repetitions are folded first. What is still longer keeps its first `head` and last `tail` characters, cut at line
    ends where there are any near; of the middle stay the lines that look like errors or are not like their many
    neighbours, each once, the first and the last of them, as many as the limit leaves room for; what room they leave is
    the end's; markers (`… 120 lines left out`) say how much is gone."""
    lines = fold(text.split("\n"))
    whole = "\n".join(lines)
    if len(whole) <= limit:
        return whole
    first = _first_part(whole, head)
    room = limit - head - tail
    last = _last_part(whole, tail)
    middle = _Middle(whole[len(first) : len(whole) - len(last)])
    told = middle.told(len(middle.text), room)
    spare = limit - sum(map(len, (first, last, *told))) - len(told) - _MARKER
    if spare > _MARKER:
        last = _last_part(whole, tail + spare)
        told = middle.told(len(whole) - len(first) - len(last), room)
    return "\n".join([*_ends(first), *told, *_ends(last)])


def troubles(text: str, most: int = MOST_TROUBLE) -> tuple[str, ...]:
    """The lines of `text` that look like errors, each once (but for its numbers), at most the first `most`."""
    found: dict[str, str] = {}
    for _, line in _trouble_lines(text):
        found.setdefault(shape(line), line)
    return tuple(found.values())[:most]


def _ends(part: str) -> list[str]:
    part = part.strip("\n")
    return [part] if part else []


def _first_part(text: str, length: int) -> str:
    """The beginning of `text`, at most `length` characters, to a line end if one is in its second half."""
    end = text.rfind("\n", length // 2, length + 1)
    return text[: end if end >= 0 else length]


def _last_part(text: str, length: int) -> str:
    start = text.find("\n", len(text) - length - 1, len(text) - length // 2)
    return text[start + 1 if start >= 0 else len(text) - length :]


def _trouble_lines(text: str) -> list[tuple[int, str]]:
    """(index, line) of each line that looks like an error and did not come before."""
    found: dict[str, tuple[int, str]] = {}
    lower = text.translate(_LOWER)
    index = counted = at = 0
    trouble = _trouble()
    while match := trouble.search(lower, at):
        start = text.rfind("\n", 0, match.start()) + 1
        end = text.find("\n", match.end())
        at = end = len(text) if end < 0 else end
        if _NO_TROUBLE.search(lower, start, end):
            continue
        index += text.count("\n", counted, start)
        counted = start
        if end - start > LONGEST_TROUBLE:
            start = max(match.start() - LONGEST_TROUBLE // 3, start)
            kept = f"…{text[start : min(start + LONGEST_TROUBLE - 2, end)]}…"
        else:
            kept = text[start:end].strip()
        found.setdefault(kept, (index, kept))
    return list(found.values())


class _Middle:
    """What is left out, but for what is worth keeping of it: looked through once, however much of it is left out."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._worth: list[tuple[int, str]] | None = None

    def told(self, length: int, room: int) -> list[str]:
        """Its first `length` characters in `room`: what looks like an error or is odd, with a marker for every gap."""
        before = len(self.text) - len(self.text.lstrip("\n"))
        part = self.text[:length].strip("\n")
        lines = part.count("\n") + 1
        if lines == 1:
            return [
                *(line for _, line in _chosen(_worth(part), room)),
                f"… {len(part):,} characters left out",
            ]
        chosen = _chosen([(index, line) for index, line in self._found(before) if index < lines], room)
        told: list[str] = []
        seen = 0
        for index, line in chosen:
            told += [*_gap(index - seen), line]
            seen = index + 1
        return [*told, *_gap(lines - seen)]

    def _found(self, before: int) -> list[tuple[int, str]]:
        if self._worth is None:
            self._worth = _worth(self.text[before:].rstrip("\n"))
        return self._worth


def _worth(middle: str) -> list[tuple[int, str]]:
    """(index, line) of what is kept of it, where there is room: what looks like an error, and what is odd."""
    found = dict(_trouble_lines(middle))
    split = middle.split("\n")
    for index in odd_lines(split) if len(split) > 1 else ():
        found.setdefault(index, split[index].strip()[:LONGEST_TROUBLE])
    return sorted(found.items())


def _gap(lines: int) -> list[str]:
    if lines <= 0:
        return []
    return [f"… {lines:,} line{'s' if lines > 1 else ''} left out"]


def _chosen(found: list[tuple[int, str]], room: int) -> list[tuple[int, str]]:
    """First and last of `found` in turn, in order, as many as `room` allows."""
    chosen: list[tuple[int, str]] = []
    turn = 0
    while found:
        entry = found.pop(0 if turn % 2 == 0 else -1)
        turn += 1
        room -= len(entry[1]) + 1
        if room < 0:
            break
        chosen.append(entry)
    return sorted(chosen)
