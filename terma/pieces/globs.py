"""How many names an unquoted pattern stands for here: counted within bounds, as the shell would, and never guessed."""

from __future__ import annotations

import fnmatch
import os
import re
import time
from collections.abc import Iterable

from terma.shell_syntax import nodes as tree

MOST_ENTRIES = 20_000
SECONDS = 0.05
_PLAIN = re.compile(r"[*?]+|\[[^\]]+\]")


def says(word: tree.Word, cwd: str) -> str:
    """`matches 3 names here`, for a word with a pattern; "" where that cannot be counted in time."""
    pattern = _pattern(word.parts)
    if pattern is None or not cwd:
        return ""
    found = _count(pattern, cwd)
    if found < 0:
        return ""
    if not found:
        return "matches nothing here"
    return f"matches {found} name{'s' if found > 1 else ''} here"


def _pattern(parts: Iterable[tree.Part]) -> str | None:
    """The word as fnmatch reads it; None for what only the shell itself knows."""
    found = ""
    for part in parts:
        if isinstance(part, tree.Glob):
            if not _PLAIN.fullmatch(part.text) or "**" in part.text:
                return None
            found += part.text.replace("[^", "[!")
        elif isinstance(part, tree.Literal | tree.Escaped | tree.SingleQuoted):
            found += re.sub(r"([*?[])", r"[\1]", part.text)
        elif isinstance(part, tree.Tilde) and part.text == "~":
            found += re.sub(r"([*?[])", r"[\1]", os.path.expanduser("~"))  # noqa: PTH111 a part of a word, no path
        elif isinstance(part, tree.DoubleQuoted) and (inner := _pattern(part.parts)) is not None:
            found += inner
        else:
            return None
    return found


def _count(pattern: str, cwd: str) -> int:
    """How many names match, -1 when that takes too long."""
    folders = ["/" if pattern.startswith("/") else cwd]
    pieces = [piece for piece in pattern.split("/") if piece]
    end, seen = time.monotonic() + SECONDS, 0
    for at, piece in enumerate(pieces):
        found: list[str] = []
        for folder in folders:
            if not re.search(r"[*?[]", piece):
                found += [path] if os.path.lexists(path := os.path.join(folder, piece)) else []  # noqa: PTH118 fast
                continue
            for name in _names(folder):
                seen += 1
                if seen > MOST_ENTRIES or time.monotonic() > end:
                    return -1
                if fnmatch.fnmatchcase(name, piece) and (name[0] != "." or piece[0] == "."):
                    found.append(os.path.join(folder, name))  # noqa: PTH118
        folders = found if at == len(pieces) - 1 and pattern[-1] != "/" else [*filter(os.path.isdir, found)]
    return len(folders)


def _names(folder: str) -> Iterable[str]:
    try:
        with os.scandir(folder) as listed:
            for entry in listed:
                yield entry.name
    except OSError:
        return
