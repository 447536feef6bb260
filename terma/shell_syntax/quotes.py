"""What a quoted text says: the escapes of `$'…'` and of backquotes."""

from __future__ import annotations

from terma import regex as re

_SIMPLE = {
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "E": "\x1b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
}
_ANSI = re.compile(
    r"\\(?:([abeEfnrtv])|([\\'\"?])|([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|c(.))",
    re.DOTALL,
)
_BACKQUOTED = re.compile(r"\\([`$\\])")


def ansi(text: str) -> str:
    """The body of `$'…'` with its escapes decoded; bytes that make no text come as the code points of their numbers."""
    decoded = _ANSI.sub(_character, text)
    if decoded.isascii() or not any("\x80" <= char <= "\xff" for char in decoded):
        return decoded
    try:  # \xc3\xa9 are two bytes of one character
        return decoded.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return decoded


def _character(found: re.Match[str]) -> str:
    simple, itself, octal, two, four, eight, control = found.groups()
    if simple:
        return _SIMPLE[simple]
    if itself:
        return itself
    if control:
        return chr(ord(control) & 0x1F)
    number = int(octal, 8) & 0xFF if octal else int(two or four or eight, 16)
    return chr(number) if number < 0x110000 else "\ufffd"


def backquoted(text: str) -> str:
    """The body of a backquoted substitution as its own shell reads it."""
    return _BACKQUOTED.sub(r"\1", text)
