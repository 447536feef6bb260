"""An output cut to a length that a person or a model reads, with what went wrong left in."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from terma.output.fold import fold, shape
from terma.output.odd import odd_lines

MOST_TROUBLE = 40  # lines that `troubles` gives
_MARKER = 40  # characters of one
_GAP = 25  # of one in the midst of others
_AROUND = (1, -1, 2, 3, 4, -2)  # how far from a line that looks like an error a line still tells of it
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


@dataclass(frozen=True, slots=True)
class _Looked:
    """Lines; of these, by index and in order, what is kept where there is room: what looks like an error, and what is
    odd; and those whose neighbours tell of them."""

    lines: list[str]
    worth: dict[int, str]
    told_around: set[int]

    @classmethod
    def at(cls, text: str) -> _Looked:
        split = text.split("\n")
        wrong, odd = dict(_trouble_lines(text)), odd_lines(split)
        worth = {index: split[index].strip()[:LONGEST_TROUBLE] for index in odd} | wrong
        members = {index for index, member in odd.items() if member}
        return cls(split, dict(sorted(worth.items())), members | set(wrong))


class _Middle:
    """What is left out, but for what is worth keeping of it: looked through once, however much of it is left out."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._looked: _Looked | None = None

    def told(self, length: int, room: int) -> list[str]:
        """Its first `length` characters in `room`: what looks like an error or is odd, what stands around errors where
        there is room for that, with a marker for every gap."""
        before = len(self.text) - len(self.text.lstrip("\n"))
        part = self.text[:length].strip("\n")
        lines = part.count("\n") + 1
        if lines == 1:
            worth = [line for _, line in _trouble_lines(part)]
            return [
                *(line for _, line in sorted(_chosen(list(enumerate(worth)), room).items())),
                f"… {len(part):,} characters left out",
            ]
        looked = self._looked = self._looked or _Looked.at(self.text[before:].rstrip("\n"))
        chosen = _chosen([(index, line) for index, line in looked.worth.items() if index < lines], room)
        told_of = [index for index in chosen if index in looked.told_around]
        _with_neighbours(chosen, told_of, looked.lines[:lines], room)
        told: list[str] = []
        seen = 0
        for index, line in sorted(chosen.items()):
            told += [*_gap(index - seen), line]
            seen = index + 1
        return [*told, *_gap(lines - seen)]


def _gap(lines: int) -> list[str]:
    if lines <= 0:
        return []
    return [f"… {lines:,} line{'s' if lines > 1 else ''} left out"]


def _chosen(found: list[tuple[int, str]], room: int) -> dict[int, str]:
    """First and last of `found` in turn, as many as `room` allows, each with the marker of a gap."""
    chosen: dict[int, str] = {}
    turn = 0
    while found:
        index, line = found.pop(0 if turn % 2 == 0 else -1)
        turn += 1
        beside = index - 1 in chosen or index + 1 in chosen
        room -= len(line) + 1 + (0 if beside else _GAP)
        if room < 0:
            break
        chosen[index] = line
    return chosen


def _with_neighbours(chosen: dict[int, str], wrong: list[int], lines: list[str], room: int) -> None:
    """Add to `chosen` the lines around the `wrong` ones, the nearest first, as many as there is room left for: where it
    is, what was expected, what the compiler points at."""
    gaps = sum(index - 1 not in chosen for index in chosen)
    room -= sum(len(line) + 1 for line in chosen.values()) + gaps * _GAP
    told = {line.strip() for line in chosen.values()}
    for away in _AROUND:
        for index in (one + away for one in wrong):
            line = lines[index].rstrip()[:LONGEST_TROUBLE] if 0 <= index < len(lines) else ""
            if not line.strip() or index in chosen or line.strip() in told:
                continue
            room -= len(line) + 1
            if room < 0:
                return
            chosen[index] = line
