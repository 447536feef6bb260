"""A line cut as a shell would cut it, but never refused: a sentence has apostrophes and open quotes."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from terma import regex as re
from terma.records import dataclass

_TOKEN = re.compile(
    r"""(?P<blank>[^\S\n]+)
    | (?P<redirect>&>>?|\d*(?:>>|>\||<<<|<<-?|<>|[<>]&[\d-]?|<(?!\()|>(?!\()))
    | (?P<operator>&&|\|\||;;|\|&|[|;&()\n])
    | (?P<word>(?:
          (?<=[^\W_])'(?=[^\W\d_])               # don't: an apostrophe
        | [^\s|;&<>()'"\\`$]+ | \\. | \\$
        | \$\([^()]*(?:\([^()]*\)[^()]*)*\) | \$\{[^}]*\} | \$'(?:[^'\\]|\\.)*' | \$
        | '[^']*' | "(?:[^"\\]|\\.)*" | `[^`]*` | ['"`]
        | [<>]\([^()]*\)
      )+)""",
    re.VERBOSE | re.DOTALL,
)
_QUOTES = re.compile(r"""(?:^|(?<=[=:({,]))(?:'[^']*'|"(?:[^"\\]|\\.)*")""")

_COMMENT = re.compile(r"""((?:[^'"`#]|'[^']*'|"[^"]*"|`[^`]*`|(?<!\s)#)*\s)#\s+(?!of\b).*""")


def without_comment(line: str) -> str:
    """`line` without the comment at its end: `ls  # all of them`; `the # of files` has none."""
    found = _COMMENT.fullmatch(line) if "#" in line else None
    return found.group(1).rstrip() if found else line


class Word(NamedTuple):
    """A word as typed, and whether quotes hold it together or its greater part."""

    text: str
    quoted: bool


@dataclass(frozen=True, slots=True)
class Command:
    """A simple command: `before` is the operator in front of it, "" for the first; `redirects` are written with their
    targets (">out.txt")."""

    before: str
    words: tuple[Word, ...]
    redirects: tuple[str, ...]


@lru_cache(256)
def cut(line: str) -> tuple[Command, ...]:
    """The simple commands of `line` in order, those without words too."""
    done: list[Command] = []
    before, redirect = "", ""
    words: list[Word] = []
    redirects: list[str] = []
    for token in _TOKEN.finditer(line):
        kind, text = token.lastgroup, token.group()
        if kind == "blank":
            continue
        if redirect:
            redirects.append(redirect + (text if kind == "word" else ""))
            redirect = ""
            if kind == "word":
                continue
        if kind == "word":
            words.append(Word(text, bool(_QUOTES.search(text))))
        elif kind == "redirect":
            if text[-1] in "0123456789-" and "&" in text:
                redirects.append(text)
            else:
                redirect = text
        else:
            if words or redirects or before:
                done.append(Command(before, tuple(words), tuple(redirects)))
            before, words, redirects = text, [], []
    if redirect:
        redirects.append(redirect)
    done.append(Command(before, tuple(words), tuple(redirects)))
    return tuple(done)
