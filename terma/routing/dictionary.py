"""Which words are commands: those on the real PATH, the shell's own, and those that people have elsewhere."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Literal, NamedTuple

from terma import reading
from terma import regex as re
from terma.machine.programs import USUAL_FUNCTIONS, is_builtin
from terma.routing.evidence import Known
from terma.routing.programs import listed

FRESH = 2.0  # seconds in which a directory of PATH is not looked at again
KEYWORDS = frozenset(
    "if then elif else fi case esac for select while until do done in function { } [[ ((".split()
)
USUAL_ALIASES = frozenset(
    "ll la l lla lt gs gst ga gaa gb gc gsw gr glo gd gco gcm gp gl glog k tf dc dcu g v vi py md rd .. cd..".split()
)
_GIT_HOMES = ("/usr/lib/git-core", "/usr/libexec/git-core", "/usr/local/libexec/git-core",
              "/opt/homebrew/opt/git/libexec/git-core")  # fmt: skip
_TARGET = re.compile(r"^([\w./-]+(?: [\w./-]+)*)\s*:(?!=)", re.MULTILINE)
_GIT_ALIAS = re.compile(r"^\s*([\w-]+)\s*=", re.MULTILINE)
MAX_FILE = 200_000


class _Listing(NamedTuple):
    names: frozenset[str]
    stamps: tuple[int, ...]
    looked: float


_listings: dict[str, _Listing] = {}
_lock = Lock()


def on_path(path: str) -> frozenset[str]:
    """The names in the directories of PATH `path`. The first look reads them all (some milliseconds), later ones stat
    them every `FRESH` seconds."""
    with _lock:
        kept = _listings.get(path)
        now = monotonic()
        if kept and now - kept.looked < FRESH:
            return kept.names
        folders = [folder for folder in path.split(os.pathsep) if folder.startswith("/")]
        stamps = tuple(map(_stamp, folders))
        names = kept.names if kept and kept.stamps == stamps else _names(folders)
        if len(_listings) > 8:
            _listings.clear()
        _listings[path] = _Listing(names, stamps, now)
        return names


def _stamp(folder: str) -> int:
    try:
        return os.stat(folder).st_mtime_ns  # noqa: PTH116 fast
    except (OSError, ValueError):
        return 0


def _names(folders: list[str]) -> frozenset[str]:
    found: set[str] = set()
    for folder in dict.fromkeys(folders):
        with suppress(OSError, ValueError):
            found.update(os.listdir(folder))  # noqa: PTH208 names alone
    return frozenset(found)


def is_here(name: str, known: Known) -> str:
    """What `name` is in this shell: "keyword", "alias", "function", "builtin", "program", or ""."""
    if name in known.aliases:
        return "alias"
    if name in known.functions:
        return "function"
    if name in KEYWORDS:
        return "keyword"
    if is_builtin(name, known.shell):
        return "builtin"
    return "program" if name in on_path(known.path) else ""


def is_usual(name: str) -> bool:
    """Whether people have a program, a function or an alias of that name."""
    return name in listed() or name in USUAL_FUNCTIONS or name in USUAL_ALIASES


def is_program(name: str, known: Known) -> bool:
    """Whether `name` is a command here or elsewhere."""
    return bool(is_here(name, known)) or is_usual(name)


def has_extension(program: str, verb: str, known: Known) -> bool:
    """Whether `program` finds `verb` beside it, as git and cargo do: a program named `git-verb`; or in git's own
    directory, or among the person's aliases of git."""
    if f"{program}-{verb}" in on_path(known.path):
        return True
    return program == "git" and verb in _git_verbs()


@lru_cache(1)
def _git_verbs() -> frozenset[str]:
    found: set[str] = set()
    for home in _GIT_HOMES:
        with suppress(OSError):
            found.update(name[4:] for name in os.listdir(home) if name.startswith("git-"))  # noqa: PTH208
    home_dir = os.environ.get("HOME", "")
    config = os.environ.get("XDG_CONFIG_HOME") or f"{home_dir}/.config"
    for file in (Path(home_dir) / ".gitconfig", Path(config) / "git/config"):
        for section in _read(file).split("\n[")[0:]:
            if section.lstrip("[").startswith("alias]"):
                found.update(_GIT_ALIAS.findall(section.partition("]")[2]))
    return frozenset(found)


def targets(program: str, cwd: str) -> frozenset[str]:
    """The targets of the makefile or justfile in the directory `cwd`; empty when there is none."""
    names = (
        ("justfile", "Justfile", ".justfile")
        if program == "just"
        else ("GNUmakefile", "makefile", "Makefile")
    )
    for name in names if cwd else ():
        with suppress(OSError, ValueError):
            file = Path(cwd) / name
            return _targets(str(file), file.stat().st_mtime_ns)
    return frozenset()


@lru_cache(32)
def _targets(file: str, _version: int) -> frozenset[str]:
    return frozenset(name for names in _TARGET.findall(_read(Path(file))) for name in names.split())


def _read(file: Path) -> str:
    return reading.text(file, MAX_FILE)


def exists(word: str, cwd: str) -> bool:
    """Whether `word` names a file seen from `cwd`. A `~` is the home directory's."""
    if not cwd or len(word) > 1000:
        return False
    try:
        return os.path.lexists(os.path.join(cwd, os.path.expanduser(word)))  # noqa: PTH111, PTH118 fast
    except ValueError:
        return False


def at_path(word: str, cwd: str) -> Literal["directory", "file", "program", ""]:
    """What is there at the path `word`, seen from `cwd`: "file" for one that cannot be run, "" for nothing."""
    if not exists(word, cwd or "/"):
        return ""
    file = os.path.join(cwd or "/", os.path.expanduser(word))  # noqa: PTH111, PTH118 fast
    if os.path.isdir(file):  # noqa: PTH112 fast
        return "directory"
    return "program" if os.access(file, os.X_OK) else "file"
