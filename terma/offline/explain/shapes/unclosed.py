"""A bracket that one word of the command opens and does not close, by an output that misses an end."""

from __future__ import annotations

import re
from collections.abc import Iterator

from terma.offline.explain.case import Case
from terma.offline.explain.finding import Finding
from terma.offline.explain.shapes.told import one_word, replaced, told

_NOT_WHOLE = re.compile(
    r"syntax error|parse error|unexpected (?:\$?end|eof|token|newline|input)|unterminated|unmatched|unbalanced|unclosed"
    r"|missing|not closed|premature|expected ['\"`]?[)\]}]",
    re.IGNORECASE,
)
_CLOSES = {"(": ")", "[": "]", "{": "}"}
_SEARCHES = frozenset("grep egrep fgrep zgrep rg ag ack find".split())  # a bracket may be meant as it stands
_OF_SHELL = re.compile(r"[$`]")  # what the shell puts in: its brackets are not the text's


def unclosed(case: Case) -> Iterator[Finding]:
    """`awk '{print $1' f`, `jq .a[0 f`: the one word with what closes it at its end."""
    if case.program in _SEARCHES or not case.runs(case.program):
        return  # the shell's own brackets are its grammar
    if not _NOT_WHOLE.search(f"{told(case)}\n{case.evidence.line}"):
        return
    found = []
    for word in case.arguments:
        typed = case.command[word.start : word.end]
        quoted = typed[:1] == typed[-1:] == "'" and typed.count("'") == 2
        closing = "" if case.exists(word.value) else missing(word.value)
        if closing and (quoted or not _OF_SHELL.search(typed)):
            found.append((word, closing))
    if len(found) != 1:
        return
    word, closing = found[0]
    fix = replaced(case, word.start, word.end, one_word(word.value + closing))
    if fix:
        yield Finding(f"{word.value} opens a bracket that nothing closes: {closing} is missing.", fix)


def missing(text: str) -> str:
    """What closes the brackets that `text` leaves open; "" where it leaves none, or closes one that it never opened."""
    open_: list[str] = []
    for char in re.sub(r"\\.|\"(?:[^\"\\]|\\.)*\"|/[^/\s]*[^/\s\\]/", "", text):
        if char in _CLOSES:
            open_.append(_CLOSES[char])
        elif char in _CLOSES.values() and (not open_ or open_.pop() != char):
            return ""
    return "".join(reversed(open_))
