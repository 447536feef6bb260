"""Where each key of a TOML text stands: tomllib says what a file holds but not on which line, and an error names it."""

from __future__ import annotations

import ast
import re

Path_ = tuple[str, ...]
_STRING = r'"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\''
_TOKEN = re.compile(
    rf"(?P<word>{_STRING}|[^\s=.,\[\]{{}}#\"']+)|(?P<skip>#[^\n]*|[ \t\r]+)|(?P<mark>[\n=.,\[\]{{}}])", re.S
)


class _Tokens:
    """The tokens of a text; `next` is a mark, "word" for a key or a value, "" at the end; `line` is its line."""

    def __init__(self, text: str) -> None:
        self._found: list[tuple[str, str, int]] = []
        line = 1
        for match in _TOKEN.finditer(text):
            if match.lastgroup != "skip":
                kind = "word" if match.lastgroup == "word" else match[0]
                self._found.append((kind, match[0], line))
            line += match[0].count("\n")
        self._found.append(("", "", line))
        self._at = 0

    @property
    def next(self) -> str:
        return self._found[self._at][0]

    @property
    def line(self) -> int:
        return self._found[self._at][2]

    def take(self) -> str:
        """Its text; the end is never taken."""
        text = self._found[self._at][1]
        self._at = min(self._at + 1, len(self._found) - 1)
        return text

    def skip(self, *kinds: str) -> None:
        while self.next and self.next in kinds:
            self.take()


def lines_of(text: str) -> dict[Path_, int]:
    """The line, from 1, of each table, key and item of a list in `text`, which tomllib could read. Of what is written
    in several places the first; a list's items are numbered in their paths."""
    tokens, found, table = _Tokens(text), dict[Path_, int](), Path_()
    while True:
        tokens.skip("\n")
        if not tokens.next:
            return found
        line = tokens.line
        if tokens.next == "[":
            tokens.skip("[")
            table = _key(tokens)
            tokens.skip("]")
            _note(found, table, line)
        else:
            _pair(tokens, table, found)


def _pair(tokens: _Tokens, above: Path_, found: dict[Path_, int]) -> None:
    line = tokens.line
    path = (*above, *_key(tokens))
    tokens.skip("=")
    _note(found, path, line)
    _value(tokens, path, found)


def _value(tokens: _Tokens, path: Path_, found: dict[Path_, int]) -> None:
    """One value, with what is in it where it is a list or a table."""
    if tokens.next not in ("[", "{"):
        tokens.take()
        while tokens.next in ("word", "."):  # a number with a point, a date with a blank
            tokens.take()
        return
    listed = tokens.take() == "["
    number = 0
    while True:
        tokens.skip("\n", ",")
        if tokens.next in ("]", "}", ""):
            tokens.take()
            return
        if listed:
            item = (*path, str(number))
            number += 1
            _note(found, item, tokens.line)
            _value(tokens, item, found)
        else:
            _pair(tokens, path, found)


def _key(tokens: _Tokens) -> Path_:
    parts = []
    while tokens.next in ("word", "."):
        if tokens.next == "word":
            parts.append(_plain(tokens.take()))
        else:
            tokens.take()
    return tuple(parts)


def _plain(word: str) -> str:
    """A key without its quotes."""
    if word.startswith("'"):
        return word[1:-1]
    if not word.startswith('"'):
        return word
    try:
        return str(ast.literal_eval(word))  # TOML's escapes in a key are Python's, but for \e
    except (ValueError, SyntaxError):
        return word[1:-1]


def _note(found: dict[Path_, int], path: Path_, line: int) -> None:
    """The line of `path`, and of what it stands in where that has none of its own."""
    for n in range(1, len(path) + 1):
        found.setdefault(path[:n], line)
