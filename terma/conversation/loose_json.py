"""JSON as models write it: with comments, trailing commas, wrong quotes, lost brackets, and an end that never came.

What is right is read by the standard library. What is not is read here, by guessing what was meant: a quote ends a
string where what follows makes sense, a backslash before what JSON does not escape stays, as a shell wants it.
"""

from __future__ import annotations

import json
import re
from typing import Any

MAX_DEPTH = 24
_STRICT = json.JSONDecoder(strict=False)  # newlines in strings are fine
_BLANK = re.compile(r"(?:[\s,]|//[^\n]*|\#[^\n]*|/\*(?s:.*?)(?:\*/|\Z))*")
_BARE = re.compile(r"[^,\]}\n]*")
_KEY = re.compile(r"[A-Za-z_][\w -]{0,40}(?=\s*[:=])")
_PAIRS = {'"': '"', "'": "'", "`": "`", "“": '”“"', "”": '”"', "‘": "’‘'", "’": "’'", "„": '“”"', "«": "»"}
_ESCAPES = {'"': '"', "'": "'", "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
# Behind the quote that ends a string stands the end of its place, or the key, item or comment that comes next.
_AFTER = re.compile(
    r"\s*(?:\Z|[:\]}]|=\s|//|/\*|\#|[\"'“‘`](?=\w+[\"'”’`]\s*:)"
    r"|,\s*(?:\Z|[\"'“”‘’`„{\[\]}\d/#]|\.\.\.|[A-Za-z_]\w*\s*:|true|false|null|None))"
)
_NUMBER = re.compile(r"-?\d{1,300}(?:\.\d{1,300})?")
_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None, "none": None}


class Cut(str):
    """A string whose end was not written."""

    __slots__ = ()


class Record(dict[str, Any]):
    """An object; `closed` when its brace was written."""

    closed = True


def read(text: str, at: int = 0) -> tuple[Any, int]:
    """The object or array that opens at `text[at]`, and the index behind it: len(text) when it was cut.

    Objects that were guessed are Records, strings without an end are Cut. Never raises."""
    try:
        return _STRICT.raw_decode(text, at)
    except (ValueError, RecursionError):
        return _Reader(text, at).value(0)


class _Reader:
    def __init__(self, text: str, at: int) -> None:
        self.text, self.at = text, at

    def value(self, depth: int) -> tuple[Any, int]:
        return self._value(depth), self.at

    def _value(self, depth: int) -> Any:
        first = self.text[self.at : self.at + 1]
        if first == "{" and depth < MAX_DEPTH:
            return self._object(depth)
        if first == "[" and depth < MAX_DEPTH:
            return self._array(depth)
        if first in _PAIRS:
            return self._string()
        return self._bare()

    def _object(self, depth: int) -> Record:
        made = Record()
        self.at += 1
        while self._more():
            if self.text[self.at] == "}":
                self.at += 1
                return made
            if self.text[self.at] == "]":
                return made  # the brace was forgotten, and an array ends here
            start = self.at
            key = self._key()
            if key is not None and self._colon():
                made[key] = self._value(depth + 1)
            elif self.at == start:
                self.at += 1
        made.closed = False
        return made

    def _array(self, depth: int) -> list[Any]:
        made: list[Any] = []
        self.at += 1
        while self._more():
            if self.text[self.at] == "]":
                self.at += 1
                return made
            if self.text[self.at] == "}":
                return made  # the bracket was forgotten
            start = self.at
            if self.text.startswith("...", self.at):
                self.at += 3
            else:
                made.append(self._value(depth + 1))
            self.at += self.at == start
        return made

    def _more(self) -> bool:
        """Pass blanks, commas and comments. Whether anything is left."""
        found = _BLANK.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return self.at < len(self.text)

    def _key(self) -> str | None:
        if self.text[self.at] in _PAIRS:
            return str(self._string()).strip().lower()
        bare = _KEY.match(self.text, self.at)
        if bare is None:
            return None
        self.at = bare.end()
        return bare[0].strip().lower()

    def _colon(self) -> bool:
        if self._more() and self.text[self.at] in ":=":
            self.at += 1
            return self._more()
        return False

    def _string(self) -> str:
        opening = self.text[self.at]
        if opening * 3 == self.text[self.at : self.at + 3]:
            return self._triple(opening * 3)
        closing = _PAIRS[opening]
        self.at += 1
        pieces: list[str] = []
        while self.at < len(self.text):
            char = self.text[self.at]
            self.at += 1
            if char == "\\":
                pieces.append(self._escape())
            elif char in closing and (char == "»" or _AFTER.match(self.text, self.at)):
                return "".join(pieces)
            else:
                pieces.append(char)
        return Cut("".join(pieces))

    def _triple(self, quotes: str) -> str:
        start = self.at + 3
        end = self.text.find(quotes, start)
        self.at = end + 3 if end >= 0 else len(self.text)
        return self.text[start:end].strip("\n") if end >= 0 else Cut(self.text[start:])

    def _escape(self) -> str:
        char = self.text[self.at : self.at + 1]
        self.at += 1
        if char == "u" and re.fullmatch(r"[0-9a-fA-F]{4}", self.text[self.at : self.at + 4]):
            self.at += 4
            return _surrogates_joined(self)
        return _ESCAPES.get(char, "\\" + char)

    def _bare(self) -> Any:
        found = _BARE.match(self.text, self.at)
        word = found[0] if found else ""
        self.at += len(word)
        if self.at == len(self.text):
            return Cut(word.strip())
        word = word.strip()
        return float(word) if _NUMBER.fullmatch(word) else _WORDS.get(word.lower(), word)


def _surrogates_joined(reader: _Reader) -> str:
    """The character of the `\\uXXXX` just read, with the low surrogate that may follow it."""
    code = int(reader.text[reader.at - 4 : reader.at], 16)
    low = re.match(r"\\u(d[c-f][0-9a-f]{2})", reader.text[reader.at : reader.at + 6], re.IGNORECASE)
    if 0xD800 <= code < 0xDC00 and low:
        reader.at += 6
        return chr(0x10000 + ((code - 0xD800) << 10) + int(low[1], 16) - 0xDC00)
    return "\ufffd" if 0xD800 <= code < 0xE000 else chr(code)
