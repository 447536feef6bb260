"""What a generator of commands hands to the engine, and what it may know of the asking shell."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import field
from functools import lru_cache
from pathlib import Path

from terma.records import dataclass

NO_CASE = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)  # of a draft that no remembered case stands behind
MAX_NAMES = 2_000  # of one directory; a listing is evidence, not a search


@dataclass(frozen=True, slots=True)
class Heard:
    """What a remembered sentence says just so: `words` are tokens that it has as well, `denials` those whose "no" it
    says of the same, `asks` whether it is the same kind of question. There its command has been a person's answer."""

    words: frozenset[int] = frozenset()
    denials: frozenset[int] = frozenset()
    asks: bool = False


UNHEARD = Heard()


@dataclass(frozen=True, slots=True)
class Draft:
    """One command that a generator thinks the sentence means.

    `command` is finished: values quoted for a POSIX shell, unfilled slots written `{name}` and named in
    `placeholders`. `accounted` holds the indices (`Sentence.tokens`) that the command explains; the engine
    weighs what is left and drops the draft when it is too much, so claim only what the command really does.
    `evidence` is of a remembered case: how alike it is, how many say the same, how far the next other one is, how
    many of its words are missed, how many values are others, how well the worst of them fits. `score` (0..1) is the
    generator's own trust in its reading, given that all is accounted for. `tool` is the program that must exist for
    it to run ("" = the shell itself). `destructive` asks for every content token to be accounted for. `heard` is what
    the remembered sentence says just so."""

    command: str
    source: str
    accounted: frozenset[int]
    score: float = 1.0
    placeholders: tuple[str, ...] = ()
    tool: str = ""
    destructive: bool = False
    note: str = ""
    evidence: tuple[float, ...] = NO_CASE
    heard: Heard = UNHEARD


@dataclass(slots=True)
class Context:
    """The asking shell as far as a generator may look: its directory, system and the names that exist there."""

    cwd: str = ""
    os: str = "linux"
    shell: str = "bash"
    path: str = ""
    history: tuple[str, ...] = ()
    _names: dict[str, bool] | None = field(default=None, repr=False)

    def names(self) -> dict[str, bool]:
        """Entries of `cwd`: name -> is it a directory. At most MAX_NAMES; {} when it cannot be read."""
        if self._names is None:
            self._names = _listing(self.cwd)
        return self._names

    def has_program(self, name: str) -> bool:
        """Whether `name` is a program in the asking shell's PATH."""
        return name in programs(self.path)

    def is_dir(self, name: str) -> bool:
        """Whether `name` (relative to cwd) is known to be a directory."""
        if "/" not in name:
            return self.names().get(name, False)
        return bool(self.cwd) and (Path(self.cwd) / name).is_dir()


@lru_cache(maxsize=8)
def programs(path: str) -> frozenset[str]:
    """Every name in the directories of a PATH; a shell keeps the like in its hash table."""
    found: set[str] = set()
    for folder in path.split(":"):
        if folder.startswith("/"):
            with suppress(OSError):
                found.update(os.listdir(folder))  # noqa: PTH208 names alone, no objects
    return frozenset(found)


def _listing(directory: str) -> dict[str, bool]:
    found: dict[str, bool] = {}
    if not directory.startswith("/"):
        return found
    try:
        with os.scandir(directory) as entries:
            for entry in entries:
                found[entry.name] = entry.is_dir(follow_symlinks=False)
                if len(found) >= MAX_NAMES:
                    break
    except OSError:
        pass
    return found
