"""What is told of a program: an entry for each option and subcommand, whoever tells it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from terma.machine import usage

LONGEST = 160  # code points of what is told of one thing


@dataclass(frozen=True, slots=True)
class Entry:
    """What is said of an option or a subcommand, the names of its values, which text says it, and what that says of
    single `values`."""

    says: str
    value: str = ""
    optional: bool = False
    source: str = ""
    values: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ProgramHelp:
    """`about` the program in a few words; `options` by each of their names, `commands` by theirs, `keywords`: words
    that want a value behind them; `usage`: what its operands are called."""

    about: str = ""
    options: Mapping[str, Entry] = field(default_factory=dict)
    commands: Mapping[str, Entry] = field(default_factory=dict)
    keywords: Mapping[str, Entry] = field(default_factory=dict)
    usage: usage.Usage = usage.NONE

    def __or__(self, other: ProgramHelp) -> ProgramHelp:
        """What this tells, and for what it does not tell the other."""
        return ProgramHelp(
            self.about or other.about,
            {**other.options, **self.options},
            {**other.commands, **self.commands},
            {**other.keywords, **self.keywords},
            other.usage if self.usage == usage.NONE else self.usage,
        )
