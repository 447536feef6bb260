"""Markdown cut into blocks while it arrives: a finished one is drawn once, and only the last can still change."""

from __future__ import annotations

import re
from dataclasses import dataclass

LONGEST = 40  # lines of a block that is cut where it can be: drawing a long one again and again takes long

_FENCE = re.compile(r" {0,3}(```+|~~~+)([^`]*)\Z")
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]")
_ITEM = re.compile(r" {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|\Z)")
_INDENTED = re.compile(r"(?: {2,}|\t)\S")


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of markdown that can be drawn by itself. `joined`: it goes on where the one before it was cut, so no
    empty line stands between them."""

    text: str
    joined: bool = False


class Blocks:
    """`feed` pieces as they come: the blocks that are finished. `open` is the one that grows; `close` ends it."""

    def __init__(self) -> None:
        self._lines: list[str] = []  # of the open block
        self._part = ""  # of the line that has no end yet
        self._fence = ""
        self._info = ""
        self._ended = False  # an empty line came: what is not indented begins a new block
        self._joined = False

    @property
    def open(self) -> Block | None:
        """What has come of the block that is not finished."""
        lines = [*self._lines, self._part] if self._part else self._lines
        text = "\n".join(lines)
        return Block(text, self._joined) if text.strip() else None

    def feed(self, piece: str) -> list[Block]:
        *lines, self._part = (self._part + piece).split("\n")
        done: list[Block] = []
        for line in lines:
            self._take(line.rstrip("\r"), done)
        return done

    def close(self) -> list[Block]:
        """The rest."""
        done: list[Block] = []
        if self._part:
            part, self._part = self._part, ""
            self._take(part, done)
        self._finish(done)
        self._fence = ""
        return done

    def _take(self, line: str, done: list[Block]) -> None:
        if self._fence:
            self._lines.append(line)
            bare = line.strip()
            if bare.startswith(self._fence) and not bare.strip(self._fence[0]):
                self._fence = ""
                self._finish(done)
            elif len(self._lines) > LONGEST:
                self._cut_fence(done)
            return
        if not line.strip():
            self._ended = bool(self._lines)
            if self._lines:
                self._lines.append("")
            return
        in_list = bool(self._lines) and bool(_ITEM.match(self._lines[0]))
        if self._ended and not (in_list and _INDENTED.match(line)):
            self._finish(done)
        self._ended = False
        fence = _FENCE.match(line)
        heading = _HEADING.match(line)
        if (fence and not (in_list and line.startswith(" "))) or heading:
            self._finish(done)
        elif in_list and self._lines and len(self._lines) >= LONGEST and _ITEM.match(line):
            self._finish(done)
            self._joined = True
        self._lines.append(line)
        if fence:
            self._fence, self._info = fence[1], fence[2].strip()
        if heading:
            self._finish(done)

    def _cut_fence(self, done: list[Block]) -> None:
        """What stands there of a long piece of code is drawn for good; the rest goes on in a fence of its own."""
        done.append(Block("\n".join([*self._lines, self._fence]), self._joined))
        self._lines = [f"{self._fence}{self._info}"]
        self._joined = True

    def _finish(self, done: list[Block]) -> None:
        text = "\n".join(self._lines).strip("\n")
        if text.strip():
            done.append(Block(text, self._joined))
        self._lines = []
        self._ended = self._joined = False
