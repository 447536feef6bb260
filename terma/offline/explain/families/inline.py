"""A program written into the command itself, as awk's, jq's or what follows python's -c, that leaves a bracket open."""

from __future__ import annotations

from terma.offline.explain.case import Case
from terma.offline.explain.line import Word
from terma.offline.explain.rule import Facts, Rule

_PAIRS = {"(": ")", "[": "]", "{": "}"}
_FIRST = frozenset("awk gawk mawk nawk jq".split())  # the program is their first operand
_FLAGS = {"python": "-c", "perl": "-e", "ruby": "-e", "node": "-e", "nodejs": "-e", "php": "-r", "lua": "-e"}
_MAX = 2000


def closed(text: str) -> str:
    """`text` with the brackets closed that it leaves open: at its end, or before the one that closes an outer bracket.
    "" where none is open, and where a string or a bracket that nothing opened makes that a guess."""
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
    whole = "".join(out) + "".join(reversed(due))
    return whole if not string and whole != text else ""


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
    return f"The program that {case.program} was given opens a bracket and never closes it: {marks} {verb} missing (syntax error)."


def _fixes(case: Case, facts: Facts) -> list[str]:
    return [_whole(case)[1]]


RULES = (
    Rule("inline.open", ("never closed", "unexpected", "missing", "syntax error", "unclosed", "end of file", "end-of-input", "expected a"), "", _text, _fixes,
         program="awk gawk mawk nawk jq python python3 perl ruby node nodejs php lua", rank=14, rewrites=True),
)  # fmt: skip
