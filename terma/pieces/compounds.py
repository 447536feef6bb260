"""Tells the shell's own constructs: loops, conditions, `case`, `[[ … ]]`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from terma.pieces.letters import Written
from terma.pieces.model import Kind, Piece
from terma.pieces.sources import Source
from terma.pieces.words import Words
from terma.shell_syntax import nodes as tree

_KEYWORDS = {"then": "if so", "else": "otherwise", "elif": "otherwise, if", "do": "each time"}
_HEADS = {
    "group": "several commands as one",
    "subshell": "in a shell of its own: cd and variables in it do not last",
    "if": "whether this works decides what runs",
    "while": "again and again, as long as this works",
    "until": "again and again, until this works",
    "case": "what runs depends on which pattern fits",
    "test": "true or false",
    "arithmetic": "computes with whole numbers",
    "repeat": "this many times",
    "coproc": "in the background, with a pipe to and from it",
    "always": "what follows runs whatever happens before it",
}
_CONDITION = "["  # whose operators `[[` has too


class Compounds:
    """What `Walk` knows of compound commands."""

    line: str
    defined: set[str]
    if TYPE_CHECKING:

        def script(self, script: tree.Script, depth: int) -> Iterator[Piece]: ...
        def _inside(self, parts: tuple[tree.Part, ...], depth: int) -> Iterator[Piece]: ...
        def _redirect(self, one: tree.Redirect, depth: int) -> list[Piece]: ...
        def _piece(self, start: int, end: int, kind: Kind, says: str, depth: int) -> Piece: ...
        def _written(self, word: tree.Word, names: bool = True) -> Written: ...
        def _extra(self, word: tree.Word, names: bool = True) -> str: ...

    def _compound(self, command: tree.Compound, depth: int) -> Iterator[Piece]:
        if command.kind == "test":
            yield from self._test(command, depth)
            return
        bodies = command.bodies
        head_end = (
            bodies[0].start if bodies else min([command.end, *(one.start for one in command.redirects)])
        )
        yield self._head(command, head_end, depth)
        for word in command.words:
            yield from self._inside(word.parts, depth + 1)
        at = head_end if command.kind != "case" else command.words[0].end
        for body in bodies:
            if command.kind == "case":
                yield from self._patterns(command, at, body.start, depth)
            elif body is not bodies[0]:
                yield from self._keywords(at, body.start, depth)
            yield from self.script(body, depth + 1)
            at = body.end
        for one in command.redirects:
            yield from self._redirect(one, depth)

    def _head(self, command: tree.Compound, end: int, depth: int) -> Piece:
        kind, name = command.kind, command.name
        says = _HEADS.get(kind, "")
        if kind in ("for", "foreach") and name:
            extra = "; ".join(filter(None, (self._extra(word) for word in command.words)))
            says = f"once for each of these, which {name} holds" + (f"; {extra}" if extra else "")
        elif kind == "for":
            says = "counts: how it begins, how long it goes on, what changes each time"
        elif kind == "select":
            says = f"asks which of these {name} shall hold"
        elif kind == "function":
            says = f"defines the command {name}; nothing of it runs yet"
            self.defined.add(name)  # from here on: its own body may run it, too
        start = command.start
        if kind == "case":
            end = self.line.find("in", command.words[0].end) + 2
        text = self.line[start:end].strip()
        for word in ("do", "{", "then"):
            text = text.removesuffix(word).rstrip(" ;\n") if text != word else text
        text = " ".join(text.split())
        return Piece(start, start + max(len(text), 1), text, "keyword", says, "terma" if says else "", depth)

    def _keywords(self, start: int, end: int, depth: int) -> Iterator[Piece]:
        at = start
        for word in self.line[start:end].replace(";", " ").split():
            at = self.line.find(word, at, end)
            if word in _KEYWORDS and at >= 0:
                yield self._piece(at, at + len(word), "keyword", _KEYWORDS[word], depth)
            at += len(word)

    def _test(self, command: tree.Compound, depth: int) -> Iterator[Piece]:
        start, end = (
            command.start,
            self.line.find("]]", command.words[-1].end if command.words else command.start),
        )
        yield self._piece(start, start + 2, "keyword", "true or false, as the shell itself says", depth)
        words = tuple(self._written(word, names=False) for word in command.words)
        yield from Words(Source(("[[",), ""), words, depth, Source((_CONDITION,), "")).pieces()
        for word in command.words:
            yield from self._inside(word.parts, depth + 1)
        yield self._piece(end, end + 2, "keyword", "the end of the condition", depth)
        for one in command.redirects:
            yield from self._redirect(one, depth)

    def _patterns(self, command: tree.Compound, start: int, end: int, depth: int) -> Iterator[Piece]:
        """The patterns in front of one of a case's lists."""
        found = [word for word in command.words[1:] if start <= word.start < end]
        if found:
            last = self.line.find(")", found[-1].end) + 1
            any_other = len(found) == 1 and found[0].text == "*"
            says = "if it fits this" if len(found) == 1 else "if it fits one of these"
            says = "whatever else it is" if any_other else says
            yield self._piece(found[0].start, last, "keyword", says, depth + 1)
