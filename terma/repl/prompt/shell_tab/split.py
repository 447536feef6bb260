"""The words of a line that is being typed, as readline cuts it before it asks a completion."""

from __future__ import annotations

from dataclasses import dataclass

_ENDS = "|;&(\n"  # a new command begins behind them
BREAKS = "\"'@><=:"  # and words, for bash: its COMP_WORDBREAKS


@dataclass(frozen=True, slots=True)
class Typed:
    """The command that the cursor is in: its text, its words, the last of which is being completed, and that one's
    length as it stands on the line."""

    text: str
    words: tuple[str, ...]
    length: int


def split(before: str, breaks: str = "") -> Typed:
    """`before` is the line up to the cursor; `breaks` are characters that are words of their own."""
    words: list[str] = []
    start, word, quote, length, at = 0, "", "", 0, 0
    while at < len(before):
        char = before[at]
        if char == "\\" and quote != "'":
            word += before[at : at + 2]
            length += len(before[at : at + 2])
            at += 2
            continue
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char in _ENDS:
            start, words, word, length = at + 1, [], "", 0
            at += 1
            continue
        elif char.isspace():
            words += [word] if word else []
            word, length = "", 0
            at += 1
            continue
        elif char in breaks:
            if not (word and set(word) <= set(breaks)):
                words += [word] if word else []
                word = ""
            word, length = word + char, 0
            at += 1
            continue
        elif word and set(word) <= set(breaks):
            words.append(word)
            word = ""
        word += char
        length += 1
        at += 1
    if word and breaks and set(word) <= set(breaks):
        words.append(word)
        word = ""
    return _command(Typed(before[start:].lstrip(), (*words, word), length))


def _command(typed: Typed) -> Typed:
    """Without the assignments in front of the command."""
    text, words = typed.text, list(typed.words)
    while len(words) > 1 and _assigns(text):
        first = text.split(maxsplit=1)
        if len(first) < 2:
            break
        taken = 0
        while words and taken < len(first[0]):
            taken += len(words.pop(0))
        text = first[1]
    return Typed(text, tuple(words), typed.length)


def _assigns(text: str) -> bool:
    name, equals, _ = text.partition("=")
    return bool(equals) and name.isidentifier()
