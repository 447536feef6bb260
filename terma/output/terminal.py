"""What a person saw of an output: the escape sequences in it are obeyed on a screen of its own, and gone.

Sequences are those of ECMA-48 and of xterm (invisible-island.net/xterm/ctlseqs) that move the cursor or take text
away; colours, titles, links, images and modes leave nothing. What is drawn on the alternate screen is gone when
that is left, so it is not part of the output."""

from __future__ import annotations

import re

from terma.output.drawing import Drawing
from terma.text import sanitize

MAX_CHARACTERS = 16_000_000  # characters looked at: of a longer output the first quarter and the last three
_CONTROL_CHARACTER = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def plain(raw: str, columns: int = 0, lines: int = 0) -> str:
    """`raw`, as a terminal of `columns` × `lines` cells (0: unknown) was sent it, as the text that it left there.

    Overwritten and erased text is gone, so a progress bar is its last state; lines that the terminal wrapped are
    whole; trailing blanks go; a TAB stays one. The result is clean in the sense of text.sanitize. Never raises; time
    and memory grow with the length alone, whatever the sequences ask for."""
    if len(raw) > MAX_CHARACTERS:
        raw = raw[: MAX_CHARACTERS // 4] + "\n" + raw[-(MAX_CHARACTERS - MAX_CHARACTERS // 4) :]
    text = raw.replace("\r\n", "\n")  # a terminal writes each line end so: a flood has millions of them
    if _CONTROL_CHARACTER.search(text):
        drawing = Drawing(columns, lines)
        drawing.feed(text)
        return drawing.text()
    if text.isascii() and " \n" not in text and "\t\n" not in text:
        return sanitize(text)
    return sanitize("\n".join(line.rstrip() for line in text.split("\n")))
