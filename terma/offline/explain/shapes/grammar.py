"""What the grammar of the shell shows to be one word: a statement, a bracket that a later word closes, an s command."""

from __future__ import annotations

import re
from collections.abc import Iterator

from terma.offline.explain.case import Case
from terma.offline.explain.finding import Finding
from terma.offline.explain.quoting import bare
from terma.offline.explain.shapes.told import Chunk, chunks, one_word, replaced

_MAX_RUN = 16  # chunks that may belong together
_SQL = re.compile(r"(?i)select|insert|update|delete|create|drop|alter|pragma|with|explain")
_ENDS = re.compile(r"[|;<>]|&&|\d?>")
_CLOSES = {")": "(", "}": "{", "]": "["}


def sentence(case: Case) -> Iterator[Finding]:
    """A statement of SQL that was not quoted."""
    found = chunks(case.command)
    at = next((n for n, one in enumerate(found[1:], 1) if _SQL.fullmatch(one.seen)), 0)
    if at < 2 or not _is_simple(found[:at]):
        return
    last = at
    while last + 1 < len(found) and not _ENDS.match(found[last + 1].seen):
        last += 1
    if last > at:
        yield _quoted(case, found[at], found[last], "the statement")


def brackets(case: Case) -> Iterator[Finding]:
    """A bracket that a later word closes, or a parenthesis inside of a word, which the shell takes for its own."""
    found = chunks(case.command)
    for at, one in enumerate(found[1:], 1):
        if not re.search(r"[({]", one.seen) or not _is_simple(found[:at]):
            continue
        if re.search(r"(?:^|[$<>=?*+@!])[(]|\$\{|^\{$|^\{\}|\(\)$", one.seen) and not one.seen.startswith(
            "("
        ):
            continue
        last = _closed_by(found, at)
        if last < 0 or (last == at and "(" not in one.seen):
            continue
        while last + 1 < len(found) and re.match(r"[)}]", found[last + 1].seen):
            last += 1
        text = case.command[one.start : found[last].end]
        if "(" in one.seen and not case.shell_spoke and case.output:
            continue
        yield _quoted(case, one, found[last], text)
        return


def surplus(case: Case) -> Iterator[Finding]:
    """A bracket that closes nothing."""
    if not re.search(r"(?:near|unexpected)\D{0,20}[`'‘][)}\]]['’]", case.output) or re.search(
        r"\bcase\b", case.command
    ):
        return
    depth = dict.fromkeys(_CLOSES.values(), 0)
    for at, char in enumerate(bare(case.command)):
        if char in depth:
            depth[char] += 1
        elif char in _CLOSES:
            depth[_CLOSES[char]] -= 1
            if depth[_CLOSES[char]] < 0:
                yield Finding(
                    f"The {char} at place {at + 1} closes nothing.",
                    case.command[:at] + case.command[at + 1 :],
                )
                return


def _closed_by(found: tuple[Chunk, ...], at: int) -> int:
    """The index of the chunk that closes what the one at `at` opens; -1 when none does."""
    open_: list[str] = []
    for index in range(at, min(at + _MAX_RUN, len(found))):
        if index > at and _ENDS.match(found[index].seen):
            return -1
        for char in found[index].seen:
            if char in "({[":
                open_.append(char)
            elif char in _CLOSES and (not open_ or open_.pop() != _CLOSES[char]):
                return -1
        if not open_:
            return index
    return -1


def _is_simple(before: tuple[Chunk, ...]) -> bool:
    """Whether what stands before is one plain command, without the grammar of a list, a loop or a definition."""
    words = {one.seen for one in before}
    return not words & set("for if while until case function do then { ( [[ (( select".split()) and not any(
        re.search(r"[;|<>()]|&&|^\w+=", one.seen) for one in before
    )


def _quoted(case: Case, first: Chunk, last: Chunk, what: str) -> Finding:
    text = case.command[first.start : last.end]
    return Finding(
        f"The shell took {what if len(what) < 60 else 'it'} apart: quotes make it one argument.",
        replaced(case, first.start, last.end, one_word(text)),
    )


def delimiters(case: Case) -> Iterator[Finding]:
    """The s command of sed or perl, taken apart by a blank."""
    found = chunks(case.command)
    for at, one in enumerate(found[1:], 1):
        opened = re.match(r"(?:\d+|\$)?[sy]([/|#,@:!])", one.typed)
        if not opened or not _is_simple(found[:at]):
            continue
        mark, text = opened[1], one.typed
        for last in range(at, min(at + _MAX_RUN, len(found))):
            text = case.command[one.start : found[last].end]
            if last == at and re.fullmatch(rf"'?[^']*{re.escape(mark)}[gIip\d]*{re.escape(mark)}'?", text):
                body = text.removesuffix("'")
                if len(re.findall(rf"(?<!\\){re.escape(mark)}", text)) == 4:
                    short = body[:-1] + text[len(body) :]
                    yield Finding(
                        f"The s command ends with one {mark} too many.",
                        replaced(case, one.start, found[last].end, short),
                    )
                    return
            if len(re.findall(rf"(?<!\\){re.escape(mark)}", text)) >= 3:
                if last > at:
                    yield _quoted(case, one, found[last], text)
                return
