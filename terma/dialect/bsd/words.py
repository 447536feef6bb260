"""A command line as words and what stands between them, so that a change of one word leaves every other byte."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field

from terma.records import dataclass
from terma.shell_syntax import BASH, ZSH, ShellSyntaxError, parse
from terma.shell_syntax.nodes import (
    ArithmeticExpansion,
    Assignment,
    Brace,
    CommandSubstitution,
    DoubleQuoted,
    Parameter,
    Part,
    ProcessSubstitution,
    Redirect,
    Script,
    Simple,
    Word,
    commands,
)


@dataclass(slots=True)
class Piece:
    """A word, or what stands between two (`word` False). A word that is set to "" goes, with the blank before it;
    `text` may become several words."""

    text: str
    word: bool = True

    @property
    def value(self) -> str:
        """The word without its quotes; what the shell would expand stays as it is written."""
        if self.text.startswith("$'") or not any(char in self.text for char in "'\"\\"):
            return self.text
        try:
            script = parse(self.text, BASH)
        except ShellSyntaxError:
            return self.text
        return " ".join(word.text for command in commands(script) for word in _words(command))


@dataclass(slots=True)
class Line:
    """`pieces` joined are the line. `calls` are its simple commands in order: their words, assignments in front
    included, and whether they have no redirection of their own. `inner` holds each piece with a command substitution
    in it, with the substitutions' places in the piece."""

    pieces: list[Piece] = field(default_factory=list)
    calls: list[tuple[list[Piece], bool]] = field(default_factory=list)
    inner: list[tuple[Piece, list[tuple[int, int]]]] = field(default_factory=list)

    def __str__(self) -> str:
        out: list[str] = []
        for piece in self.pieces:
            if piece.text or not piece.word:
                out.append(piece.text)
            elif out and not out[-1].strip(" \t"):
                out.pop()
        return "".join(out)


class Unreadable(ValueError):
    """A line that is better left alone: it cannot be read, or holds a here-document."""


def line_of(source: str) -> Line:
    """`source` cut up. Raises Unreadable."""
    script = _read(source)
    line, at = Line(), 0
    pieces: dict[int, Piece] = {}
    for node in sorted(_changeable(script), key=lambda node: node.start):
        line.pieces.append(Piece(source[at : node.start], word=False))
        pieces[node.start] = piece = Piece(source[node.start : node.end])
        line.pieces.append(piece)
        at = node.end
        parts = node.value.parts if isinstance(node, Assignment) else node.parts
        if places := [(start - node.start, end - node.start) for start, end in _substitutions(parts)]:
            line.inner.append((piece, places))
    line.pieces.append(Piece(source[at:], word=False))
    for simple in _simples(script):
        nodes: list[Word | Assignment] = [*simple.assignments, *simple.words]
        own = {node.start: pieces[node.start] for node in sorted(nodes, key=lambda node: node.start)}
        line.calls.append((list(own.values()), not simple.redirects))
    return line


def _read(source: str) -> Script:
    try:
        return parse(source, BASH)
    except ShellSyntaxError as error:
        try:
            return parse(source, ZSH)
        except ShellSyntaxError:
            raise Unreadable(error.message) from error


def substituted(piece: Piece, places: Sequence[tuple[int, int]], change: Callable[[str], str]) -> None:
    """Put `change` of what stands in each substitution of `piece` in its place."""
    for start, end in reversed(places):
        piece.text = piece.text[: start + 2] + change(piece.text[start + 2 : end - 1]) + piece.text[end - 1 :]


def quoted(text: str) -> str:
    """In single quotes."""
    return "'" + text.replace("'", "'\\''") + "'"


def _changeable(script: Script) -> Iterator[Word | Assignment]:
    """The words that may be written anew, none within another."""
    for command in commands(script):
        if isinstance(command, Simple):
            starts = {assignment.start for assignment in command.assignments}
            yield from command.assignments
            yield from (word for word in command.words if word.start not in starts)
        else:
            yield from command.words
            for body in command.bodies:
                yield from _changeable(body)
        yield from map(_target, command.redirects)


def _target(redirect: Redirect) -> Word:
    if redirect.document is not None:
        raise Unreadable("a here-document")
    return redirect.target


def _simples(script: Script) -> Iterator[Simple]:
    for command in commands(script):
        if isinstance(command, Simple):
            yield command
        else:
            for body in command.bodies:
                yield from _simples(body)


def _words(command: object) -> tuple[Word, ...]:
    return command.words if isinstance(command, Simple) else ()


def _substitutions(parts: Sequence[Part]) -> Iterator[tuple[int, int]]:
    """The places of `$(…)`, `<(…)` and `>(…)`, the outermost."""
    for part in parts:
        if isinstance(part, DoubleQuoted | Parameter | ArithmeticExpansion):
            yield from _substitutions(part.parts)
        elif isinstance(part, Brace):
            for alternative in part.alternatives:
                yield from _substitutions(alternative)
        elif isinstance(part, CommandSubstitution | ProcessSubstitution) and part.source[1:2] == "(":
            yield part.start, part.end
