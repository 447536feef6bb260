"""Which options make a program take a folder with what is in it, and which of its operands may be one: one table for
the command that is written (`offline/whole`) and the one that is judged (`trust/folders`)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

# Letters of the options, `f` and `e` of grep for what they make of its first operand, and the operands.
_TAKES = {
    "rm": ("rRd", slice(None)),
    "cp": ("rRa", slice(-1)),
    "scp": ("r", slice(-1)),
    "zip": ("r", slice(1, None)),
    "grep": ("rRfe", slice(1, None)),
}
PROGRAMS = frozenset(_TAKES)
REFUSING = frozenset(("rm", "cp"))  # those that leave a folder where it is, with an error
# Behind -t stands where it goes, and every operand may be a folder.
_LONG = frozenset("--recursive --archive --dir --target-directory -t".split())


def not_taken(program: str, options: Collection[str], operands: Sequence[str]) -> Sequence[str]:
    """Of the operands those that may be folders, where the program would not look into one; else none."""
    letters, which = _TAKES.get(program, ("", slice(0)))
    if not letters or not _LONG.isdisjoint(options):
        return ()
    if any(option[:2] != "--" and not set(letters).isdisjoint(option) for option in options):
        return ()
    return operands[which]
