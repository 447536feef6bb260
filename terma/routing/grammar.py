"""The shell's own grammar: loops, conditions, definitions, where it is kept to; `for example` keeps to none."""

from __future__ import annotations

from terma import regex as re
from terma.routing.evidence import Signal
from terma.routing.weights import of

_BODY = {"if": "then", "while": "do", "until": "do"}
_RIGHT = {
    "for": re.compile(
        r"for\s+[A-Za-z_]\w*\s+in\s+(?:\S.*[;\n]\s*do\b|[\d$*{\"'.~/])|for\s*\(\(.*\)\)", re.DOTALL
    ),
    "select": re.compile(r"select\s+[A-Za-z_]\w*\s+in\s.*[;\n]\s*do\b", re.DOTALL),
    "case": re.compile(r"case\s+\S+\s+in(?:\s*$|\s.*\))", re.DOTALL),
    "function": re.compile(r"function\s+[\w-]+\s*(?:\(\s*\))?\s*(?:[{(]|$)"),
    **{
        word: re.compile(
            rf"{word}\s.*[;\n]\s*{body}\b|{word}\s+(?:!\s+)?\[.*\](?:\s*(?:[;\n&|]|$))|{word}\s+(?:true|:)$",
            re.DOTALL,
        )
        for word, body in _BODY.items()
    },
}
_OPENERS = (
    (re.compile(r"\(\(.*\)\)", re.DOTALL), "arithmetic of the shell"),
    (re.compile(r"\[\[?\s.*\s\]\]?(?:\s|;|$)", re.DOTALL), "a condition of the shell"),
    (re.compile(r"[A-Za-z_][\w-]*\s*\(\s*\)\s*(?:[{(\n]|$)"), "defines a function"),
    (
        re.compile(
            r"at (?:now|noon|midnight|teatime|tomorrow|\d{1,2}(?::\d\d)? ?(?:am|pm)?)"
            r"(?: (?:today|tomorrow))?(?: ?\+ ?\d+ \w+)?(?: -f \S+| ?<{1,3} ?\S.*)?$"
        ),
        "a time for at",
    ),
    (re.compile(r"\^[^^]+\^[^^]*\^?$"), "changes the line before"),
    (re.compile(r"[|;)]|&&|<<"), "begins with an operator"),
    (re.compile(r"#"), "a comment says something to a person"),
)


def compound(line: str) -> Signal | None:
    """What the grammar of `line` as a whole says; None where it begins like a simple command."""
    first = re.split(r"[\s;(]", line, maxsplit=1)[0]
    if first in _RIGHT:
        right = bool(_RIGHT[first].match(line))
        why = f"{first!r} with the shell's grammar" if right else f"{first!r} without the shell's grammar"
        return Signal("structure", of("grammar kept" if right else "grammar broken"), why)
    for pattern, why in _OPENERS:
        if pattern.match(line):
            return Signal("structure", of(why), why)
    return None
