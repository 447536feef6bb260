"""A command line cut into words with their places, so that a fix can change one word and leave the rest as typed."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable
from dataclasses import dataclass

_OPERATOR = re.compile(r"\d*(?:>>|>\||>&|<<<|<<|<|>)|&>>?|&&|\|\||\|&|[|;&()\n]")
_BREAKS = ("&&", "||", "|", "|&", ";", "&", "\n", "(", ")")
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")
_WRAPPERS = {"sudo", "doas", "env", "time", "nohup", "command", "exec", "nice", "builtin", "stdbuf"}
_WITH_VALUE = {"sudo": ("-u", "-g", "-h", "-p"), "nice": ("-n",), "env": ("-u", "-C"), "doas": ("-u",)}


@dataclass(frozen=True, slots=True)
class Word:
    """One word: `value` without its quotes, `line[start:end]` as typed, `part` the number of its simple command."""

    value: str
    start: int
    end: int
    part: int
    after: str = ""  # the redirection that stands before it, if one does


def words_of(line: str) -> tuple[Word, ...]:
    """The words of `line` in order; an unclosed quote runs to the end. Operators are left out."""
    words: list[Word] = []
    at, part, before = 0, 0, ""
    while at < len(line):
        if line[at] in " \t":
            at += 1
            continue
        operator = _OPERATOR.match(line, at)
        if operator:
            if operator.group() in _BREAKS:
                part, before = part + 1, ""
            else:
                before = operator.group()
            at = operator.end()
            continue
        value, end = _word(line, at)
        words.append(Word(value, at, end, part, before))
        at, before = end, ""
    return tuple(words)


def _word(line: str, at: int) -> tuple[str, int]:
    out: list[str] = []
    quote = ""
    while at < len(line):
        char = line[at]
        if quote:
            if char == quote:
                quote = ""
            elif char == "\\" and quote == '"' and line[at + 1 : at + 2] in ('"', "\\", "$", "`"):
                at += 1
                out.append(line[at])
            else:
                out.append(char)
        elif char in "'\"":
            quote = char
        elif char == "\\" and at + 1 < len(line):
            at += 1
            out.append(line[at])
        elif char in " \t\n|;&()<>":
            break
        elif line.startswith("$((", at):
            end = _after_arithmetic(line, at)
            out.append(line[at:end])
            at = end
            continue
        else:
            out.append(char)
        at += 1
    return "".join(out), at


def _after_arithmetic(line: str, at: int) -> int:
    """Where the `$((…))` that begins at `at` ends: it holds no commands. One that is not closed ends after its `$`."""
    depth = 0
    for index in range(at + 1, len(line)):
        depth += {"(": 1, ")": -1}.get(line[index], 0)
        if depth == 0:
            return index + 1
    return at + 1


def program_at(words: tuple[Word, ...], part: int) -> int:
    """The index of the word that names the program of simple command `part`, -1 when there is none."""
    skip_value: tuple[str, ...] = ()
    wrapped, skip = False, False
    for index, word in enumerate(words):
        if word.part != part or word.after:
            continue
        if skip:
            skip = False
        elif _ASSIGNMENT.match(word.value):
            continue
        elif wrapped and word.value.startswith("-"):
            skip = word.value in skip_value
        elif word.value in _WRAPPERS and _starts_another(words[index + 1 :], word):
            wrapped, skip_value = True, _WITH_VALUE.get(word.value, ())
        else:
            return index
    return -1


def _starts_another(rest: tuple[Word, ...], wrapper: Word) -> bool:
    """Whether words of the same command follow, and `command` is not asked what a name is (-v, -V)."""
    mine = [word.value for word in rest if word.part == wrapper.part]
    return bool(mine) and not (wrapper.value == "command" and re.fullmatch(r"-p?[vV]", mine[0]))


def quote(value: str) -> str:
    """`value` as one shell word; a leading `~/` and placeholders stay readable."""
    if value.startswith("~/"):
        return "~/" + shlex.quote(value[2:]) if value != "~/" else value
    return shlex.quote(value)


def only_file(command: str, words: Iterable[Word], is_file: Callable[[str], bool]) -> str:
    """The one file that `command` was given; "" where a text of code or a second file may be meant as well."""
    values = {word.value for word in words}
    if any(re.search(r"[\s{}();|*]", value) for value in values) or re.search(r"[|<]", command):
        return ""
    files = [value for value in values if is_file(value)]
    return files[0] if len(files) == 1 else ""
