"""Quotes of a command line: what stands in them, and the one that is left open."""

from __future__ import annotations


def bare(line: str) -> str:
    """`line` with what stands in quotes or is escaped blanked out, place for place; an open quote runs to the end."""
    out, mark, skip = [], "", False
    for char in line:
        if skip:
            skip = False
            out.append("_")
        elif char == "\\" and mark != "'":
            skip = True
            out.append("_")
        elif mark:
            mark = "" if char == mark else mark
            out.append("_")
        elif char in "'\"`":
            mark = char
            out.append("_")
        else:
            out.append(char)
    return "".join(out)


def open_quote(line: str) -> str:
    """The quote mark that `line` leaves open, "" when it leaves none."""
    mark, skip = "", False
    for char in line:
        if skip:
            skip = False
        elif char == "\\" and mark != "'":
            skip = True
        elif mark:
            mark = "" if char == mark else mark
        elif char in "'\"`":
            mark = char
    return mark
