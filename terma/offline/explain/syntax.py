"""A command line that a shell cannot parse: what is missing or too many in it, and the line with that put right."""

from __future__ import annotations

import re

from terma.offline.explain.case import Case
from terma.offline.explain.line import quote
from terma.offline.explain.quoting import bare, open_quote

_PAIRS = (("if", "fi"), ("do", "done"), ("case", "esac"), ("{", "}"))
_RESERVED = re.compile(
    r"(?:^|(?<=[;\n&|({])|(?<=\bdo)|(?<=\bthen)|(?<=\belse))\s*(if|for|while|until|case|select)\b"
)
_GLUED = re.compile(r"(?<=[^\s;&|])(?<!\bdo)(?<!\bthen)(?<!\belse)[ \t]+(?:do|then|done|fi|else)(?=[\s;]|$)")
_WORD = r"(?<![\w$./-]){}(?![\w./=-])"


def close_quote(line: str) -> list[str]:
    """`line` with its open quote closed; an apostrophe inside a word makes its argument one quoted word."""
    mark = open_quote(line)
    if not mark:
        return []
    inside = re.search(r"(?<=\w)'(?=\w)", line)
    if mark == "'" and inside and line.count("'") == 1 and '"' not in line:
        first = re.match(r"\s*(?:\S+=\S*\s+|sudo\s+)*\S+\s+(?:-\S+\s+)*", line)
        start = (
            first.end() if first and first.end() <= inside.start() else line.rfind(" ", 0, inside.start()) + 1
        )
        return [f'{line[:start]}"{line[start:]}"', line.replace("'", "\\'")]
    return [line + mark]


def unclosed(line: str) -> tuple[str, str]:
    """The block that `line` opens and never closes, and the word that closes it; ("", "") when none."""
    plain = bare(line)
    for opener, closer in _PAIRS:
        begun = len(re.findall(_WORD.format(re.escape(opener)), plain))
        if begun > len(re.findall(_WORD.format(re.escape(closer)), plain)):
            return {"do": "a loop"}.get(opener, opener), closer
    if plain.count("(") > plain.count(")"):
        return "(", ")"
    return "", ""


def close_block(line: str) -> list[str]:
    """`line` with the blocks that it left open closed, innermost first."""
    fixed = line.rstrip().rstrip(";").rstrip()
    for _ in range(4):
        opener, closer = unclosed(fixed)
        if not closer:
            break
        tail = bare(fixed).rstrip()
        glue = "" if closer == ")" else " " if tail.endswith((";", "&", "\n")) else "; "
        if opener == "if" and not re.search(_WORD.format("then"), tail):
            return []
        fixed += glue + closer
    return [fixed] if fixed != line.rstrip().rstrip(";").rstrip() else []


_KEYED = (("for|while|until|select", "do"), ("if|elif", "then"))


def keyed(line: str) -> str:
    """`for x in a b; cmd; done` and `if x; y; fi` with the do or then that is missing behind their first part."""
    plain = bare(line)
    for openers, word in _KEYED:
        begun = list(re.finditer(_WORD.format(f"(?:{openers})"), plain))
        if not _RESERVED.search(line) or len(begun) != 1 or re.search(_WORD.format(word), plain):
            continue
        head = re.compile(r"[^;\n&|()]*[;\n]\s*(?=[^\s;])").match(plain, begun[0].end())
        if head:
            line = f"{line[: head.end()]}{word} {line[head.end() :]}"
            plain = bare(line)
    return line


def separate(line: str) -> str:
    """`for x in a b do cmd; done` and `if x then y fi` with the semicolons put in."""
    if not _RESERVED.search(line):
        return line
    plain = bare(line)
    places = [m.start() for m in _GLUED.finditer(plain)]
    for place in reversed(places):
        line = line[:place] + ";" + line[place:]
    return line


def single_operators(line: str) -> str:
    """`a | | b` and `a && && b` with one operator each."""
    plain = bare(line)
    found = re.search(r"(\|\||&&|[|;&])(\s+)\1(?![|&;])", plain)
    return line[: found.end(1)] + line[found.end() :] if found else line


def quote_parens(case: Case) -> list[str]:
    """The words that hold a bare parenthesis, quoted as one word with its neighbours where such a file is there."""
    line, plain = case.command, bare(case.command)
    at = next((m.start() for m in re.finditer(r"(?<![$\w<>=])\(|(?<=\w)\(|\)", plain)), -1)
    if at <= 0 or "$(" in plain or "`" in line or _RESERVED.search(line) or re.search(r"\w\s*\(\)", plain):
        return []
    end = max(plain.rfind(")") + 1, at + 1)
    end += len(re.match(r"[^\s;&|]*", plain[end:])[0])  # type: ignore[index]
    start = re.search(r"\S*$", plain[:at]).start()  # type: ignore[union-attr]
    starts = [m.start() for m in re.finditer(r"(?<=\s)\S", plain[:at])]
    joined = next((s for s in starts if case.exists(line[s:end])), start)
    if not line[:joined].strip() or re.search(r"['\"]", line[joined:end]):
        return []
    return [line[:joined] + quote(line[joined:end]) + line[end:]]


def repaired(case: Case) -> list[str]:
    """The ways to make the command one that a shell can parse, best first; empty when nothing looks wrong."""
    line = case.command
    if open_quote(line):
        return close_quote(line)
    for fixed in (separate(line), keyed(line), single_operators(line)):
        if fixed != line:
            return close_block(fixed) or [fixed]
    closed = close_block(line)
    if closed:
        return closed
    plain = bare(line)
    if plain.count(")") > plain.count("(") and "case" not in plain:
        return quote_parens(case)
    if re.search(r"(?<=\w)\(|(?<=\s)\((?!\()", plain):
        return quote_parens(case)
    return []


def complaint(case: Case) -> str:
    """What a shell would not accept in the command, in words; "" when nothing looks wrong."""
    line = case.command
    plain = bare(line)
    if open_quote(line):
        return f"a quote ({open_quote(line)}) is opened and never closed"
    if separate(line) != line:
        return "a ; or a new line is missing before do, then, done or fi"
    if keyed(line) != line:
        missing = "do" if re.search(_WORD.format("(?:for|while|until|select)"), plain) else "then"
        return f"the {missing} that goes behind its first part is missing"
    if single_operators(line) != line:
        found = re.search(r"(\|\||&&|[|;&])\s+\1", plain)
        return f"two operators ({found[1] if found else '|'}) stand in a row"
    opener, closer = unclosed(line)
    if closer:
        return f"{opener} is opened and its {closer} is missing"
    if plain.count(")") > plain.count("("):
        return "a closing parenthesis ) has no opening one"
    if re.search(r"[<>]\s*$", plain):
        return "the file name after a redirection is missing at the end of the line (unexpected newline)"
    if re.search(r"^\s*(?:\||&&|;)|(?:\||&&)\s*$", plain):
        return "an operator has nothing beside it"
    if repaired(case):
        return "a bare parenthesis ( means a subshell to the shell"
    return ""
