"""Who knows what a program, its subcommand or its option does: terma's own texts, then this machine's."""

from __future__ import annotations

import re
import sys
from collections.abc import Collection
from functools import cached_property
from typing import NamedTuple

from terma.machine import told
from terma.pieces import known
from terma.pieces.values import filled

OURS = "terma"
SPELLED = 3  # options of three letters or more behind one dash


class Option(NamedTuple):
    """What an option does, who says so, whether a value follows or may be glued to it, and whether that is a file."""

    says: str
    source: str
    takes: bool
    joins: bool
    is_file: bool = False

    def of(self, value: str | None) -> str:
        """In words, with its value; None: it has none. A text of the machine holds no place for one."""
        return filled(self.says, value, is_file=self.is_file) if self.source == OURS else self.says


class Source:
    """Everything that is known of one program or subcommand. `words`: `git`, `commit`; `file`: what runs, "" where no
    file was found."""

    def __init__(self, words: tuple[str, ...], file: str) -> None:
        self.words = words
        self._file = file
        self.ours = known.entry(*words)

    @cached_property
    def theirs(self) -> told.ProgramHelp:
        """What the machine's texts say: read only where terma's own do not know."""
        if not self._file:
            return told.ProgramHelp()
        return told.told(self.words[0], self._file, self.words[1:])

    @property
    def about(self) -> tuple[str, str]:
        """(what it does, who says so)."""
        if self.ours and self.ours.about:
            return self.ours.about, OURS
        return self.theirs.about.rstrip("."), "manual page"

    def option(self, name: str) -> Option | None:
        """None: not known."""
        ours = self.ours.options.get(name) if self.ours else None
        mine = Option(ours.says, OURS, ours.takes, ours.joins, ours.is_file) if ours else None
        if mine and (sys.platform == "linux" or len(self.words) > 1 or name not in self.theirs.options):
            return mine
        if name in self.theirs.options:
            found = self.theirs.options[name]
            return Option(found.says, found.source, bool(found.value) and not found.optional, found.optional)
        return mine

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
        listed = not self.words[1:] and word in self.theirs.commands if not child.ours else False
        if child.ours or listed:
            return child
        return child if self.words == ("git",) and child.theirs.about else None

    @property
    def has_commands(self) -> bool:
        """Whether its first operand is a subcommand."""
        return known.has_commands(*self.words) or (not self.ours and bool(self.theirs.commands))

    def about_child(self, child: Source) -> tuple[str, str]:
        if not child.ours and (entry := self.theirs.commands.get(child.words[-1])):
            return entry.says, entry.source
        return child.about

    def place(self, at: int, given: Collection[str]) -> int:
        """Which operand number `at` is: one later where an option of those `given` says what the first would
        (`grep -e`)."""
        return at + (self.ours is not None and not self.ours.instead.isdisjoint(given))

    def operand(self, at: int, is_last: bool) -> str:
        """What its operand number `at` is, "" when unknown. `is_last`: of several."""
        if not self.ours:
            return ""
        if self.ours.last and is_last and at:
            return self.ours.last
        roles = [role if role != "{}" else f"what {self.words[-1]} is given" for role in self.ours.operands]
        return roles[min(at, len(roles) - 1)] if roles else self.ours.last
