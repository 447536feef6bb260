"""The grammar of the wire, version 1: one frame a line, its fields split by US and closed by a full stop.

    > hello␟1␟zsh␟4242␟.
    > ask␟7␟translate␟buffer=…␟cwd=…␟.          > cancel␟7␟.
    < hello␟1␟terma␟0.1.0␟.
    < delta␟7␟find . ␟.      < note␟7␟offline · find␟.      < risk␟7␟high␟deletes files, recursively␟.
    < done␟7␟replace␟find . -type f␟cursor=5␟.  < error␟7␟code␟message␟hint␟.

Escapes: `\\\\` `\\n` `\\t`, and `\\0ooo` (always three octal digits) for the other C0 controls and DEL; NUL
is dropped. Text is UTF-8; bytes that are not come through as surrogate escapes, unharmed. zsh and bash decode
a field with `printf -v out %b`; their codec is shell_hooks/wire.sh; shell_hooks/vectors.txt holds all three
to the same answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from terma import regex as re
from terma.errors import ProtocolError

VERSION = 1
MAX_FRAME = 64 * 1024  # bytes, with the closing LF
SEPARATOR = "\x1f"
CLOSING = "."

_LONE_SURROGATE = re.compile("[\ud800-\udc7f\udd00-\udfff]")  # the rest stand for bytes that are not UTF-8
_CONTROL = re.compile(r"[\x00-\x1f\x7f\\]")
_ESCAPE = re.compile(r"\\(\\|n|t|0[01][0-7]{2})")
_NAMED = {"\\": "\\\\", "\n": "\\n", "\t": "\\t", "\0": ""}
_PLAIN = {"\\": "\\", "n": "\n", "t": "\t"}


def _escape_one(match: re.Match[str]) -> str:
    char = match[0]
    named = _NAMED.get(char)
    return named if named is not None else f"\\0{ord(char):03o}"


def encode_field(text: str) -> str:
    """`text` as it stands between two separators."""
    return _CONTROL.sub(_escape_one, text)


def decode_field(field: str) -> str:
    """The inverse of encode_field. Raises ProtocolError on a raw control character or an unknown escape."""

    def plain(match: re.Match[str]) -> str:
        code = match[1]
        return _PLAIN[code] if code in _PLAIN else chr(int(code, 8))

    rest = _ESCAPE.sub("", field)
    if "\\" in rest or _CONTROL.search(rest):
        raise ProtocolError("a field holds a raw control character or an unknown escape")
    if "\\" not in field:
        return field
    return _ESCAPE.sub(plain, field).replace("\0", "")


def encode(*fields: str) -> bytes:
    """One frame, LF included; a lone surrogate becomes U+FFFD. Raises ProtocolError over MAX_FRAME."""
    line = SEPARATOR.join([*map(encode_field, fields), CLOSING]) + "\n"
    data = _LONE_SURROGATE.sub("\ufffd", line).encode("utf-8", "surrogateescape")
    if len(data) > MAX_FRAME:
        raise ProtocolError(
            f"a frame of {len(data)} bytes is over the limit of {MAX_FRAME}", "shorten the line"
        )
    return data


def decode(line: bytes) -> tuple[str, ...]:
    """The fields of one frame, without the closing one. `line` may or may not carry its LF.

    Raises ProtocolError when it is oversized, not closed, empty, or holds what encode never writes."""
    if len(line) > MAX_FRAME:
        raise ProtocolError(f"a frame of over {MAX_FRAME} bytes", "shorten the line")
    fields = line.removesuffix(b"\n").decode("utf-8", "surrogateescape").split(SEPARATOR)
    if len(fields) < 2 or fields[-1] != CLOSING or not fields[0]:
        raise ProtocolError("a frame that is not closed by a full stop")
    return tuple(map(decode_field, fields[:-1]))


def keyed(fields: Sequence[str]) -> dict[str, str]:
    """Fields of the form key=value as a mapping. Raises ProtocolError on a field without a key."""
    pairs: dict[str, str] = {}
    for field in fields:
        key, equals, value = field.partition("=")
        if not equals or not key:
            raise ProtocolError("a request field without a key")
        pairs[key] = value
    return pairs


def unkeyed(pairs: Mapping[str, str]) -> list[str]:
    """The inverse of keyed: empty values are left out, since an absent key means the same."""
    return [f"{key}={value}" for key, value in pairs.items() if value]
