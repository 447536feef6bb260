"""What lies around a failed command: files, programs, the repository, the disk; each looked up when it is wanted."""

from __future__ import annotations

import itertools
import os
import pwd
import re
import shutil
from functools import cached_property
from pathlib import Path

from terma import reading
from terma.offline.explain.everyday import EVERYDAY
from terma.offline.explain.near import distance, limit_for, nearest, numbered, once
from terma.offline.explain.repo import Repo

MAX_LISTED = 5000
_FEW = 20  # names in a folder in which a short one cannot be near another by chance
_COMPILED = frozenset("c cc cpp cxx rs go java hs f90 s o d zig nim pas ml".split())
BUILTINS = frozenset(
    "cd echo exit export alias source type read set unset test printf pwd kill jobs fg bg history eval exec wait trap"
    " ulimit umask pushd popd return shift local declare time if then else elif fi for while until do done case esac in"
    " function select break continue builtin command caller compgen complete dirs disown enable fc getopts hash"
    " help let logout mapfile readarray readonly shopt suspend times true false typeset unalias setopt unsetopt"
    " autoload bindkey zle compinit whence where noglob rehash vared zmodload print emulate : . [ [[ ] ]] { } !".split()
)


# What compilers make, and nobody writes.
_MADE = frozenset("o obj so a class pyc exe out".split())


def _is_made_of(name: str, source: str) -> bool:
    """Whether `name` is what a compiler makes of `source`: it was not made yet, and is no slip for it."""
    stem, _, ending = name.rpartition(".")
    return (
        bool(stem)
        and ending in _MADE
        and source.startswith(f"{stem}.")
        and source.rpartition(".")[2] not in _MADE
    )


class Surroundings:
    """The folder in which a command ran, and the PATH of its shell. Reading never raises; what is not there is empty."""

    def __init__(self, cwd: str, path: str) -> None:
        self.cwd, self.path = cwd, path
        self._near: dict[str, list[str]] = {}

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

    def is_file(self, path: str) -> bool:
        return self.exists(path) and not self.is_dir(path)

    def is_regular(self, path: str) -> bool:
        """Whether `path` is a file that holds something: no folder and no device."""
        try:
            return bool(path) and self.at(path).is_file()
        except (OSError, ValueError):
            return False

    def runs(self, name: str) -> bool:
        """Whether `name` is a program of PATH, and nothing of the shell's own."""
        return name not in BUILTINS and self.installed(name)

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
        return reading.text(self.at(name), limit)

    def bytes_of(self, name: str, limit: int = 65536) -> bytes:
        """The first bytes of the regular file `name`, b"" when there is none."""
        try:
            return reading.head(self.at(name), limit)
        except (OSError, ValueError):
            return b""

    def near_path(self, path: str, *, folder: bool = False) -> str:
        """`path` with each misspelt step changed to the nearest name that is there; "" when none is near.

        `folder` wants the last step to be a directory."""
        start = "/" if path.startswith("/") else ""
        steps = [step for step in path.split("/") if step]
        done, changed = start, False
        for number, typed in enumerate(steps):
            here, step = done or ".", typed
            if not self.exists(done + step):
                names = [
                    name
                    for name in self.listing(here)
                    if not numbered(step, name) and not _is_made_of(step, name)
                ]
                if folder or number < len(steps) - 1:
                    names = [name for name in names if self.is_dir(done + name)]
                near = (
                    nearest(step, [name for name in names if _slip(step, name)], 1)
                    or _same_stem(step, names)
                    or _only_kin(step, names)
                )
                if not near:
                    return ""
                step, changed = near[0], True
            done += step + ("/" if number < len(steps) - 1 else "")
        return done + ("/" if path.endswith("/") else "") if changed else ""

    @cached_property
    def search_path(self) -> list[str]:
        path = self.path or os.environ.get("PATH", "")
        return [folder for folder in dict.fromkeys(path.split(os.pathsep)) if folder.startswith("/")][:64]

    @cached_property
    def programs(self) -> frozenset[str]:
        """Every name that PATH offers, and the shell's own."""
        return BUILTINS.union(*(self.listing(folder) for folder in self.search_path))

    def near_programs(self, name: str) -> list[str]:
        """The programs of which `name` may be a misspelling, best first; the everyday ones win."""
        if name not in self._near:
            known = (
                EVERYDAY if len(name) <= 3 else self.programs | EVERYDAY
            )  # every short name is near some program
            near = nearest(name, known, 3, liked=EVERYDAY)
            self._near[name] = [one for one in near if one in EVERYDAY or not _is_another_word(name, one)]
        return self._near[name]

    def installed(self, name: str) -> bool:
        """Whether PATH offers `name`."""
        return name in BUILTINS or any(self.exists(f"{folder}/{name}") for folder in self.search_path)

    def file_of(self, name: str) -> str:
        """The file that PATH offers for `name`, "" when it offers none."""
        here = (f"{folder}/{name}" for folder in self.search_path)
        return next((path for path in here if self.exists(path)), "")

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
    numbers = re.findall(r"\d+", step), re.findall(r"\d+", name)
    if re.sub(r"\d", "", step) == re.sub(r"\d", "", name) or (all(numbers) and numbers[0] != numbers[1]):
        return False  # tty19 is another device than ttyS9
    return a == b or distance(a, b, limit_for(a)) <= limit_for(a)


def _same_stem(step: str, names: list[str]) -> list[str]:
    """The one name that differs in its ending alone (`notes` for `notes.txt`)."""
    stem = step.partition(".")[0].lower()
    built = "." not in step  # a program's name and its source's: one is made of the other, and no slip for it
    same = [
        name
        for name in names
        if name.partition(".")[0].lower() == stem and not (built and name.rpartition(".")[2] in _COMPILED)
    ]
    same = same if len(stem) > 2 else []
    return same if len(same) == 1 else []


def _only_kin(step: str, names: list[str]) -> list[str]:
    """The one name with the ending of `step` that begins as it does: `fix.diff` for `fixes.diff`, `app` for `ap`."""
    stem, dot, ending = step.partition(".")
    same = [name for name in names if name.partition(".")[1:] == (dot, ending)]
    kin = []
    for name in same:
        there = name.partition(".")[0]
        if there and (_begun(*sorted((stem, there), key=len)) or (dot and once(there) == once(stem))):
            kin.append(name)
    return kin if len(kin) == 1 and (dot or len(names) < _FEW) else []


def _begun(short: str, long: str) -> bool:
    """Whether `long` is `short` with at most two letters more at its end, and no number."""
    return (
        len(short) >= 2
        and long.startswith(short)
        and len(long) - len(short) <= 2
        and not re.search(r"\d", long)
    )


def _is_another_word(name: str, other: str) -> bool:
    """Whether one letter of a word of four stands where a finger does not slip from: phar is no misspelt ptar."""
    return len(name) == len(other) == 4 and distance(name, other, 1.0) >= 1.0
