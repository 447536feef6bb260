"""Values into commands: shell words, and literal text inside grep, sed and awk programs."""

from __future__ import annotations

import shlex

from terma import regex as re

_SAFE_PATH = re.compile(r"[\w@%+=:,./~-]+\Z", re.A)


def word(text: str) -> str:
    """`text` as one shell word; `~` and `$NAME` at its start still expand."""
    if re.fullmatch(r"\$\{?[A-Za-z_]\w*\}?", text):
        return f'"{text}"'
    if _SAFE_PATH.match(text) and not text.startswith("-"):
        return text
    if text.startswith("~/"):
        return "~/" + shlex.quote(text[2:])
    if text.startswith("-"):
        return shlex.quote("./" + text)
    return shlex.quote(text)


def operand(text: str) -> str:
    """A path that the shell may expand: globs stay open, the rest is quoted."""
    if re.fullmatch(r"[\w@%+=:,./~*?\[\]{}-]+", text) and not text.startswith("-"):
        return text
    return word(text)


def pattern(text: str) -> str:
    """A glob or a regular expression as an argument: always in quotes unless it is a plain word."""
    return text if re.fullmatch(r"[\w.,/@%+:][\w.,/@%+:-]*", text) else shlex.quote(text)


def quoted(text: str) -> str:
    """In single quotes, whatever it is."""
    return "'" + text.replace("'", "'\"'\"'") + "'"


def bre(text: str) -> str:
    """Literal text as a basic regular expression (grep, sed)."""
    return re.sub(r"([\\.*\[\]^$])", r"\\\1", text)


def ere(text: str) -> str:
    """Literal text as an extended regular expression (awk, grep -E)."""
    return re.sub(r"([\\.*+?()\[\]{}|^$/])", r"\\\1", text)


def sed_side(text: str, replacement: bool = False) -> str:
    """Literal text for one side of `s/…/…/`."""
    if replacement:
        return re.sub(r"([\\&/])", r"\\\1", text)
    return bre(text).replace("/", r"\/")
