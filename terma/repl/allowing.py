"""What `--yes` covers: commands that the settings name, and that are one plain command, whatever the pattern says."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from fnmatch import fnmatchcase

# What makes more of a line than one program and its words: operators, redirections, expansions, a second line.
_MORE = re.compile(r"[;|&<>()`$\n\r\\{}#!]")
_PROGRAM = re.compile(r"[\w.+-]+")


def covers(patterns: Sequence[str], command: str) -> bool:
    """Whether one of `patterns` (`git status`, `ls *`) matches: word by word, a last `*` standing for any more words.

    A command with an operator, an expansion, an assignment in front or a redirection outside quotes is never covered,
    and neither is one whose program is given by a path or a wildcard."""
    try:
        words = shlex.split(command)
    except ValueError:
        return False
    if not words or _MORE.search(_unquoted(command)) or not _PROGRAM.fullmatch(words[0]):
        return False
    return any(_matches(pattern.split(), words) for pattern in patterns)


def _matches(pattern: Sequence[str], words: Sequence[str]) -> bool:
    if pattern and pattern[-1] == "*":
        head = pattern[:-1]
        return bool(head) and len(words) >= len(head) and _each(head, words[: len(head)])
    return len(pattern) == len(words) and _each(pattern, words)


def _each(pattern: Sequence[str], words: Sequence[str]) -> bool:
    return all(fnmatchcase(word, part) for part, word in zip(pattern, words, strict=True))


def _unquoted(command: str) -> str:
    """Without what single quotes hold; in double quotes a `$` or a backquote still expands."""
    text = re.sub(r"'[^']*'", "", command)
    return re.sub(r'"([^"\\$`]*)"', "", text)
