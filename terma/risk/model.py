"""What the rules look at: a command as its words, where its input comes from, and what a rule finds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace
from typing import Literal

from terma import regex as re
from terma.records import dataclass
from terma.types import RiskLevel

Kind = Literal[
    "deletes", "overwrites", "disks", "leaks", "persists", "grants", "runs-unknown-code", "stops", "history",
    "network", "changes", "root", "unread", "disguised",
]  # fmt: skip
WORDS: dict[Kind, str] = {
    "deletes": "deletes", "overwrites": "overwrites", "disks": "changes disks", "leaks": "leaks",
    "persists": "persists", "grants": "grants", "runs-unknown-code": "runs unknown code", "stops": "stops",
    "history": "rewrites history", "network": "network", "changes": "changes", "root": "needs root",
    "unread": "cannot be read", "disguised": "contains look-alike characters",
}  # fmt: skip
"""The word that each kind has at the prompt."""

_LONGEST_CLUSTER = 6  # `-cvzpf`
_SIGNAL = re.compile(r"-(SIG)?(HUP|INT|QUIT|KILL|TERM|STOP|CONT|USR1|USR2|ABRT|PIPE|ALRM|CHLD|TSTP|WINCH)")


@dataclass(frozen=True, slots=True)
class Word:
    """One argument as the program would get it; expansions stay as they are written.

    `dynamic` when it holds an expansion, `globs` when it holds an unquoted wildcard. `programs` are the names
    run by the substitutions inside it, `process` when it is itself a process substitution. What flow.py finds out:
    `origins`, what its text holds ("secret", "network"…); `holds`, what stands in the file that it names.
    """

    text: str
    dynamic: bool = False
    globs: bool = False
    programs: frozenset[str] = frozenset()
    process: bool = False
    origins: frozenset[str] = frozenset()
    holds: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Redirect:
    """`operator` as written (">", ">|", "&>", ">>", "<"…) and where it goes."""

    operator: str
    target: Word


@dataclass(frozen=True, slots=True)
class Feed:
    """What reaches standard input: the programs upstream, the text itself when it can be read, the commands that
    write it, and what they write (`origins`, by flow.py)."""

    programs: frozenset[str] = frozenset()
    text: str | None = None
    calls: tuple[Call, ...] = field(default=(), compare=False)
    origins: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Move:
    """A change of directory: to `to`, or None where that cannot be read. `sure`: what comes next runs only if it went
    well."""

    to: str | None
    sure: bool = False


@dataclass(frozen=True, slots=True)
class Call:
    """One simple command. `bulk`: it runs for many things at once (xargs, find -exec). `elsewhere`: on
    another machine or in a container, where no file of ours counts. `moves`: the changes of directory in front of it;
    `places`: the directories in which it may run, with "" among them when it may be another one.
    `assigned`: `NAME=value` in front of it, or alone. `as_root`: sudo or its like stands before it."""

    words: tuple[Word, ...]
    redirects: tuple[Redirect, ...] = ()
    feed: Feed | None = None
    bulk: bool = False
    elsewhere: bool = False
    moves: tuple[Move, ...] = ()
    places: tuple[str, ...] = ("",)
    assigned: tuple[Word, ...] = ()
    as_root: bool = False
    name: str = field(init=False, repr=False, compare=False)
    """The program's name without its directory: `/bin/rm` and `\\rm` are rm."""
    args: tuple[Word, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:  # every rule asks for both: some hundred times for a line
        text = self.words[0].text if self.words else ""
        object.__setattr__(self, "name", text.rsplit("/", 1)[-1] if "/" in text else text)
        object.__setattr__(self, "args", self.words[1:])

    def inner(self, words: tuple[Word, ...], *, bulk: bool = False, elsewhere: bool = False) -> Call:
        """The command that this one starts."""
        return replace(
            self,
            words=words,
            redirects=(),
            assigned=(),
            bulk=self.bulk or bulk,
            elsewhere=self.elsewhere or elsewhere,
        )

    def flags(self) -> frozenset[str]:
        """Every option, long ones without their value; `-rf` counts as `-rf`, `-r` and `-f`.

        A signal (`-HUP`) and what is too long to be a cluster (`-format`) stand for themselves alone."""
        found: set[str] = set()
        for word in self.args:
            text = word.text
            if text == "--":
                break
            if text.startswith("--"):
                found.add(text.partition("=")[0])
            elif len(text) > 1 and text[0] == "-":
                found.add(text.partition("=")[0])
                if len(text) <= _LONGEST_CLUSTER and not _SIGNAL.fullmatch(text):
                    found.update(f"-{letter}" for letter in text[1:])
        return frozenset(found)

    def operands(self, with_value: str = "") -> tuple[Word, ...]:
        """The arguments that are no options. `with_value`: blank-separated options whose value follows."""
        takers = with_value.split()
        found: list[Word] = []
        words = iter(self.args)
        for word in words:
            if word.text == "--":
                found.extend(words)
            elif word.text in takers:
                next(words, None)
            elif not word.text.startswith("-") or word.text == "-":
                found.append(word)
        return tuple(found)

    def value(self, *options: str) -> Word | None:
        """The value of the first of `options` that is given, apart or joined (`-ofile`, `--out=file`)."""
        return next(self.values(*options), None)

    def values(self, *options: str) -> Iterator[Word]:
        """The value of each of `options` as often as one is given."""
        for at, word in enumerate(self.args):
            for option in options:
                joined = f"{option}=" if option.startswith("--") else option
                if word.text == option:
                    yield from self.args[at + 1 : at + 2]
                    break
                if word.text.startswith(joined):
                    yield replace(word, text=word.text[len(joined) :])
                    break


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a command could do, in a short plain phrase."""

    level: RiskLevel
    reason: str
    kind: Kind = "changes"

    @property
    def said(self) -> str:
        """The reason as it is shown: it opens with the word of its kind."""
        word = WORDS[self.kind]
        return self.reason if self.reason.startswith(word) else f"{word}: {self.reason}"


Findings = Iterator[Finding]


def words(*texts: str) -> tuple[Word, ...]:
    """Plain words, for commands that are read out of a string."""
    return tuple(Word(text) for text in texts)
