"""Whether git can read a repository to its end: nothing that it opens there is a pipe, a device or without end.

Git opens what stands at a name without looking at it: a pipe in place of `.gitattributes` holds `git status` for
ever. What holds files by thousands, objects and the directories of others, is walked within bounds; what cannot be
known within them is not known.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

_MOST_ENTRIES = 100_000  # in the git directory: most repositories have a hundredth of it
_LONGEST = 16 * 2**20  # bytes of a file of words: git reads each whole
_BESIDE = (".gitattributes", ".gitignore")  # in each directory
_AT_THE_TOP = (".gitmodules", ".mailmap")
_LONG = ("index", "packed-refs", "objects", "lfs")  # may hold as much as they like


def all_readable(directories: Iterable[Path], top: Path | None, tracked: Iterable[str]) -> bool:
    """Whether git can open what it wants to: in its `directories`, and beside the `tracked` files (paths below `top`,
    the top of the working tree; None where there is none). Raises OSError."""
    entries = 0
    for directory in directories:
        for entry in _walked(directory):
            entries += 1
            if entries > _MOST_ENTRIES or not _fits(entry, directory):
                return False
    return top is None or all(map(_is_short_file, _beside(top, tracked)))


def _walked(directory: Path) -> Iterator[os.DirEntry[str]]:
    waiting = [str(directory)]
    while waiting:
        with os.scandir(waiting.pop()) as found:
            for entry in found:
                yield entry
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)


def _fits(entry: os.DirEntry[str], directory: Path) -> bool:
    """A link is followed to a file; where one to a directory leads is not walked, and so not known."""
    if entry.is_dir(follow_symlinks=False):
        return True
    if not entry.is_file():
        return False
    first = os.path.relpath(entry.path, directory).partition(os.sep)[0]
    return first in _LONG or entry.stat().st_size <= _LONGEST


def _beside(top: Path, tracked: Iterable[str]) -> Iterator[str]:
    yield from (f"{top}/{name}" for name in _AT_THE_TOP)
    folders = {""}
    for path in tracked:
        folder = path.rpartition("/")[0]
        while folder not in folders:
            folders.add(folder)
            folder = folder.rpartition("/")[0]
    yield from (f"{top}/{folder}/{name}" for folder in folders for name in _BESIDE)


def _is_short_file(path: str) -> bool:
    """Whether there is a regular file at `path`, or nothing. Git follows no link there."""
    try:
        info = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return True
    return stat.S_ISLNK(info.st_mode) or (stat.S_ISREG(info.st_mode) and info.st_size <= _LONGEST)
