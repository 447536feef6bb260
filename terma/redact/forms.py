"""What a row of the tables is: a pattern, where it is looked for, and who judges what it matched."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from terma.redact.lazy import ANY_CASE, compiled

Span = tuple[int, int]
Judge = Callable[[re.Match[str]], "Span | None"]
# What a value may be: quoted (a backslash escapes), or bare up to a delimiter. Every quantifier is bounded.
QUOTED = r"""(?P<q>["'])(?P<quoted>(?:\\.|(?!(?P=q))[^\\\n]){1,4000})"""
ESCAPED = r"""\\["'](?P<escaped>[^"'\\\n]{1,4000})"""
BARE = r"""(?P<bare>[^\s"'`;,|<>(){}\[\]&]{1,4000}[^\s"'`;,|<>]{0,200})"""
V = r"""['"]?(?P<v>[^\s'"]{1,400})"""
S = r"""["'](?P<v>[^"'\n]{1,400})["']"""  # a string of a program


@dataclass(frozen=True, slots=True)
class Surrounding:
    """`pattern` runs on the lines that hold one of `hints` (lower case); `judge` gives the span of the secret.

    `opens`: what each match begins with, as a pattern for text in small letters. It finds those places in a fraction
    of the time that `pattern` would take."""

    hints: tuple[str, ...]
    source: str
    judge: Judge
    needs: tuple[str, ...] = ()  # one of these stands near, too, in lower case
    looks_back: bool = False  # whether the judge reads the line before
    opens: str = ""
    by_name: str = (
        ""  # where it opens with its group `name`, which no other of these stands before: its characters
    )

    @property
    def pattern(self) -> re.Pattern[str]:
        return compiled(self.source, ANY_CASE)


WORD_CHARS = "abcdefghijklmnopqrstuvwxyz0123456789_"
OPENS = re.compile(r"[(\[{]")
CLOSES = re.compile(r"[)\]}]+[:;,.]*$")


def value_of(match: re.Match[str]) -> tuple[str, Span, bool]:
    """The value, where it stands, and whether it was quoted."""
    kind = next(kind for kind in ("escaped", "quoted", "bare") if match[kind] is not None)
    value, (start, end) = match[kind], match.span(kind)
    if kind == "bare" and value[-1:] in ")]};:,." and value.isascii() and not OPENS.search(value):
        value = CLOSES.sub("", value)  # what opened before the name
        end = start + len(value)
    return value, (start, end), kind != "bare"


def rule(
    hints: str,
    pattern: str,
    judge: Judge,
    needs: tuple[str, ...] = (),
    *,
    looks_back: bool = False,
    opens: str = "",
    by_name: str = "",
) -> Surrounding:
    return Surrounding(tuple(hints.split("|")), pattern, judge, needs, looks_back, opens, by_name)


def spaced_out(*words: str) -> tuple[str, ...]:
    """Each of `words` with a blank behind it, as what a rule needs."""
    return tuple(word + blank for word in words for blank in " \t")
