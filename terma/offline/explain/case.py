"""One failure under examination: its command cut into words, the part that failed, and that part changed."""

from __future__ import annotations

import re
from functools import cached_property

from terma.machine.options import options_of
from terma.offline.explain.line import Word, program_at, quote, words_of
from terma.offline.explain.model import Failure
from terma.offline.explain.suboptions import OPTIONS
from terma.offline.explain.surroundings import BUILTINS, Surroundings

# What only the shell itself can do: sudo finds no such program.
SHELL_ONLY = BUILTINS - set("echo type read test printf pwd kill time env true false [".split())


class Case(Surroundings):
    """A Failure with what can be found out about it."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.cwd, failure.path)
        self.failure = failure
        self.command, self.status, self.output = failure.command, failure.status, failure.output
        self.low = failure.output.lower()

    @cached_property
    def words(self) -> tuple[Word, ...]:
        return words_of(self.command)

    @cached_property
    def part(self) -> int:
        """Which simple command failed: the one whose program, then whose words the output names; else the first."""
        parts = sorted({word.part for word in self.words})
        named = [part for part in parts if self._spoke(part)]
        return max(named, key=lambda part: (self._quoted(part), part)) if named else parts[0] if parts else 0

    def _spoke(self, part: int) -> bool:
        name = self._program_of(part)
        return bool(name) and bool(re.search(rf"(?m)^(?:\S*/)?{re.escape(name)}(?: |:)", self.output))

    def _quoted(self, part: int) -> int:
        """How many words of this part the output repeats."""
        said = set(re.split(r"[\s:,;()'\"`‘’“”]+", self.output))
        return sum(
            word.value in said for word in self.words if word.part == part and not word.value.startswith("-")
        )

    @cached_property
    def told(self) -> bool:
        """Whether the output names the program that failed."""
        return self._spoke(self.part)

    def part_of(self, names: list[str]) -> int:
        """The part whose program is one of `names`, -1 when none is: another than the one that failed only when the
        output does not say which that was."""
        if self.program in names:
            return self.part
        if self.told:
            return -1
        parts = sorted({word.part for word in self.words}, reverse=True)
        return next((part for part in parts if self._program_of(part) in names), -1)

    def turn_to(self, part: int) -> None:
        """Take `part` for the one that failed."""
        if part != self.part:
            for name in ("program", "arguments", "args", "operands"):
                self.__dict__.pop(name, None)
            self.part = part

    def _program_of(self, part: int) -> str:
        index = program_at(self.words, part)
        return self.words[index].value.rpartition("/")[2] if index >= 0 else ""

    @cached_property
    def program(self) -> str:
        """The program that failed, without its path and without sudo and the like."""
        return self._program_of(self.part)

    @cached_property
    def arguments(self) -> tuple[Word, ...]:
        """The words after the program, redirections left out."""
        index = program_at(self.words, self.part)
        return tuple(w for w in self.words[index + 1 :] if w.part == self.part and not w.after)

    @cached_property
    def args(self) -> tuple[str, ...]:
        return tuple(word.value for word in self.arguments)

    @cached_property
    def operands(self) -> tuple[str, ...]:
        """The arguments that are no options."""
        return tuple(value for value in self.args if not value.startswith("-"))

    def swap(self, old: str, new: str, *, raw: bool = False) -> str:
        """The command with the word `old` (or the place where it stands inside a word) changed to `new`; "" if absent.

        `raw` inserts `new` as shell text."""
        text = new if raw else quote(new)
        mine = sorted(self.words, key=lambda word: word.part != self.part)
        for word in mine:
            if word.value == old:
                return self.command[: word.start] + text + self.command[word.end :]
        for word in mine:
            typed = self.command[word.start : word.end]
            if old and old in typed and quote(new) == new:
                return self.command[: word.start] + typed.replace(old, new, 1) + self.command[word.end :]
        return ""

    def insert(self, text: str, after: str = "") -> str:
        """The command with `text` (shell text) right after the program, or after the argument `after`."""
        index = program_at(self.words, self.part)
        if index < 0:
            return ""
        place = self.words[index].end
        if after:
            place = next((word.end for word in self.arguments if word.value == after), place)
        return f"{self.command[:place]} {text}{self.command[place:]}"

    def append(self, text: str) -> str:
        """The command with `text` at the end of the part that failed."""
        mine = [word for word in self.words if word.part == self.part and not word.after]
        if not mine:
            return ""
        return f"{self.command[: mine[-1].end]} {text}{self.command[mine[-1].end :]}"

    def with_sudo(self) -> str:
        """The command with the failing part run by root; "" when it already is."""
        mine = [word for word in self.words if word.part == self.part]
        if not mine or mine[0].value in ("sudo", "doas") or self.program in SHELL_ONLY:
            return ""
        return f"{self.command[: mine[0].start]}sudo {self.command[mine[0].start :]}"

    def options(self) -> list[str]:
        """The long options of the program that failed, as far as this machine or our own list knows them."""
        sub = f"{self.program} {self.operands[0]}" if self.operands else ""
        told = OPTIONS.get(sub) or OPTIONS.get(self.program)
        if told:
            return told.split()
        place = next(
            (
                f"{folder}/{self.program}"
                for folder in self.search_path
                if self.exists(f"{folder}/{self.program}")
            ),
            "",
        )
        return sorted(options_of(self.program, place))
