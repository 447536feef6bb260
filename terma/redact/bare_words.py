"""Whether a bare word beside a secret's name is its value: what stands around it on its line tells."""

from __future__ import annotations

import re

from terma.redact.plausible import METAVARIABLE, stands_in
from terma.redact.value_shapes import ABOUT, TWO_WORDS


def word_may_be_secret(text: str, start: int, name: str, value: str, end: int) -> bool:
    """Whether the bare word `value` of `NAME=word` or `NAME: word` is a password and not a variable of a program:
    no call is open before it on its line, nothing is called or indexed after it, and it says nothing of passwords."""
    if (
        not (re.fullmatch(r"[A-Za-z][A-Za-z_-]{4,60}[!?]?", value) or TWO_WORDS.match(value))
        or stands_in(value)
        or METAVARIABLE.match(value)
    ):
        return False
    line = text[max(text.rfind("\n", 0, start) + 1, start - 300) : start]
    if ABOUT.search(value) or line.count("(") > line.count(")"):
        return False
    after, between = text[end : end + 1], text[start + len(name) : end - len(value)]
    if between == " = " and after in ("", "\n", "\r") and IN_SETTINGS.search(line):
        return True
    if between == " ?= " and after in ("", "\n", "\r") and name.isupper():
        return True  # of make
    if between == ": " and after in ("'", '"') and line[-1:] == after and "-" in value:
        return True  # a header in its quotes
    if between == "=" and name.islower() and CAPITALS.fullmatch(value) and after in ("", " ", "\n"):
        return True
    if between == "=":
        return after in ("", " ", "\t", "\n", "\r", "&", ";", ",", '"', "'") and (
            name.isupper() or len(name) > 4 or line[-1:] in (",", "&", "?", ";")
        )
    return (
        between == ": " and after in ("", "\n", "\r") and line.count("{") <= line.count("}") and ":" in line
    )


CAPITALS = re.compile(r"[A-Z][a-z]+(?:-[a-z]+)*-[A-Z][a-z]+[!?]?")
# The name of a file, as grep and people put it before its lines.
IN_SETTINGS = re.compile(r"^[\w./-]*\.(?:ini|cnf|conf|cfg|properties|env|toml)(?::\d+)?[:-][ \t]*$")
SETTING = re.compile(r"\n?(?:\[[^\n]{1,80}\]|[a-zA-Z][\w.-]{0,60} = \S{1,200})[ \t]*\n$")

ALONE = re.compile(r"[a-z]{4,20} = ([a-z]{5,30})\r?(?:\n|$)")


def among_settings(text: str, start: int) -> bool:
    """Whether a section's head or another setting stands on the line before, as in an INI file, or the line is
    not indented at all and says no more."""
    if (start == 0 or text[start - 1] == "\n") and (alone := ALONE.match(text, start)):
        return not ABOUT.search(alone[1])
    before = text[max(0, start - 300) : start]
    line = before.rfind("\n", 0, len(before) - 1) + 1
    return bool(SETTING.match(before, line))


PROSE = re.compile(r"[ \t]+[a-z]{2,}[ \t]+[a-z]{2,}(?:[ \t.,-]|$)|[\])]")


def plain_words_follow(text: str, at: int) -> bool:
    """Whether two plain words follow, as in a sentence, or the end of a synopsis."""
    return bool(PROSE.match(text, at))
