"""A fix is proved before it is offered: it changes what the output calls wrong, and what it uses is here."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from terma.offline.explain.asked import danger_of, keeps, with_context
from terma.offline.explain.case import Case
from terma.offline.explain.evidence import Weight
from terma.offline.explain.installable import (
    FETCHES,
    Verdict,
    is_listed,
    may_be_installed,
    on_this_machine,
    text_of,
)
from terma.offline.explain.line import Word, program_at, words_of
from terma.offline.explain.raised import as_root
from terma.offline.explain.second import also_made, also_mended
from terma.offline.explain.wellformed import wellformed

_ASSIGNED = re.compile(r"[A-Za-z_]\w*\+?=")

_GOES = 3  # words of the shortest `cd FOLDER && COMMAND`


@dataclass(frozen=True, slots=True)
class Proved:
    """`fixes` hold, what works here first. `withheld` would work, but does what nobody asked for: (command, what).

    Where the best one is withheld, there are no others: they were further from what was meant."""

    fixes: tuple[str, ...] = ()
    withheld: tuple[tuple[str, str], ...] = ()


def proved(case: Case, fixes: Iterable[str], bound: bool) -> Proved:
    """`fixes` judged one by one. `bound`: the rule reasons about this very program."""
    wanted = [
        whole
        for fix in fixes
        if fix
        and (whole := as_root(case, with_context(case, also_made(case, also_mended(case, fix))))).strip()
        != case.command.strip()
    ]
    kept = [(fix, judge(case, fix, bound)) for fix in dict.fromkeys(wanted)]
    held = [(fix, verdict) for fix, verdict in kept if verdict.holds]
    dangers = {fix: danger_of(case, fix) for fix, _ in held}
    withheld = tuple((fix, dangers[fix]) for fix, _ in held if dangers[fix])
    if withheld and dangers[held[0][0]]:
        return Proved((), withheld)
    works_first = sorted(held, key=lambda one: not one[1].works)
    return Proved(tuple(fix for fix, _ in works_first if not dangers[fix]), withheld)


def judge(case: Case, fix: str, bound: bool) -> Verdict:
    """`fix` held against the failure's output and the machine."""
    words = words_of(fix)
    if not wellformed(case, fix) or not all(
        _can_start(case, words, part) for part in sorted({word.part for word in words})
    ):
        return Verdict(False)
    texts = [text_of(words, part) for part in sorted({word.part for word in words})]
    if (
        not _is_found_there(case, words)
        or not _leads_somewhere(case, words)
        or not _is_of_its_kind(case, words)
        or _fails_for_root_too(case, words)
        or _lacks_the_same(case, words)
        or _deletes_the_current_branch(case, words)
    ):
        return Verdict(False)
    installs = any(pattern.match(text) for text in texts for pattern in FETCHES)
    if not bound and not installs and not _changes_what_is_wrong(case, words):
        return Verdict(False)
    if not keeps(case, fix, bound) or not all(may_be_installed(case, text) for text in texts):
        return Verdict(False)
    return on_this_machine(case, fix, texts)


def _is_found_there(case: Case, words: tuple[Word, ...]) -> bool:
    """Whether what lies here by the names of the command is still found by them in the folder that the fix goes to."""
    if len(words) < _GOES or words[0].value != "cd" or case.program == "cd":
        return True
    folder = words[1].value.rstrip("/")
    there = (word.value for word in words[2:] if not word.value.startswith(("-", "/", "~")))
    return all(
        case.exists(f"{folder}/{name}")
        for name in there
        if ("/" in name and case.exists(name)) or ("." in name and case.is_regular(name))
    )


def _leads_somewhere(case: Case, words: tuple[Word, ...]) -> bool:
    """Whether each folder that a `cd` of the fix goes to is here, or is made by what stands before it."""
    before: set[str] = set()
    for part in sorted({word.part for word in words}):
        mine = [word.value for word in words if word.part == part and not word.after]
        target = mine[-1] if mine[0] == "cd" and len(mine) > 1 else ""
        plain = case.cwd and target and not re.search(r"[$*?{`]|^-", target)
        if plain and not before and not case.is_dir(target):
            return False
        before |= {*mine}
    return True


# What the folder of a program's -C holds where the program can work in it.
_MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
_HOLDS = {"make": _MAKEFILES, "gmake": _MAKEFILES, "ninja": ("build.ninja",)}


def _is_of_its_kind(case: Case, words: tuple[Word, ...]) -> bool:
    """Whether a folder that -C did not name before holds what the program looks for there."""
    holds, typed = _HOLDS.get(case.program, ()), {word.value for word in case.words}
    new = [
        word.value
        for before, word in itertools.pairwise(words)
        if before.value == "-C" and word.value not in typed
    ]
    named = {"-f", "--file", "--makefile"} & typed
    return not holds or bool(named) or all(any(case.exists(f"{one}/{name}") for name in holds) for one in new)


def _fails_for_root_too(case: Case, words: tuple[Word, ...]) -> bool:
    """Whether it is the failed command as root, and the output misses something that root does not find either."""
    if [word.value for word in words] != ["sudo", *(word.value for word in case.words)]:
        return False
    return any(
        not case.exists(name)
        and re.search(rf"{re.escape(name.rstrip('/'))}[^\n]*no such file", case.output, re.IGNORECASE)
        for name in case.operands
        if name.strip("/")
    )


def _lacks_the_same(case: Case, words: tuple[Word, ...]) -> bool:
    """Whether it is the failed command with other words, and one of the kept ones is missing by the output as well."""
    if words[0].value != case.words[0].value or len(words) != len(case.words):
        return False
    kept = {word.value for word in words} & set(case.operands)
    return any(
        not case.exists(name)
        and re.search(rf"['‘\"]{re.escape(name)}['’\"]: no such file", case.output, re.IGNORECASE)
        for name in kept
        if name.strip("/")
    )


def _deletes_the_current_branch(case: Case, words: tuple[Word, ...]) -> bool:
    """Whether it is a `git branch -d` of the branch that is checked out, which git refuses."""
    values = [word.value for word in words]
    deletes = values[:2] == ["git", "branch"] and {"-d", "-D", "--delete"} & set(values)
    return bool(deletes and case.repo and case.repo.branch in values)


def _can_start(case: Case, words: tuple[Word, ...], part: int) -> bool:
    """Whether the program of one part is one that was typed already, or one that is here."""
    index = program_at(words, part)
    if index < 0:
        return True
    name = words[index].value
    typed = {word.value for word in case.words}
    gone = not case.installed(name) and re.search(
        rf"(?m){re.escape(name)}: (?:command )?not found$", case.output
    )
    if gone and case.path:
        return False
    if name in typed or not case.path or _ASSIGNED.match(name) or name.startswith(("$", "{")):
        return True
    if "/" in name:
        made = any(
            name.startswith(word.value.rstrip("/") + "/") for word in words[:index]
        )  # by a part before
        return made or case.exists(name)
    other = {"apt": "apt-get"}.get(name, name)  # one package has both
    return case.installed(name) or case.installed(other) or name in case.failure.aliases


def _changes_what_is_wrong(case: Case, words: tuple[Word, ...]) -> bool:
    """Whether every word of the failed command that is gone from the fix was wrong by the output, or is no file."""
    was = Counter(word.value for word in case.words)
    now = Counter(word.value for word in words)
    gone, came = list((was - now).elements()), list((now - was).elements())
    if not gone or not was & now or _is_another(case, words):
        return True
    joined = " ".join(word.value for word in words)
    for word in gone:
        if re.search(rf"(?:^|[\s/=:,@]){re.escape(word)}(?:$|[\s/=:,@])", joined):
            continue  # it lives on inside a word that was put together
        if not _is_wrong(case, word, came):
            return False
    return True


def _is_another(case: Case, words: tuple[Word, ...]) -> bool:
    """Whether this is another command than the failed one: another program, with other words."""
    index = program_at(words, words[0].part)
    if index < 0 or words[index].value in {word.value for word in case.words}:
        return False
    kept = {word.value for word in words[index + 1 :]}
    return not case.args or not set(case.args) <= kept


def _is_wrong(case: Case, word: str, came: list[str]) -> bool:
    if word == case.program or word.rpartition("/")[2] == case.program:
        if case.installed(word) and not re.search(rf"{re.escape(word)}: (?:command )?not found", case.output):
            return _about_command(case, word)
        return True
    if _about_command(case, word) or any(is_listed(case, other) for other in came):
        return True
    bare = word.partition("=")[2] or word
    return not case.exists(bare) and any(case.exists(other.partition("=")[2] or other) for other in came)


def _about_command(case: Case, word: str) -> bool:
    """Whether a line that tells the failure holds `word`, and is not about a place in some source."""
    found = case.evidence
    sources = {place.index for place in found.places}
    pieces = {word, word.lstrip("-"), *(piece for piece in re.split(r"[=:/,@.]+", word) if len(piece) > 1)}
    for index, line in enumerate(found.lines):
        if found.weights[index] < Weight.NOTE or (index in sources and found.weights[index] == Weight.ERROR):
            continue
        if any(len(piece) > 1 and piece in line for piece in pieces):
            return True
    return False
