"""Which pieces carry the risk of a line: those without which it would be less."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from terma.pieces.model import Kind, Piece
from terma.risk import assess
from terma.types import Risk

_ORDER = {"low": 0, "medium": 1, "high": 2}
MAX_TRIED = 60  # pieces that are tried; each takes half a millisecond
# What is named first among pieces that each carry all of it: `-r` says more than `rm`, and `rm` more than the file.
_FIRST: tuple[tuple[Kind, ...], ...] = (
    ("option", "redirect", "assignment"), ("subcommand",), ("program", "substitution"),
    ("operand", "operator", "keyword"),
)  # fmt: skip


_JOINS = (";", "&&", "||", "&", "&!", "&|")
_PIPES = ("|", "|&")


def carriers(line: str, pieces: list[Piece], risk: Risk, cwd: str, shell: str) -> frozenset[int]:
    """The places in `pieces` of those without which the line's risk is less: an option, a file, a redirect, and where
    no such piece is enough the program. Where several commands each carry all of it, none of them would be missed:
    each is judged with nothing in the place of the others."""
    found: list[frozenset[int]] = []
    commands = list(_commands(pieces[:MAX_TRIED]))
    for command in commands if len(commands) > 1 else ():
        alone = _with_only(line, pieces, command, commands)
        left = assess(alone, cwd, shell)
        if left.level == risk.level and ("unread" not in left.kinds or "unread" in risk.kinds):
            found.append(_carriers(alone, pieces, command, left, cwd, shell))
    if len(found) > 1:
        return frozenset().union(*found)
    return _carriers(line, pieces, range(min(len(pieces), MAX_TRIED)), risk, cwd, shell)


def _carriers(
    line: str, pieces: list[Piece], tried: Sequence[int], risk: Risk, cwd: str, shell: str
) -> frozenset[int]:
    """The whole line is judged anew without each of the pieces `tried`, until a kind of piece has one without which the
    level itself is less; else those count that take a reason with them."""
    told: list[int] = []  # in the order of _FIRST
    tried = [
        at for at in tried if pieces[at].text not in (*_JOINS, *_PIPES)
    ]  # it would be one command's words
    for kinds in _FIRST:
        found = {
            at: _left(line, pieces[at], risk, cwd, shell, ":" * _is_alone(pieces, at))
            for at in tried
            if pieces[at].kind in kinds
        }
        most = frozenset(at for at, less in found.items() if less == "level")
        if most:
            return most
        if not told:
            told = [at for at, less in found.items() if less == "reason"]
    return frozenset(told)


def _commands(pieces: Sequence[Piece]) -> Iterator[list[int]]:
    """The places of the pieces of each command, with what it is piped into and what it holds."""
    found: list[int] = []
    for at, piece in enumerate(pieces):
        first = pieces[found[0]] if found else piece
        ends = piece.depth < first.depth or (
            piece.depth == first.depth
            and (piece.text in _JOINS or piece.kind == "keyword" or _begins(pieces, at))
        )
        if found and ends:
            yield found
            found = []
        if found or piece.kind == "program":
            found.append(at)
    if found:
        yield found


def _begins(pieces: Sequence[Piece], at: int) -> bool:
    return pieces[at].kind == "program" and pieces[at - 1].text not in _PIPES


def _with_only(line: str, pieces: Sequence[Piece], command: list[int], commands: list[list[int]]) -> str:
    """The line with a command that does nothing in the place of each other one; what is left stands where it stood."""
    for other in commands:
        if other is not command:
            start, end = pieces[other[0]].start, max(pieces[at].end for at in other)
            line = line[:start] + ":".ljust(end - start) + line[end:]
    return line


def _is_alone(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the piece is a program whose words are its own: one that does nothing may take them in its place. Behind
    one that runs another (`sudo`), those are the other's."""
    following = (one for one in pieces[at + 1 :] if one.kind == "program")
    return pieces[at].kind == "program" and next(following, pieces[at]).depth <= pieces[at].depth


def _left(line: str, piece: Piece, risk: Risk, cwd: str, shell: str, instead: str = "") -> str:
    """What is less without the piece, or with something harmless in its place: "level", "reason" or ""."""
    rest = _without(line, piece)
    if instead and rest.strip():
        rest = line[: piece.start] + instead + line[piece.end :]
    if not rest.strip():
        return "level"
    left = assess(rest, cwd, shell)
    if "unread" in left.kinds and "unread" not in risk.kinds:
        return ""
    if _ORDER[left.level] < _ORDER[risk.level]:
        return "level"
    return "reason" if left.level == risk.level and set(left.reasons) < set(risk.reasons) else ""


def _without(line: str, piece: Piece) -> str:
    """The line without the piece; a cluster that lost its last letter goes too."""
    before, after = line[: piece.start], line[piece.end :]
    if before.endswith(" -") and (not after or after[0] in " \t\n"):
        before = before[:-1]
    return before + after
