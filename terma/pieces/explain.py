"""From a line to its pieces: read as its shell reads it, told piece by piece, with the one that carries the risk."""

from __future__ import annotations

from dataclasses import replace

from terma.pieces.model import Asked, Explained, Piece
from terma.pieces.risky import carriers
from terma.pieces.walk import Walk
from terma.risk import assess
from terma.shell_syntax import BASH, BASH_PROMPT, ShellSyntaxError, parse, readings
from terma.text import sanitize

LONGEST = 16_000  # code points
MAX_PIECES = 400  # pieces


def explain(asked: Asked) -> Explained:
    """What each piece of the line does. Some milliseconds, the first time with a page that was never read up to half a
    second more. Nothing is run; never raises for what stands in the line."""
    line = asked.line
    if not line.strip():
        return Explained(trouble="there is nothing on the line")
    if len(line) > LONGEST:
        return Explained(trouble="it is too long to be explained")
    shell = "bash" if asked.shell in ("xonsh", "") else asked.shell
    trouble = f"{shell} is not a shell whose lines are read here"
    for dialect in readings(shell, script=asked.script):
        try:
            script = parse(line, dialect)
        except ShellSyntaxError as error:
            if trouble.endswith("read here"):
                trouble = f"it cannot be read as {shell} reads it: {error}"
            continue
        walk = Walk(asked, BASH if dialect is BASH_PROMPT else dialect)
        pieces = [_clean(piece) for piece in walk.script(script, 0)][:MAX_PIECES]
        risk = assess(line, asked.cwd, shell)
        risky = carriers(line, pieces, risk, asked.cwd, shell) if risk.level != "low" else frozenset()
        marked = (replace(piece, risk=risk.level if at in risky else "") for at, piece in enumerate(pieces))
        return Explained(tuple(marked), risk.level, risk.reasons)
    return Explained(trouble=trouble)


def _clean(piece: Piece) -> Piece:
    """What comes from the line, and from texts of others, holds nothing that a terminal would obey."""
    return replace(piece, text=sanitize(piece.text), says=sanitize(piece.says))
