"""What a command would do, without running it: its programs and options in the words of their own manual pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from terma.machine import manual
from terma.machine.programs import is_builtin, where
from terma.text import one_line

_CALLS, _OPTIONS, _LONGEST = 6, 8, 160
_ARGUMENTS = 3  # words that follow an option on its own line
_NAME = re.compile(r"^NAME\s+(?:.*?\s)?\\?-{1,2}\s+(.+)$", re.MULTILINE)
_BARE = ("tar", "ar")  # their first word may be options without a dash
_WHO = ("the owner", "the group", "everyone else")
_SPECIAL = (
    (4, "runs as its owner"),
    (2, "runs as its group"),
    (1, "only its owner may delete what lies in it"),
)


def known(command: str, path: str, cwd: str) -> Iterator[tuple[str, str]]:
    """(`tar`, "an archiving utility"), (`  -x`, …): each program and option of which the machine itself tells. Blocks
    for some milliseconds."""
    try:
        from terma.risk.syntax import read
        from terma.risk.wrappers import inner_calls
    except ImportError:
        return
    calls = [call for outer in read(command)[0] for call in (outer, *inner_calls(outer)) if call.name]
    seen: set[tuple[str, ...]] = set()
    for call in calls[:_CALLS]:
        words = tuple(word.text for word in call.words)
        if words in seen:
            continue
        seen.add(words)
        page, name = _page(call.name, words[1:], path, cwd)
        if not page:
            yield call.name, "a builtin of the shell" if is_builtin(call.name, "bash") else ""
            continue
        about = _NAME.search(page)
        yield name, one_line(about[1], _LONGEST) if about else ""
        for word in _options(words[1:], page, call.name):
            if text := _option(page, word):
                yield f"  {word}", text
        for word in words[1:]:
            if text := mode(call.name, word):
                yield f"  {word}", text


def _page(name: str, words: tuple[str, ...], path: str, cwd: str) -> tuple[str, str]:
    file = where(name, path, cwd)
    if not file:
        return "", name
    sub = next((word for word in words if not word.startswith("-")), "")
    if sub.isalpha() and (page := manual.page(f"{name}-{sub}", Path(file))):
        return page, f"{name} {sub}"
    return manual.page(name, Path(file)), name


def _options(words: tuple[str, ...], page: str, name: str) -> list[str]:
    """The options, a cluster as its letters where the page knows none of that name; tar takes one without its dash."""
    found: list[str] = []
    bare = name in _BARE and words[:1] and words[0].isalpha()
    for word in (f"-{words[0]}", *words[1:]) if bare else words:
        if word == "--":
            break
        if word.startswith("--"):
            found.append(word.partition("=")[0])
        elif word.startswith("-") and word[1:].isalnum():
            cluster = len(word) > 2 and not _option(page, word)
            found += [f"-{letter}" for letter in word[1:]] if cluster else [word]
    return list(dict.fromkeys(found))[:_OPTIONS]


def _option(page: str, option: str) -> str:
    """What the page says of `option`: the text beneath the line that begins with it, and holds little else."""
    for line in re.finditer(
        rf"(?:(?<=\n\n)|(?<=[.:)]\n))(?:-[^\n]*, ?)?{re.escape(option)}(?![\w-])([^\n]*)\n+((?:[^\n]+\n?){{1,3}})",
        page,
        re.M,
    ):
        text = " ".join(line[2].split()).partition(". ")[0]
        beside = [word for word in line[1].split() if not word.startswith(("-", ","))]
        entry = len(beside) <= _ARGUMENTS and ")" not in line[1]
        words = text.split()
        whole = len(words) > 2 and words[0] not in ("and", "is", "but", "or")
        if entry and whole and text[0].isalpha() and text.count("(") == text.count(")"):
            return one_line(text, _LONGEST)
    return ""


def mode(program: str, word: str) -> str:
    """What a mode of chmod or umask says, in words: 755 lets the owner read, write and execute, …"""
    if program not in ("chmod", "umask", "mkdir", "install") or not re.fullmatch(r"[0-7]{3,4}", word):
        return ""
    digits = [int(digit) for digit in word[-3:]]
    if program == "umask":
        taken = ", ".join(f"{who} {_may(digit)}" for who, digit in zip(_WHO, digits, strict=True) if digit)
        return f"a new file is without: {taken or 'nothing'}"
    said = "; ".join(f"{who} may {_may(digit)}" for who, digit in zip(_WHO, digits, strict=True))
    letters = "".join(
        (f"{'r' if d & 4 else '-'}{'w' if d & 2 else '-'}{'x' if d & 1 else '-'}") for d in digits
    )
    extra = [name for bit, name in _SPECIAL if len(word) == 4 and int(word[0]) & bit]
    return f"{letters}: {said}" + (f"; {', '.join(extra)}" if extra else "")


def _may(digit: int) -> str:
    rights = [name for bit, name in ((4, "read"), (2, "write"), (1, "execute")) if digit & bit]
    return " and ".join(filter(None, (", ".join(rights[:-1]), rights[-1]))) if rights else "do nothing"
