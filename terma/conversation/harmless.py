"""Whether a program that is given certain words only reads and prints: what is not known to be harmless is not.

The knowledge is in harmless.toml, one table a program. A list of harm would never be complete; this one may be.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

TABLE = Path(__file__).with_name("harmless.toml")
_NUMBER = re.compile(r"-\d+")
_NEGATIVE = re.compile(r"-\d+\w?")  # -mtime -2
_ANY = 10**6


@dataclass(frozen=True, slots=True)
class Program:
    """What one program, or one subcommand, takes freely. The fields are those of harmless.toml; the values of `long`
    and `single` say how a value comes: "" not at all, "=" always, "?" joined or not at all."""

    short: str = ""
    value: str = ""
    attached: str = ""
    long: Mapping[str, str] = field(default_factory=dict)
    single: Mapping[str, str] = field(default_factory=dict)
    others: frozenset[str] = frozenset()
    operands: int = _ANY
    form: str = ""
    listing: frozenset[str] = frozenset()
    commands: Mapping[str, Program] = field(default_factory=dict)
    alone: bool = False
    apart: bool = False
    number: bool = False
    free: bool = False
    abbreviates: bool = True


@cache
def programs(table: Path = TABLE) -> Mapping[str, Program]:
    """All that `table`, a file of this form, knows, by name."""
    return {name: _program(one) for name, one in tomllib.loads(table.read_text(encoding="utf-8")).items()}


def only_reads(words: Sequence[str], table: Path = TABLE) -> bool:
    """Whether `words`, a program and its arguments as it gets them, is known to read and print, and no more; of another
    `table`, to do no more than what that is about."""
    known = programs(table).get(words[0])
    return known is not None and _Reading(known, list(words[1:])).harmless()


def _program(table: Mapping[str, Any]) -> Program:
    fields: dict[str, Any] = {name: value for name, value in table.items() if not isinstance(value, dict)}
    fields["others"] = frozenset(str(fields.get("others", "")).split())
    fields["listing"] = frozenset(str(fields.pop("with", "")).split())
    fields |= {key: _forms(str(fields.get(key, ""))) for key in ("long", "single")}
    fields["commands"] = {name: _program(value) for name, value in table.items() if isinstance(value, dict)}
    return Program(**fields)


def _forms(text: str) -> dict[str, str]:
    return {word.rstrip("=?"): word[len(word.rstrip("=?")) :] for word in text.split()}


class _Reading:
    """One command line, word by word, as the program's own parser goes through it."""

    def __init__(self, program: Program, words: list[str]) -> None:
        self._program, self._words = program, words
        self._operands = 0
        self._given: set[str] = set()

    def harmless(self) -> bool:
        if self._program.free:
            return True
        while self._words:
            word = self._words.pop(0)
            if word == "--" and not self._program.commands:
                if not all(map(self._operand, self._words)):
                    return False
                break
            if not (self._option(word) if word.startswith("-") and word != "-" else self._operand(word)):
                return False
        program = self._program
        return (self._operands <= program.operands and program.operands >= 0) or bool(
            self._given & program.listing
        )

    def _option(self, word: str) -> bool:
        program = self._program
        if word.startswith("--"):
            return self._long(word)
        if program.number and _NUMBER.fullmatch(word):
            return True
        if word[1:] in program.single:
            return not program.single[word[1:]] or self._next()
        return self._letters(word[1:])

    def _letters(self, letters: str) -> bool:
        program = self._program
        if program.alone and len(letters) > 1:
            return False
        for at, letter in enumerate(letters):
            self._given.add(letter)
            rest = letters[at + 1 :]
            if letter in program.attached:
                return True
            if letter in program.value:
                return not program.apart if rest else self._next()
            if letter not in program.short:
                return False
        return True

    def _long(self, word: str) -> bool:
        given, equals, _ = word[2:].partition("=")
        name = self._resolved(given)
        form = self._program.long.get(name)
        if form is None or (equals and not form):
            return False
        self._given.add(name)
        return bool(equals) or form != "=" or self._next()

    def _resolved(self, given: str) -> str:
        """The option that `given` is, or abbreviates: of one alone, as GNU's getopt_long has it."""
        program = self._program
        if given in program.long or given in program.others or not program.abbreviates or not given:
            return given
        meant = [name for name in {*program.long, *program.others} if name.startswith(given)]
        return meant[0] if len(meant) == 1 else ""

    def _next(self) -> bool:
        """The next word is a value. One that looks like an option may be taken for one by another version."""
        if not self._words:
            return False
        word = self._words.pop(0)
        return not word.startswith("-") or _NEGATIVE.fullmatch(word) is not None

    def _operand(self, word: str) -> bool:
        program = self._program
        if program.commands:
            command = program.commands.get(word)
            if command is None:
                return False
            self._program, self._operands, self._given = command, 0, set()
            return True
        self._operands += 1
        return not program.form or re.fullmatch(program.form, word) is not None
