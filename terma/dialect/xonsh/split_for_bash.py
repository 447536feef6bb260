"""Where a command may be parted, its beginning for xonsh and its rest for bash, and mean what it meant."""

from __future__ import annotations

import re

from terma.dialect.xonsh.lexer import Unreadable, read

_STATE = (
    re.compile(  # what the rest would not know of the beginning, or leave behind where the beginning stays
        r"\$[?!_$]|\$\{[?!_$]|PIPESTATUS|\b(?:wait|fg|bg|jobs|disown|history|alias|shopt|set|cd|pushd|popd)\b"
    )
)
_QUOTED = re.compile(r"""\\.|'[^']*'|"(?:\\.|[^"\\])*"|`[^`]*`""", re.DOTALL)
_HEREDOC = re.compile(r"([^\n]*<<-?\s*(['\"]?)(\w+)\2[^\n]*)\n(?:.*\n)?\s*\3\s*\Z", re.DOTALL)
_OPENS = {"for", "while", "until", "if", "case", "select", "{", "("}
_CLOSES = {"done", "fi", "esac", "}", ")"}
_WORDS = re.compile(r"[()]|[^\s;&|()]+")
_JOINS = re.compile(r"[;\n]|\|\||(?<![>&<])&(?![>&])|&&")


def separators(command: str) -> list[tuple[int, int]]:
    """Where the operators between simple commands begin and end, as far as `command` can be read."""
    places: list[tuple[int, int]] = []
    command, at = command.replace("\\\n", "  "), 0
    while at < len(command):
        try:
            tokens, end = read(command, at)
        except Unreadable:
            break
        if tokens[:1] == [command[at:end]] and tokens[0] != "&":
            places.append((at, end))
        at = end
    return places


def may_part(head: str, between: str, rest: str) -> bool:
    """Whether `rest` does in a shell of its own what it would do behind `head` and the operator `between`."""
    if _STATE.search(rest) or re.search(r"\balias\b", head):
        return False
    if between in ";\n":
        return True
    if between == "&&" and "||" in head:
        return False
    return _is_one(rest, {"&&": "&&", "||": "||"}.get(between, "|"))


def _is_one(text: str, between: str) -> bool:
    """Whether it is one command, a compound one or a here-document say, or several that `between` joins alone."""
    document = _HEREDOC.match(text)
    plain = _QUOTED.sub("_", document[1] if document else text)
    joins = [found[0] for found in _JOINS.finditer(plain)]
    if all(join == between for join in joins):
        return True
    depth = 0
    words = list(_WORDS.finditer(plain))
    for number, word in enumerate(words):
        depth += (word[0] in _OPENS) - (word[0] in _CLOSES)
        if depth <= 0:
            after = _JOINS.findall(plain, word.end())
            return depth == 0 and number > 0 and all(join == between for join in after)
    return False
