"""A value in the words of what is said of it: `parts of 10M`, `from line 2 on`, `what comes in` for a file called -."""

from __future__ import annotations

import re
from collections.abc import Callable

from terma.pieces.texts import sed, sort_key
from terma.text import one_line

_LONGEST = 40  # code points of a value in a text
_ONE = re.compile(r"\b1 (line|time|byte|commit|folder|day|minute|second|job|word)s\b")
_BLANK = {
    "": "nothing",
    " ": "a blank",
    "\t": "a tab",
    "\\t": "a tab",
    "\n": "a line's end",
    "\\n": "a line's end",
}
_FILE = re.compile(
    r"\b(file|document|archive|picture|PDF|script|where to look)$|\b(file|document|archive|picture) to\b"
)
_WRITES = re.compile(r"\bwrit|\bcalled \{\}|\bto \{\}|\binto \{\}|\boutput\b")


def filled(says: str, value: str | None, *, is_file: bool = False) -> str:
    """`says` with the value in its place; None: there is none. `+5` of `{n}` is `more than 5`; of `one | other` the
    second is said where there is a value. `is_file`: the value names a file, and `-` no file but what comes in or
    goes out."""
    without, bar, given = says.partition(" | ")
    says = given if bar and value else without
    if value is None or (not value and "{" not in says):
        return re.sub(r" ?\{n?\}", "", says)
    shown = _stream(says) if is_file and value == "-" else _shown(value)
    if "{n}" in says:
        number = {"+": "more than ", "-": "less than "}.get(shown[0], "")
        says = says.replace("{n}", f"{number}{shown.lstrip('+-')}")
    return _ONE.sub(r"1 \1", says.replace("{}", shown))


def alike(raw: str, text: str) -> int:
    """How many characters of a word stand in it as the program gets them, up to the first quote or expansion."""
    return next(
        (at for at, (one, other) in enumerate(zip(raw, text, strict=False)) if one != other), len(text)
    )


def passed(role: str) -> str:
    """What `-` is as an operand of this role: "" where the role is no file's."""
    return f"{_stream(role)}, in the place of a file" if _FILE.search(role.removesuffix(" {}")) else ""


def _shown(value: str) -> str:
    return _BLANK.get(value) or one_line(value, _LONGEST)


def _stream(says: str) -> str:
    if _WRITES.search(says):
        return "its output"
    return "its input" if "archive" not in says else "its input or output"


def own_form(program: str, option: str, value: str, letter: Callable[[str], str]) -> str:
    """What the value itself says: sed's script, sort's key, and a sign before the number of head and tail, which then
    count from the other end. "" for every other. `letter` says what an option of the program does."""
    if program == "sort" and option in ("-k", "--key"):
        return sort_key(value, letter)
    if program == "sed" and option in ("-e", "--expression"):
        return sed(value)
    if program == "curl" and option in ("-C", "--continue-at") and value == "-":
        return "go on where the file that is here ends"
    if program not in ("head", "tail") or not value[1:].isdigit():
        return ""
    unit = "byte" if option.lstrip("-")[:1] in ("c", "b") else "line"
    if program == "tail" and value[0] == "+":
        return f"from {unit} {value[1:]} on"
    return (
        _ONE.sub(r"1 \1", f"all but the last {value[1:]} {unit}s")
        if program == "head" and value[0] == "-"
        else ""
    )


def named(program: str, value: str) -> str:
    """The value as the program takes it: of curl's `@FILE` what is in the file."""
    if program != "curl" or value[:1] != "@" or len(value) < 2:
        return value
    return "its input" if value == "@-" else f"what {value[1:]} holds"
