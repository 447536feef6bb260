"""Finds the shell's own marks (OSC 133 with a nonce) in what it prints, and tells them from forged ones.

A mark is `ESC ] 133 ; LETTER [; STATUS] [; KEY=VALUE]... BEL` (or ST). A opens a prompt, C the output of a
command, D closes it. Ours carry `terma=NONCE`; `aid` is the shell's pid, so that a shell inside a shell does not
end the outer one's command. Source: https://gitlab.freedesktop.org/Per_Bothner/specifications (semantic prompts);
`cmdline_url` is kitty's and fish's, `cwd_url` and `terma` are ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

LONGEST_MARK = 32 * 1024  # bytes that may stand between the start of a mark and its end
# What a recorder must see: a mark, and the way into the alternate screen and out of it (alone or among others).
_NOTABLE = re.compile(rb"\x1b(?:\]133;|\[\?(?:[0-9]+;)*(?:1049|1047|47)(?:;[0-9]+)*([hl]))")
_MARK = re.compile(rb"\x1b\]133;()")
_CONTROL = re.compile(rb"[\x00-\x1f]")  # values are percent-encoded, so any control character ends a mark
_TERMINATOR = re.compile(rb"\x07|\x1b\\")
_CUT = re.compile(rb"\x1b(?:\](?:1(?:3(?:3)?)?)?|\[(?:\?[0-9;]{0,20})?)?\Z")  # cut by the end of a read
_LONGEST_CUT = 24
_PERCENT = re.compile(rb"%([0-9A-Fa-f]{2})")


@dataclass(frozen=True, slots=True)
class Mark:
    """One believed mark. `letter` is A, B, C or D; `status` only D has; `fields` are decoded."""

    letter: str
    status: int | None = None
    fields: dict[str, bytes] = field(default_factory=dict)


class AltScreen:
    """The alternate screen was entered (`ENTER`) or left (`LEAVE`)."""


ENTER, LEAVE = AltScreen(), AltScreen()


class Scanner:
    """Splits a stream that arrives in pieces of any size into output, marks and changes of screen.

    Marks that are believed and the switches of the screen are not repeated as output."""

    def __init__(self, nonce: str | None, *, screens: bool = True, plain: bool = False) -> None:
        """`nonce` is what a mark must carry; None believes every mark, for shells that give only plain ones. With
        `plain` every mark is believed until the first one with the nonce: who prints that prints the rest as well.
        Without `screens`, the switches of the screen are output like everything else."""
        self._nonce = None if nonce is None else nonce.encode("ascii")
        self._plain = plain
        self._notable = _NOTABLE if screens else _MARK
        self._rest = b""  # the beginning of what may become a mark

    def is_plain(self, data: bytes) -> bool:
        """Whether `data` is output and nothing else, and nothing is left from before: the common case, and cheap."""
        return not self._rest and b"\x1b" not in data

    @property
    def waiting(self) -> int:
        """How many bytes wait for the next piece: they may become a mark."""
        return len(self._rest)

    def scan(self, data: bytes) -> Iterator[bytes | Mark | AltScreen]:
        """The parts of `data`, in order, less what may still become a mark with the next piece."""
        if self._rest:
            data, self._rest = self._rest + data, b""
        at = search = 0  # up to `at` all is told
        if not (_holds(data, b"]", b"\x1b]133;") or _holds(data, b"?", b"\x1b[?")):
            search = len(data)  # colours: the expression below would stop at each of them
        while found := self._notable.search(data, search):
            start, search = found.span()
            if found[1]:
                if start > at:
                    yield data[at:start]
                yield ENTER if found[1] == b"h" else LEAVE
                at = search
                continue
            end = _CONTROL.search(data, search)
            if end is None or (end[0] == b"\x1b" and end.end() == len(data)):
                if len(data) - start <= LONGEST_MARK:
                    self._rest = data[start:]
                    data = data[:start]
                break
            closed = _TERMINATOR.match(data, end.start())
            mark = self._read(data[search : end.start()]) if closed else None
            search = closed.end() if closed else end.start()  # an ESC there may open a real one
            if mark is not None:
                if start > at:
                    yield data[at:start]
                yield mark
                at = search
        if not self._rest and (cut := _CUT.search(data, max(at, len(data) - _LONGEST_CUT))):
            self._rest, data = cut[0], data[: cut.start()]
        if len(data) > at:
            yield data[at:]

    def _read(self, body: bytes) -> Mark | None:
        """The mark with this body, or None when it is not one of ours."""
        letter, *words = body.split(b";")
        if letter not in (b"A", b"B", b"C", b"D"):
            return None
        pairs = [word.split(b"=", 1) for word in words if b"=" in word]
        fields = {key.decode("ascii", "replace"): _decode(value) for key, value in pairs}
        if self._nonce is not None and fields.get("terma") == self._nonce:
            self._plain = False
        elif self._nonce is not None and not self._plain:
            return None
        status = int(words[0]) if letter == b"D" and words and words[0][:4].isdigit() else None
        return Mark(letter.decode("ascii"), status, fields)


def _holds(data: bytes, rare: bytes, text: bytes) -> bool:
    """`text in data`, after a look for its rarest byte, which takes a twentieth of the time."""
    return rare in data and text in data


def _decode(value: bytes) -> bytes:
    return _PERCENT.sub(lambda found: bytes((int(found[1], 16),)), value)
