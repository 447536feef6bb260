"""What is said of a few programs' own small languages: signals, modes of files, sed's commonest scripts."""

from __future__ import annotations

import re
from collections.abc import Callable

from terma.text import one_line

_SIGNALS = {
    "1": "HUP", "2": "INT", "3": "QUIT", "9": "KILL", "10": "USR1", "12": "USR2", "15": "TERM", "18": "CONT",
    "19": "STOP", "20": "TSTP",
}  # fmt: skip
_SAID = {
    "HUP": "hang up: many services read their settings anew",
    "INT": "interrupt, as Ctrl+C does",
    "QUIT": "quit and leave a core dump",
    "KILL": "end at once; the program cannot refuse or tidy up",
    "USR1": "the program's own signal 1",
    "USR2": "the program's own signal 2",
    "TERM": "ask the program to end",
    "CONT": "go on after a stop",
    "STOP": "stop until it is told to go on",
    "TSTP": "stop, as Ctrl+Z does",
}
_MODE = re.compile(r"([ugoa]*)([-+=])([rwxXst]+)$")
_VARIABLE = re.compile(r"([A-Za-z_]\w*)[:+?]?=")
_WHO = {"u": "the owner", "g": "the group", "o": "everyone else", "a": "everyone"}
_MAY = {
    "r": "read",
    "w": "write",
    "x": "execute",
    "X": "enter folders",
    "s": "run as its owner",
    "t": "keep what is theirs",
}
_SUBSTITUTE = re.compile(
    r"s(?P<mark>[/|#,:@!])(?P<old>(?:\\.|(?!(?P=mark)).)*)(?P=mark)(?P<new>(?:\\.|(?!(?P=mark)).)*)(?P=mark)(?P<flags>[gIip]*)$"
)
_SORT_KEY = re.compile(
    r"(?P<first>\d+)(?:\.(?P<char>\d+))?(?P<ways>[a-zA-Z]*)(?:,(?P<end>\d+)(?:\.(?P<last>\d+))?(?P<more>[a-zA-Z]*))?"
)
_LINES = re.compile(r"(?P<first>\d+|\$)(?:,(?P<last>\d+|\$))?(?P<what>[pdq])$")


def signal(name: str) -> str:
    """`9`, `KILL`, `SIGKILL`; "" for no signal."""
    short = name.upper().removeprefix("SIG")
    short = _SIGNALS.get(short, short)
    return f"the signal {short}: {_SAID[short]}" if short in _SAID else ""


def special(words: tuple[str, ...], number: int, text: str) -> str:
    """What an operand says by its own form, "" when it says nothing."""
    name = words[0]
    if name == "chmod" and not number and (found := _MODE.match(text)):
        who = " and ".join(_WHO[one] for one in found[1] or "a")
        rights = ", ".join(_MAY[one] for one in found[3])
        verb = {"+": "may now", "-": "may no longer", "=": "may only"}[found[2]]
        return f"{who} {verb} {rights}"
    if name in ("make", "gmake", "env") and (found := _VARIABLE.match(text)):
        return f"the variable {found[1]} is {one_line(text[found.end() :], 40) or 'empty'}"
    if name == "date" and text.startswith("+"):
        return f"written as {one_line(text[1:], 40)}"
    if words[:2] == ("git", "push") and number and text and (said := pushed(text)):
        return said
    if text == "{}":
        return "each name in its turn"
    if name == "sed" and not number:
        return sed(text)
    return ""


def pushed(text: str) -> str:
    """What git push makes of `HERE:THERE`, `:THERE` and `+BRANCH`; "" for a name alone."""
    name, colon, there = text.removeprefix("+").partition(":")
    forced = "; what is there is overwritten" if text[0] == "+" else ""
    if colon and not name:
        return f"the branch {there} is deleted there"
    if colon:
        return f"{name} becomes the branch {there} there{forced}"
    return f"the branch {name}{forced}" if forced else ""


def sort_key(text: str, letter: Callable[[str], str]) -> str:
    """What `2,2n` sorts by, as sort reads it: FIELD[.CHARACTER][OPTIONS], to the same; without an end, to the line's.
    `letter` says what an option of sort does."""
    found = _SORT_KEY.fullmatch(text)
    if not found:
        return ""
    first, char, end, last = found["first"], found["char"], found["end"], found["last"]
    where = f"field {first}" + (f", from character {char}" if char else "")
    if end and (end != first or char or last):
        where += f", to field {end}" + (f", character {last}" if last and last != "0" else "")
    elif not end:
        where += " and what follows it"
    ways = [
        says for one in dict.fromkeys(found["ways"] + (found["more"] or "")) if (says := letter(f"-{one}"))
    ]
    return f"by {', '.join([where, *ways])}"


def sed(script: str) -> str:
    """The commonest of sed's scripts in words: a substitution, and lines that are printed or deleted."""
    if found := _SUBSTITUTE.match(script):
        new, every = found["new"], "g" in found["flags"]
        what = f"replace {found['old']} by {new}" if new else f"delete {found['old']}"
        return f"{what}, {'every time' if every else 'once'} in each line"
    if found := _LINES.match(script):
        first = "the last line" if found["first"] == "$" else f"line {found['first']}"
        last = "the end" if found["last"] == "$" else found["last"]
        lines = f"{first} to {last}" if last else first
        return {"p": f"print {lines}", "d": f"delete {lines}", "q": f"stop after {lines}"}[found["what"]]
    return "what sed does with each line" if script else ""
