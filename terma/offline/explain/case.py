"""One failure under examination: its words, and the names around it, looked up only when a rule wants them."""

from __future__ import annotations

import itertools
import os
import pwd
import re
import shutil
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

from terma.offline.explain.everyday import EVERYDAY
from terma.offline.explain.line import Word, program_at, quote, words_of
from terma.offline.explain.machine.options import OPTIONS, options_of
from terma.offline.explain.model import Failure
from terma.offline.explain.near import distance, limit_for, nearest
from terma.offline.explain.repo import Repo

MAX_LISTED = 5000
BUILTINS = frozenset(
    "cd echo exit export alias source type read set unset test printf pwd kill jobs fg bg history eval exec wait trap"
    " ulimit umask pushd popd return shift local declare time if then else elif fi for while until do done case esac in"
    " function select break continue builtin command caller compgen complete dirs disown enable fc getopts hash"
    " help let logout mapfile readarray readonly shopt suspend times true false typeset unalias setopt unsetopt"
    " autoload bindkey zle compinit whence where noglob rehash vared zmodload print emulate : . [ [[ ] ]] { } !".split()
)


SHELL_ONLY = BUILTINS - set(
    "echo type read test printf pwd kill time env true false [".split()
)  # sudo finds no such program


class Case:
    """A Failure with what can be found out about it. Reading the disk never raises; what is not there is empty."""

    def __init__(self, failure: Failure) -> None:
        self.failure = failure
        self.command, self.status, self.output = failure.command, failure.status, failure.output
        self.low = failure.output.lower()
        self.cwd = failure.cwd
        self._near: dict[str, list[str]] = {}

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

    # --- what lies around -------------------------------------------------------------------------

    def at(self, path: str) -> Path:
        """Where `path` points for the shell that failed."""
        home = os.environ.get("HOME", "/")
        return Path(self.cwd or "/") / (home + path[1:] if path == "~" or path.startswith("~/") else path)

    def exists(self, path: str) -> bool:
        try:
            return bool(path) and os.path.lexists(self.at(path))
        except (OSError, ValueError):
            return False

    def is_dir(self, path: str) -> bool:
        try:
            return bool(path) and self.at(path).is_dir()
        except (OSError, ValueError):
            return False

    def listing(self, folder: str = ".") -> list[str]:
        """The names in `folder`, at most 5000."""
        if not self.cwd and not folder.startswith(("/", "~")):
            return []
        try:
            with os.scandir(self.at(folder)) as entries:
                return [entry.name for entry in itertools.islice(entries, MAX_LISTED)]
        except (OSError, ValueError):
            return []

    def read(self, name: str, limit: int = 65536) -> str:
        """The beginning of the text file `name`, "" when there is none."""
        try:
            path = self.at(name)
            if not path.is_file():  # a FIFO would hold us
                return ""
            with path.open(encoding="utf-8", errors="replace") as text:
                return text.read(limit)
        except (OSError, ValueError):
            return ""

    def near_path(self, path: str, *, folder: bool = False) -> str:
        """`path` with each misspelt step changed to the nearest name that is there; "" when none is near.

        `folder` wants the last step to be a directory."""
        start = "/" if path.startswith("/") else ""
        steps = [step for step in path.split("/") if step]
        done, changed = start, False
        for number, typed in enumerate(steps):
            here, step = done or ".", typed
            if not self.exists(done + step):
                names = self.listing(here)
                if folder or number < len(steps) - 1:
                    names = [name for name in names if self.is_dir(done + name)]
                near = nearest(step, [name for name in names if _slip(step, name)], 1) or _same_stem(
                    step, names
                )
                if not near:
                    return ""
                step, changed = near[0], True
            done += step + ("/" if number < len(steps) - 1 else "")
        return done + ("/" if path.endswith("/") else "") if changed else ""

    @cached_property
    def search_path(self) -> list[str]:
        path = self.failure.path or os.environ.get("PATH", "")
        return [folder for folder in dict.fromkeys(path.split(os.pathsep)) if folder.startswith("/")][:64]

    @cached_property
    def programs(self) -> frozenset[str]:
        """Every name that PATH offers, and the shell's own."""
        return BUILTINS.union(*(self.listing(folder) for folder in self.search_path))

    def near_programs(self, name: str) -> list[str]:
        """The programs of which `name` may be a misspelling, best first; the everyday ones win."""
        if name not in self._near:
            self._near[name] = nearest(name, self.programs | EVERYDAY, 3, liked=EVERYDAY)
        return self._near[name]

    def installed(self, name: str) -> bool:
        """Whether PATH offers `name`."""
        return name in BUILTINS or any(self.exists(f"{folder}/{name}") for folder in self.search_path)

    def first_installed(self, names: Iterable[str]) -> str:
        return next((name for name in names if self.installed(name)), "")

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

    def owner(self, path: str) -> str:
        """Whose `path` is, "" when that cannot be told."""
        try:
            return pwd.getpwuid(self.at(path).stat().st_uid).pw_name
        except (OSError, KeyError, ValueError):
            return ""

    def free(self, path: str = ".") -> str:
        """What is free on the disk that holds `path`, in words."""
        folder = self.at(path)
        for place in (folder, *folder.parents):
            try:
                disk = shutil.disk_usage(place)
                return f"{_size(disk.free)} of {_size(disk.total)} are free on the disk that holds {place}"
            except OSError:
                continue
        return ""

    @cached_property
    def repo(self) -> Repo | None:
        return Repo.around(self.cwd) if self.cwd else None


def _size(count: float) -> str:
    for unit in ("B", "KiB", "MiB", "GiB"):
        if count < 1024:
            return f"{count:.0f} {unit}"
        count /= 1024
    return f"{count:.1f} TiB"


def _slip(step: str, name: str) -> bool:
    """Whether `name` may be `step` misspelt: part1.txt is no slip for part2.txt, nor a.txt for b.txt."""
    if step.lstrip(".").lower() == name.lstrip(".").lower():  # venv, .venv
        return True
    a, b = step.lstrip(".").partition(".")[0].lower(), name.lstrip(".").partition(".")[0].lower()
    if re.sub(r"\d", "", step) == re.sub(r"\d", "", name):
        return False
    return a == b or distance(a, b, limit_for(a)) <= limit_for(a)


def _same_stem(step: str, names: list[str]) -> list[str]:
    """The one name that differs in its ending alone (`notes` for `notes.txt`)."""
    stem = step.partition(".")[0].lower()
    same = [name for name in names if name.partition(".")[0].lower() == stem] if len(stem) > 2 else []
    return same if len(same) == 1 else []
