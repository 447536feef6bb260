"""Why a line was not read: the one error of this room, so that no reader of shell text ever guesses."""

from __future__ import annotations


class ShellSyntaxError(ValueError):
    """The line cannot be read as the dialect reads it; nothing about it is known.

    `at` is a place in the text, in code points. `incomplete`: the shell would wait for more of the line (an open
    quote, a loop without its end), and run nothing of it. `refused`: the shell itself has an error here, and runs
    nothing of that line; where it is not set, nobody knows."""

    def __init__(self, message: str, at: int = 0, *, incomplete: bool = False, refused: bool = False) -> None:
        super().__init__(message)
        self.message, self.at, self.incomplete, self.refused = message, at, incomplete, refused
