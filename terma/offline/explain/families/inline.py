"""A program written into the command itself, as awk's, jq's or what follows python's -c, that leaves a
bracket or a string open, or misspells a keyword."""

from __future__ import annotations

import keyword
import re

from terma.offline.explain.case import Case
from terma.offline.explain.line import Word
from terma.offline.explain.near import distance, nearest
from terma.offline.explain.rule import Facts, Rule

_PAIRS = {"(": ")", "[": "]", "{": "}"}
_FIRST = frozenset("awk gawk mawk nawk jq".split())  # the program is their first operand
_FLAGS = {"python": "-c", "perl": "-e", "ruby": "-e", "node": "-e", "nodejs": "-e", "php": "-r", "lua": "-e"}
_MAX = 2000


def closed(text: str) -> str:
    """`text` with the brackets closed that it leaves open: at its end, or before the one that closes an outer bracket.
    "" where none is open, and where a bracket that nothing opened makes that a guess. A string in double quotes that is
    left open ends before the brackets at its end."""
    out: list[str] = []
    due: list[str] = []
    string = before = ""
    for char in text:
        escaped, before = before == "\\", "" if before == "\\" else char
        if string:
            string = "" if char == string and not escaped else string
        elif not escaped and char in "\"'`":
            string = char
        elif not escaped and char in _PAIRS:
            due.append(_PAIRS[char])
        elif not escaped and char in _PAIRS.values():
            if char not in due:
                return ""
            while due[-1] != char:
                out.append(due.pop())
            due.pop()
        out.append(char)
    if string == '"':  # it ends before the brackets that close what stands around it
        told = text.rstrip(" ;)]}")
        return closed(f'{told}"{text[len(told) :]}') or f'{told}"{text[len(told) :]}'
    whole = "".join(out) + "".join(reversed(due))
    return whole if not string and whole != text else ""


def _reworded(source: str) -> list[str]:
    """`source` with one word made the keyword of Python that it nearly is, as far as Python can read that."""
    found = []
    for hit in re.finditer(r"(?<![\w.])[a-z]{3,}(?!\w)", source):
        for near in nearest(hit.group(), keyword.kwlist, 1):
            if not keyword.iskeyword(hit.group()) and distance(hit.group(), near, 1.0) <= 1.0:
                found.append(f"{source[: hit.start()]}{near}{source[hit.end() :]}")
    return [text for text in found if _compiles(text)]


def _keyword(case: Case) -> tuple[str, str]:
    """The keyword that was meant, and the command with it; two empty texts where none or more than one fits."""
    word = _program(case)
    typed = case.command[word.start : word.end] if word else ""
    if not word or len(typed) > _MAX or typed not in (f"'{word.value}'", f'"{word.value}"'):
        return "", ""
    found = _reworded(word.value)
    if len(found) != 1:
        return "", ""
    before, after = re.findall(r"\w+", word.value), re.findall(r"\w+", found[0])
    meant = next((new for old, new in zip(before, after, strict=True) if old != new), "")
    return meant, f"{case.command[: word.start]}{typed[0]}{found[0]}{typed[0]}{case.command[word.end :]}"


def _keyword_text(case: Case, facts: Facts) -> str:
    meant, _ = _keyword(case)
    return (
        f"Python cannot read the program that it was given: SyntaxError (syntax). {meant} is misspelt in it."
        if meant
        else ""
    )


def _program(case: Case) -> Word | None:
    """The argument that is the program itself."""
    words = case.arguments
    if case.program in _FIRST:
        plain = (
            word
            for at, word in enumerate(words)
            if not word.value.startswith("-") and (not at or words[at - 1].value not in ("-F", "-v", "-L"))
        )
        return next(plain, None)
    flag = _FLAGS.get(case.program.rstrip("0123456789."), "")
    at = next((at for at, word in enumerate(words) if flag and word.value == flag), len(words))
    return words[at + 1] if at + 1 < len(words) else None


def _whole(case: Case) -> tuple[str, str]:
    """What closes the brackets, and the command with them; two empty texts where that cannot be told."""
    word = _program(case)
    typed = case.command[word.start : word.end] if word else ""
    if not word or len(typed) > _MAX or typed not in (f"'{word.value}'", f'"{word.value}"'):
        return "", ""
    whole = closed(word.value)
    if not whole or (case.program.startswith("python") and not _compiles(whole)):
        return "", ""
    rest = list(word.value)
    added = [char for char in whole if not (rest and rest[0] == char and rest.pop(0))]
    fix = f"{case.command[: word.start]}{typed[0]}{whole}{typed[0]}{case.command[word.end :]}"
    return "".join(added), fix


def _compiles(source: str) -> bool:
    try:
        compile(source, "<string>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _text(case: Case, facts: Facts) -> str:
    missing, _ = _whole(case)
    if not missing:
        return ""
    marks = " and ".join(dict.fromkeys(missing))
    verb = "is" if len(set(missing)) == 1 else "are"
    return f"The program that {case.program} was given opens what it never closes: {marks} {verb} missing (syntax error)."


def _fixes(case: Case, facts: Facts) -> list[str]:
    return [_whole(case)[1]]


RULES = (
    Rule("inline.open", ("never closed", "unexpected", "missing", "syntax error", "unclosed", "end of file", "end-of-input", "expected a", "terminator", "runaway", "unterminated"), "", _text, _fixes,
         program="awk gawk mawk nawk jq python python3 perl ruby node nodejs php lua", rank=14, rewrites=True),
    Rule("inline.keyword", "syntaxerror: invalid syntax", "", _keyword_text, lambda c, f: [_keyword(c)[1]], program="python python3", rank=14, rewrites=True),
)  # fmt: skip
