"""An option or a name in a spelling that this program does not read: a name with a dash in front, one dash for two, a
blank for the equals sign, a verb that another program has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from terma.machine import manual
from terma.offline.explain.case import Case
from terma.offline.explain.finding import Finding
from terma.offline.explain.near import nearest
from terma.offline.explain.shapes.told import named, replaced, told

_UNKNOWN = re.compile(
    r"invalid|unknown|unrecogni[sz]ed|illegal|no such option|unexpected|not recogni[sz]ed|bad ", re.IGNORECASE
)
_EQUALS = re.compile(r"equals sign|should be: \S*[=]|\bof the form \S*=|expected .?=", re.IGNORECASE)


def spelled(case: Case) -> Iterator[Finding]:
    yield from _name_with_dash(case)
    yield from _two_dashes(case)
    yield from _equals(case)
    yield from _keyword(case)
    yield from _same_letters(case)


def _name_with_dash(case: Case) -> Iterator[Finding]:
    """A file whose name begins with a dash was read as options: its folder in front makes it a name."""
    if not _UNKNOWN.search(told(case)):
        return
    fix, names = case.command, []
    for word in reversed(case.arguments):
        if word.value.startswith("-") and len(word.value) > 2 and case.exists(word.value):
            fix = f"{fix[: word.start]}./{fix[word.start :]}" if fix[word.start] == "-" else fix
            names.append(word.value)
    if names:
        yield Finding(f"{names[-1]} is a file here, and its dash made it an option.", fix)


def _two_dashes(case: Case) -> Iterator[Finding]:
    """`-exclude node_modules`: a long option with one dash is a cluster of letters, and its value an operand."""
    known = (
        set(case.options()) if any(re.fullmatch(r"-[a-z-]{4,}(?:=.*)?", one) for one in case.args) else set()
    )
    for at, word in enumerate(case.arguments):
        name, _, value = word.value.partition("=")
        if not re.fullmatch(r"-[a-z][a-z-]{3,}", name) or f"-{name}" not in known:
            continue
        after = case.args[at + 1] if at + 1 < len(case.args) else value
        if named(case, name) or named(case, name[1:]) or (after and re.search(re.escape(after), told(case))):
            yield Finding(
                f"{name} is a long option, and takes two dashes.",
                f"{case.command[: word.start]}-{case.command[word.start :]}",
            )


def _equals(case: Case) -> Iterator[Finding]:
    """The output asks for an equals sign between an option and what stands behind it."""
    if not _EQUALS.search(case.output):
        return
    for word, after in zip(case.arguments, case.arguments[1:], strict=False):
        pieces = (word.value, word.value.lstrip("-"), re.sub(r"^-[A-Z]", "", word.value))
        if (
            word.value.startswith("-")
            and "=" not in word.value
            and any(named(case, one) for one in pieces)
            and not after.value.startswith("-")
        ):
            yield Finding(
                f"{word.value} takes its value behind an equals sign.",
                f"{case.command[: word.end]}={case.command[after.start :]}",
            )
            return


def _keyword(case: Case) -> Iterator[Finding]:
    """`dd in=a`, `dd if a`: operands of the form key=value, whose keys the manual has."""
    if not re.search(r"operand|argument", told(case)):
        return
    path = case.program_file
    keys = (
        list(dict.fromkeys(re.findall(r"(?<![\w-])([a-z]{2,})=[A-Z]", manual.page(case.program, Path(path)))))
        if path
        else []
    )
    if not keys:
        return
    fix, said = case.command, ""
    words = case.arguments
    for at in range(len(words) - 1, -1, -1):
        word = words[at]
        key, equals, _ = word.value.partition("=")
        if not equals and key in keys and at + 1 < len(words) and "=" not in words[at + 1].value:
            fix, said = (
                f"{fix[: word.end]}={fix[words[at + 1].start :]}",
                f"{case.program} takes {key}=VALUE in one word.",
            )
        elif equals and key not in keys and named(case, word.value):
            near = [
                one
                for one in [*_spared(key, keys), *nearest(key, keys, 3)]
                if not any(arg.startswith(f"{one}=") for arg in case.args)
            ] or [
                one
                for one in keys
                if len(key) == len(one)
                and one[0] == key[0]
                and not any(a.startswith(f"{one}=") for a in case.args)
            ]
            if near:
                fix, said = (
                    f"{fix[: word.start]}{near[0]}{fix[word.start + len(key) :]}",
                    f"{case.program} says {near[0]}= for that.",
                )
    if said:
        yield Finding(said, fix)


def _spared(key: str, keys: list[str]) -> list[str]:
    """The one key of which `key` has the first letter and others in their order, some left out: cnt for count."""
    pattern = re.compile(re.escape(key[0]) + "".join(f".*{re.escape(letter)}" for letter in key[1:]))
    found = [one for one in keys if len(one) > len(key) and pattern.fullmatch(one) and one[-1] == key[-1]]
    return found if len(found) == 1 and len(key) > 2 else []


def _same_letters(case: Case) -> Iterator[Finding]:
    """`--out-dir` for `--outDir`, `--depth` for `--max-depth`: the same words, joined otherwise or one left out."""
    if not _UNKNOWN.search(told(case)):
        return
    for word in case.arguments:
        name = word.value.partition("=")[0]
        of_options = re.search(r"option|flag|switch|argument|parameter", told(case), re.IGNORECASE)
        spoken = named(case, name) or (
            of_options and named(case, name[2:])
        )  # else it is a word of the language
        if not re.fullmatch(r"--[\w-]{3,}", name) or not spoken:
            continue
        if name in case.options():
            continue  # it is its value that is wrong
        known = [
            *case.options(),
            *re.findall(r"(?<![\w-])--[A-Za-z][\w-]+", case.output),
            *_camel(case, name),
        ]
        same = [one for one in dict.fromkeys(known) if _letters(one) == _letters(name) and one != name]
        parts = set(name[2:].split("-"))
        wider = [one for one in dict.fromkeys(known) if parts < set(one[2:].split("-"))]
        meant = same if len(same) == 1 else wider if len(wider) == 1 else []
        if meant:
            yield Finding(
                f"{case.program} spells {name} as {meant[0]}.",
                replaced(case, word.start, word.start + len(name), meant[0]),
            )


def _camel(case: Case, name: str) -> list[str]:
    """The spelling with capitals, where the program writes its other options so on this line or in its message."""
    head, *rest = name[2:].split("-")
    camel = "--" + head + "".join(part.capitalize() for part in rest)
    others = re.search(r"(?<![\w-])--?[a-z]+[A-Z]\w+", f"{case.command}\n{case.output}")
    return [camel] if rest and (others or "compiler option" in case.low) else []


def _letters(name: str) -> str:
    return re.sub(r"[-_]", "", name).lower()
