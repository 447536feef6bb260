"""What zsh and fish draw before a prompt, so that an output without a newline at its end stays: a mark (an inverse % or
#, or ⏎), blanks to the end of the line, CR, as many blanks as the mark is wide (zsh: PROMPT_SP; Src/utils.c, preprompt)
or the mark once more and a blank (fish: reset_abandoning_line), CR.

On a terminal the blanks reach the next line where anything stood before the mark, and the prompt comes there. Where the
width is not known they do not, and the prompt would be written over the output."""

from __future__ import annotations

from terma.output.cells import Cells, mend

_BLANKS = 20  # at least: the blanks behind a mark on any terminal that somebody reads
_WIDEST = 2  # cells of a mark


def may_follow(cells: Cells, column: int) -> bool:
    """Whether a return from `column` may be the first of the two: blanks were written, up to there."""
    if column != len(cells) or column <= _BLANKS:
        return False
    if isinstance(cells, str):
        return cells.endswith(" " * _BLANKS)
    return cells[-_BLANKS:] == [" "] * _BLANKS


def end_of_output(before: Cells, now: Cells, column: int) -> int:
    """How many cells of `before`, the row at the first return, are output, where the second comes from `column` of the
    row `now`; 0 where these are no such two, and where nothing stood before the mark."""
    if not 0 < column <= _WIDEST:
        return 0
    first, second = list(before), list(now)
    written_over = first.copy()
    mend(written_over, column)  # of a wide character half may be left
    between, end = _without_blanks(second[:column]), len(_without_blanks(first))
    width = len(between) or column
    if second[column:] != written_over[column:] or between not in ([], first[end - width : end]):
        return 0
    return max(end - width, 0)


def _without_blanks(cells: list[str]) -> list[str]:
    """Without those at its end."""
    end = len(cells)
    while end and cells[end - 1] == " ":
        end -= 1
    return cells[:end]
