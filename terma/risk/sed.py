"""What a sed script does beyond editing the text that flows by: GNU sed runs commands and writes files."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Literal

from terma import regex as re
from terma.records import dataclass

_ADDRESS = re.compile(r"(?:\d+(?:~\d+)?|\$|[+~]\d+)")
_FLAGS = re.compile(r"[gpiImMe0-9]*")
_BLANKS_AND_JOINS = " \t\n;{}!,"


@dataclass(frozen=True, slots=True)
class Effect:
    """`runs`: shell text ("" when it is the text that is edited); `writes`: a file's name."""

    kind: Literal["runs", "writes"]
    text: str


def effects(script: str) -> Iterator[Effect]:
    """Every command that `script` runs and every file that it writes; a script that is no sed ends quietly."""
    at = 0
    while at < len(script):
        letter = script[at]
        if letter in _BLANKS_AND_JOINS:
            at += 1
        elif number := _ADDRESS.match(script, at):
            at = number.end()
        elif letter in "/\\":
            start = at + (letter == "\\")
            at = _end_of_part(script, start + 1, script[start : start + 1], brackets=True)
            while script[at : at + 1] in ("I", "M"):
                at += 1
        elif letter == "s":
            at = yield from _substitution(script, at + 1)
        elif letter == "y":
            middle = _end_of_part(script, at + 2, script[at + 1 : at + 2])
            at = _end_of_part(script, middle, script[at + 1 : at + 2])
        else:
            at = yield from _command(script, at)


def _command(script: str, at: int) -> Generator[Effect, None, int]:
    """What the command at `at` does; returns where the next may begin."""
    letter, end = script[at], _end_of_line(script, at)
    rest = script[at + 1 : end].strip()
    if letter == "e":
        yield Effect("runs", rest)
    elif letter in "wW":
        yield Effect("writes", rest)
    elif letter in "aic":
        while end < len(script) and script[end - 1] == "\\":
            end = _end_of_line(script, end + 1)
    elif letter not in "rR#":
        return at + 1 if letter not in ":btT" else _end_of_label(script, at)
    return end


def _substitution(script: str, at: int) -> Generator[Effect, None, int]:
    """`at`: the delimiter. An `e` among the flags runs what the replacement made."""
    delimiter = script[at : at + 1]
    middle = _end_of_part(script, at + 1, delimiter, brackets=True)
    end = _end_of_part(script, middle, delimiter)
    flags = _FLAGS.match(script, end)
    after = flags.end() if flags else end
    if flags and "e" in flags[0]:
        yield Effect("runs", "")
        yield Effect("runs", script[middle : end - 1])
    if script[after : after + 1] == "w":
        line = _end_of_line(script, after)
        yield Effect("writes", script[after + 1 : line].strip())
        return line
    return after


def _end_of_part(script: str, at: int, delimiter: str, *, brackets: bool = False) -> int:
    """Behind the next unescaped `delimiter`; inside `brackets` of an expression it stands for itself."""
    bracket = False
    while at < len(script):
        if script[at] == "\\":
            at += 1
        elif script[at] == delimiter and not bracket:
            return at + 1
        elif brackets and script[at] == "[":
            bracket = bracket or "]" in script[at + 2 :]
        elif script[at] == "]" and script[at - 1] != "[":
            bracket = False
        at += 1
    return at


def _end_of_line(script: str, at: int) -> int:
    found = script.find("\n", at)
    return len(script) if found < 0 else found


def _end_of_label(script: str, at: int) -> int:
    found = re.compile(r"[;\n}]").search(script, at)
    return found.start() if found else len(script)
