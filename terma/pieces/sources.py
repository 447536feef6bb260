"""Who knows what a program, its subcommand or its option does: terma's own texts, then this machine's."""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Mapping
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from terma.machine import manual, told
from terma.machine.builtins import builtin
from terma.machine.entries import ProgramHelp
from terma.pieces import known
from terma.pieces.values import filled

OURS = "terma"
SPELLED = 3  # options of three letters or more behind one dash


class Option(NamedTuple):
    """What an option does, who says so, how many values follow, whether one may be glued to it, whether that is a file,
    and what is said of single values."""

    says: str
    source: str
    takes: int
    joins: bool
    is_file: bool = False
    values: Mapping[str, str] = MappingProxyType({})

    def of(self, value: str | None) -> str:
        """In words, with its value; None: it has none. A text of the machine holds no place for one."""
        if value and value in self.values:
            said = self.values[value]
            alone = self.source == OURS or said[:_ALIKE] in self.says
            return said if alone else f"{self.says}; {said}"
        return filled(self.says, value, is_file=self.is_file) if self.source == OURS else self.says


_ALIKE = 12  # characters of what is said of a value, within what is said of the option
_NO_NAME = re.compile(r"(?i)sub-?command|options?$|args?$|arguments?$")
_COMMAND = re.compile(r"(?i)command|cmd|program|prog|utility")
_ARGUMENTS = re.compile(r"(?i)\*?(?:command-?)?(?:args?|arguments?|argv|options?)")
SHORTENED = 2  # words: `ip n`, whose page has the whole name
SPECIAL = ("0", "-1")  # numbers that often mean something else than their count


class Source:
    """Everything that is known of one program or subcommand. `words`: `git`, `commit`; `file`: what runs, "" where no
    file was found; `shell`: whose builtin it is, "" for none."""

    def __init__(self, words: tuple[str, ...], file: str, shell: str = "") -> None:
        self.words = words
        self._file = file
        self._shell = shell
        self.ours = known.entry(*words)

    @cached_property
    def theirs(self) -> ProgramHelp:
        """What the machine's texts say: read only where terma's own do not know."""
        if self._shell:
            return builtin(self.words[0], self._shell)
        if not self._file:
            return ProgramHelp()
        found = told.told(self.words[0], self._file, self.words[1:])
        for name in (
            self.ours.names if self.ours and len(self.words) > 1 else ()
        ):  # `ip a` is on the page of ip address
            other = tuple(name.split())
            if found == ProgramHelp() and other != self.words and len(other) == len(self.words):
                found = told.told(self.words[0], self._file, other[1:])
        if found == ProgramHelp() and self.ours and len(self.words) == SHORTENED:
            page = manual.whole("-".join(self.words), Path(self._file))
            found = told.told(self.words[0], self._file, (page.partition("-")[2],)) if page else found
        return found

    @property
    def about(self) -> tuple[str, str]:
        """(what it does, who says so)."""
        if self.ours and self.ours.about:
            return self.ours.about, OURS
        return self.theirs.about.rstrip("."), "manual page"

    def option(self, name: str, value: str = "") -> Option | None:
        """None: not known. `value`: what is written as its value, for an option that has one."""
        ours = self.ours.options.get(name) if self.ours else None
        mine = Option(ours.says, OURS, int(ours.takes), ours.joins, ours.is_file) if ours else None
        if mine and value in SPECIAL and name in self.theirs.options:
            return mine._replace(values=self.theirs.options[name].values)
        if mine and (sys.platform == "linux" or len(self.words) > 1 or name not in self.theirs.options):
            return mine
        if name in self.theirs.options:
            found = self.theirs.options[name]
            takes = 0 if found.optional else len(found.value.split())
            return Option(found.says, found.source, takes, found.optional, values=found.values)
        return mine

    def keyword(self, word: str) -> Option | None:
        """A word that wants a value behind it, as `dev` of `ip address`; None: it is none."""
        for size in range(len(self.words), 1, -1):
            source = self if size == len(self.words) else Source(self.words[:size], self._file)
            known, below = source.theirs.keywords, self.words[size : size + 1]
            if found := known.get(" ".join((*below, word))) or known.get(word):
                says = found.says or f"{found.value.lower().replace('_', ' ')} {{}}"
                return Option(says, found.source if found.says else OURS, 1, False)
        return None

    @cached_property
    def spells(self) -> bool:
        """Whether its options are words behind one dash (`-name`), so that `-newer` is no row of letters."""
        options = self.ours.options if self.ours else self.theirs.options
        return sum(bool(re.fullmatch(r"-[a-z]{3,}", name)) for name in options) >= SPELLED

    def child(self, word: str) -> Source | None:
        """The subcommand `word`; None where nobody here knows one of that name."""
        if not word[:1].isalpha():
            return None
        child = Source((*self.words, word), self._file)
        listed = not child.ours and word in self.theirs.commands
        if child.ours or listed:
            return child
        paged = known.has_commands(*self.words) and not self.words[1:] and child.theirs.about
        own = Path(self._file).parent / f"{self.words[0]}-{word}"  # apt-get is no command of apt
        return child if paged and (self.words == ("git",) or not own.exists()) else None

    @property
    def has_commands(self) -> bool:
        """Whether its first operand is a subcommand."""
        plain = not self.ours or not self.ours.operands
        return known.has_commands(*self.words) or (plain and bool(self.theirs.commands))

    def about_child(self, child: Source) -> tuple[str, str]:
        if not child.ours and (entry := self.theirs.commands.get(child.words[-1])):
            return entry.says, entry.source
        return child.about

    def place(self, at: int, given: Collection[str]) -> int:
        """Which operand number `at` is: one later where an option of those `given` says what the first would
        (`grep -e`)."""
        return at + (self.ours is not None and not self.ours.instead.isdisjoint(given))

    def called(self, at: int, of: int, behind: bool, given: Collection[str]) -> str:
        """What the page calls operand number `at` of `of`; `behind`: it stands behind `--`. "" when nobody knows, as
        behind one of the options `given` that make a form of their own."""
        usage = self.theirs.usage
        if not behind and self.is_other(given):
            return ""
        name = usage.behind if behind and usage.behind else usage.operand(at, of)
        return f"the {re.sub(r'[-_]', ' ', name).lower()}" if name and not _NO_NAME.match(name) else ""

    def is_other(self, given: Collection[str]) -> bool:
        """Whether one of the options `given` makes a form of its own, whose operands are not known."""
        return not self.theirs.usage.others.isdisjoint(given)

    def runs(self, given: Collection[str]) -> int:
        """Which of its operands is a command that it runs, with what stands behind it; -1 for none, as behind one of
        the options `given` that make a form of their own."""
        if (self.ours and self.ours.operands not in ([], ["{}"])) or not self.theirs.usage.others.isdisjoint(
            given
        ):
            return -1
        for line in self.theirs.usage.lines:
            for at, name in enumerate(line):
                if _COMMAND.fullmatch(name) and line[at + 1 :] and _ARGUMENTS.fullmatch(line[at + 1]):
                    return at
        return -1

    @property
    def parts(self) -> bool:
        """Whether what stands behind `--` is something else than what stands before it."""
        return bool(self.theirs.usage.behind)

    def operand(self, at: int, is_last: bool) -> str:
        """What its operand number `at` is, "" when unknown. `is_last`: of several."""
        if not self.ours:
            return ""
        if self.ours.last and is_last:
            return self.ours.last
        roles = [role if role != "{}" else f"what {self.words[-1]} is given" for role in self.ours.operands]
        return roles[min(at, len(roles) - 1)] if roles else self.ours.last
