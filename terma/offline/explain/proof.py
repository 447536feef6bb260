"""A fix is proved before it is offered: it changes what the output calls wrong, and what it uses is here."""

from __future__ import annotations

import itertools
import os
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from terma.machine.carriers import carriers
from terma.offline.explain import reach
from terma.offline.explain.asked import danger_of, keeps, with_context
from terma.offline.explain.case import Case
from terma.offline.explain.evidence import Weight
from terma.offline.explain.known_packages import well_known
from terma.offline.explain.line import Word, program_at, words_of
from terma.offline.explain.near import nearest
from terma.offline.explain.second import also_made, also_mended
from terma.offline.explain.subcommands import SUBCOMMANDS
from terma.offline.explain.wellformed import wellformed

_ASSIGNED = re.compile(r"[A-Za-z_]\w*\+?=")
_INSTALLERS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "pip",
        re.compile(r"^(?:\S*/)?(?:pip[\d.]*|python[\d.]* -m pip|pipx|uv(?: pip)?) (?:install|add|inject) "),
    ),
    ("npm", re.compile(r"^(?:npm|pnpm|yarn|bun) (?:install|i|add) ")),
    ("gem", re.compile(r"^gem install ")),
    ("cargo", re.compile(r"^cargo (?:add|install) ")),
    ("go", re.compile(r"^go (?:get|install) ")),
    ("perl", re.compile(r"^(?:cpan|cpanm) ")),
)
_SYSTEM = re.compile(r"^(?:apt|apt-get|dnf|yum|zypper|pacman|apk|snap|brew) (?:install|add|-S) ")

_GOES = 3  # words of the shortest `cd FOLDER && COMMAND`
_FETCHES = (*(pattern for _, pattern in _INSTALLERS), _SYSTEM)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a fix may be offered, and whether it can work on this machine as things stand."""

    holds: bool
    works: bool = True


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
        and (whole := with_context(case, also_made(case, also_mended(case, fix)))).strip()
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
    texts = [_text(words, part) for part in sorted({word.part for word in words})]
    if (
        not _is_found_there(case, words)
        or not _is_of_its_kind(case, words)
        or _fails_for_root_too(case, words)
        or _lacks_the_same(case, words)
        or _deletes_the_current_branch(case, words)
    ):
        return Verdict(False)
    installs = any(pattern.match(text) for text in texts for pattern in _FETCHES)
    if not bound and not installs and not _changes_what_is_wrong(case, words):
        return Verdict(False)
    if not keeps(case, fix, bound) or not all(_may_be_installed(case, text) for text in texts):
        return Verdict(False)
    return _on_this_machine(case, fix, texts)


def _is_found_there(case: Case, words: tuple[Word, ...]) -> bool:
    """Whether what lies here by the names of the command is still found by them in the folder that the fix goes to."""
    if len(words) < _GOES or words[0].value != "cd" or case.program == "cd":
        return True
    folder = words[1].value.rstrip("/")
    there = (word.value for word in words[2:] if not word.value.startswith(("-", "/", "~")))
    return all(case.exists(f"{folder}/{name}") for name in there if "/" in name and case.exists(name))


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


def _text(words: tuple[Word, ...], part: int) -> str:
    """One simple command without sudo and assignments, its words parted by one blank."""
    index = program_at(words, part)
    mine = [word.value for word in words[max(index, 0) :] if word.part == part and not word.after]
    return " ".join(mine) + " "


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
    if _about_command(case, word) or any(_is_listed(case, other) for other in came):
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


def _is_listed(case: Case, word: str) -> bool:
    """Whether the output or our own list has `word` among the program's subcommands and options."""
    lists = case.program in SUBCOMMANDS or re.search(r"usage|commands?\b|one of|valid ", case.low)
    if (
        lists
        and re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", case.output)
        and not case.evidence.places
    ):
        return True
    return word in SUBCOMMANDS.get(case.program, "").split()


def _may_be_installed(case: Case, text: str) -> bool:
    """A registry's package is offered by a well-known name alone, or by one that was typed or is advised."""
    for registry, pattern in _INSTALLERS:
        found = pattern.match(text)
        if not found:
            continue
        names = [word for word in text[found.end() :].split() if not word.startswith(("-", ".", "/", "~"))]
        return all(_is_known(case, registry, name) for name in names)
    return True


def _is_known(case: Case, registry: str, name: str) -> bool:
    plain = re.split(r"[\[=<>~!]|(?<=.)@", name)[0]
    lower = plain.lower().replace("_", "-") if registry == "pip" else plain
    if name.endswith((".txt", ".toml", ".whl", ".gz")) or lower in well_known(registry):
        return True
    if any(carrier.installer and carrier.package == plain for carrier in carriers().values()):
        return True
    if name in case.args:  # typed so; but not where it may be a slip for a well-known one
        return not nearest(lower, well_known(registry), 1)
    return registry == "go" and any(plain.startswith(known + "/") for known in well_known("go"))


def _on_this_machine(case: Case, fix: str, texts: list[str]) -> Verdict:
    """Whether root, a network and this Python allow it."""
    works = True
    if "sudo mkdir" not in fix and any(not _may_be_made(case, text) for text in texts):
        return Verdict(False)
    raised = re.search(r"(?:^|[;&|]\s*|\s)(?:sudo|doas) ", fix)
    if raised and case.path and re.search(r"(?m)\bsudo: (?:command )?not found$", case.output):
        return Verdict(False)
    wants_root = bool(raised) and not case.command.lstrip().startswith("sudo ")
    if wants_root and not reach.is_root():
        if not case.installed("sudo" if "sudo " in fix else "doas"):
            return Verdict(False)
        works = reach.is_admin() or any(line.startswith("sudo ") for line in case.failure.history)
    fetches = any(pattern.match(text) for text in texts for pattern in _FETCHES)
    if (
        any(_SYSTEM.match(text) and not text.startswith("brew") for text in texts)
        and not re.search(r"(?:^|\s)(?:sudo|doas) ", fix)
        and not reach.is_root()
    ):
        return Verdict(False)
    if any(not _may_be_global(case, text) for text in texts):
        return Verdict(False)
    typed = [_text(case.words, part) for part in {word.part for word in case.words}]
    if any(_managed(case, text) for text in texts) and not any(_managed(case, text) for text in typed):
        return Verdict(False)
    return Verdict(True, works and (not fetches or reach.has_network()))


def _may_be_global(case: Case, text: str) -> bool:
    """Whether this user may write where npm keeps what is installed for all."""
    if not re.match(r"npm (?:install|i|add) (?:.* )?(?:-g|--global) ", text) or "--prefix" in text:
        return True
    npm = case.file_of("npm")
    set_else = re.search(r"(?m)^\s*prefix\s*=", case.read("~/.npmrc"))
    place = case.at(npm).resolve() if npm else None
    home = next((one for one in place.parents if one.name == "node_modules"), None) if place else None
    return bool(set_else) or home is None or os.access(home, os.W_OK)


def _may_be_made(case: Case, text: str) -> bool:
    """Whether the folders of a `mkdir` may be made by this user, as far as the folder above shows."""
    made = re.match(r"mkdir (?:-\w+ )*(\S+)", text)
    if not made or text.startswith(case.program + " "):
        return True
    above = case.at(made[1]).parent
    while not above.exists() and above != above.parent:
        above = above.parent
    return os.access(above, os.W_OK)


def _managed(case: Case, text: str) -> bool:
    """Whether this installs into a Python that the system keeps for itself."""
    found = re.match(r"(pip[\d.]*|python[\d.]*) (?:-m pip )?install ", text)
    if not found or not case.path or "--break-system-packages" in text or "--target" in text:
        return False
    name = found[1].replace("pip", "python") if found[1].startswith("pip") else found[1]
    place = case.file_of(found[1]) or case.file_of(name) or case.file_of("python3")
    python = place.rpartition("/")[0] + "/" + name if place else ""
    return bool(place) and reach.is_managed(python if case.exists(python) else case.file_of("python3"))
