"""Which pieces carry the risk of a line: those without which it would be less."""

from __future__ import annotations

from terma.pieces.model import Kind, Piece
from terma.risk import assess
from terma.types import Risk

_ORDER = {"low": 0, "medium": 1, "high": 2}
MOST = 60  # pieces that are tried; each takes half a millisecond
# What is named first among pieces that each carry all of it: `-r` says more than `rm`, and `rm` more than the file.
_FIRST: tuple[tuple[Kind, ...], ...] = (
    ("option", "redirect", "assignment"), ("subcommand",), ("program", "substitution"),
    ("operand", "operator", "keyword"),
)  # fmt: skip


def carriers(line: str, pieces: list[Piece], risk: Risk, cwd: str, shell: str) -> frozenset[int]:
    """The places in `pieces` of those without which the line's risk is less: an option, a file, a redirect, and where
    no such piece is enough the program. The whole line is judged anew without each, until a kind of piece has one
    without which the level itself is less; else those count that take a reason with them."""
    tried = range(min(len(pieces), MOST))
    told: list[int] = []  # in the order of _FIRST
    for kinds in _FIRST:
        found = {at: _left(line, pieces[at], risk, cwd, shell) for at in tried if pieces[at].kind in kinds}
        most = frozenset(at for at, less in found.items() if less == "level")
        if most:
            return most
        if not told:
            told = [at for at, less in found.items() if less == "reason"]
    return frozenset(told)


def _left(line: str, piece: Piece, risk: Risk, cwd: str, shell: str) -> str:
    """What is less without the piece: "level", "reason" or ""."""
    rest = _without(line, piece)
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
