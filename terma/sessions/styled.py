"""What a screen shows, in pieces of one look each; as ANSI text that holds colours and nothing else."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

from terma.output.cells import split
from terma.picture.cells import PLAIN, Colour, Style


class Run(NamedTuple):
    """Neighbours that look the same."""

    text: str
    style: Style


_MOST_HIGHLIGHTED = 40  # pieces
_JOINERS = "\u200c\u200d"  # emoji and several scripts need them; nothing else that is not seen may pass
_SEQUENCE = re.compile(r"\x1b\[([\d;:]*)m|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-?]*[ -/]*[@-~]")
_FLAGS = {
    1: "bold",
    2: "dim",
    3: "italic",
    4: "underline",
    5: "blink",
    7: "reverse",
    8: "hidden",
    9: "strike",
}
_OFF = {22: ("bold", "dim"), 23: ("italic",), 24: ("underline",), 25: ("blink",), 27: ("reverse",)}
_SIXTEEN = ((30, False, 0), (40, True, 0), (90, False, 8), (100, True, 8))  # first code, ground, first colour
_OFF |= {28: ("hidden",), 29: ("strike",)}


def parse(text: str) -> list[list[Run]]:
    """The lines of a text whose only sequences that matter are colours (SGR, ECMA-48 8.3.117)."""
    style = PLAIN
    lines: list[list[Run]] = []
    for line in text.replace("\r\n", "\n").split("\n"):
        runs: list[Run] = []
        at = 0
        for found in _SEQUENCE.finditer(line):
            _add(runs, line[at : found.start()], style)
            at = found.end()
            if found[1] is not None:
                style = _changed(style, found[1])
        _add(runs, line[at:], style)
        lines.append(runs)
    return lines


def ansi(lines: Iterable[Iterable[Run]]) -> str:
    """The same look again, each line on its own: nothing but text and SGR."""
    shown = []
    for line in lines:
        text = "".join(f"{sgr(run.style)}{run.text}" for run in line)
        shown.append(f"{text}\x1b[0m" if "\x1b" in text else text)
    return "\n".join(shown)


def highlighted(lines: Iterable[Iterable[Run]]) -> list[dict[str, Any]]:
    """Pieces on another ground than most of the screen (the chosen row of a menu): row and column (from 0), text."""
    runs = [(row, run) for row, line in enumerate(lines) for run in line]
    counts: Counter[tuple[Colour, bool]] = Counter()
    for _, run in runs:
        counts[_ground(run.style)] += len(run.text)
    usual = counts.most_common(1)[0][0] if counts else (None, False)
    found: list[dict[str, Any]] = []
    columns: dict[int, int] = {}
    for row, run in runs:
        column = columns.get(row, 0)
        columns[row] = column + len(split(run.text))
        if _ground(run.style) == usual or not run.text.strip():
            continue
        last = found[-1] if found else None
        if last and last["row"] == row and last["column"] + len(split(last["text"])) == column:
            last["text"] += run.text
        else:
            found.append({"row": row, "column": column, "text": run.text})
    return [one | {"text": one["text"].rstrip()} for one in found[:_MOST_HIGHLIGHTED]]


def _ground(style: Style) -> tuple[Colour, bool]:
    return style.background, style.reverse


def sgr(style: Style) -> str:
    """What switches from any look to this one."""
    codes = ["0", *(str(code) for code, name in _FLAGS.items() if getattr(style, name))]
    for base, colour in ((38, style.foreground), (48, style.background)):
        if isinstance(colour, int):
            codes.append(f"{base};5;{colour}")
        elif colour is not None:
            codes.append(f"{base};2;{';'.join(map(str, colour))}")
    return f"\x1b[{';'.join(codes)}m"


def _add(runs: list[Run], text: str, style: Style) -> None:
    clean = "".join(char for char in text if char.isprintable() or char in _JOINERS)
    if clean:
        runs.append(Run(clean, style))


def _changed(style: Style, parameters: str) -> Style:
    codes = parameters.split(";")
    at = 0
    while at < len(codes):
        first, *rest = codes[at].split(":")
        code = int(first or 0)
        at += 1
        if code == 0:
            style = PLAIN
        elif code in (38, 48, 58):
            colour, used = _colour(rest or codes[at:])
            at += 0 if rest else used
            if code != 58:
                style = _painted(style, colour, ground=code == 48)
        elif code in _FLAGS:
            style = style._replace(**{_FLAGS[code]: rest[:1] != ["0"]})
        elif code in _OFF:
            style = style._replace(**dict.fromkeys(_OFF[code], False))
        else:
            style = _simple(style, code)
    return style


def _simple(style: Style, code: int) -> Style:
    """The sixteen colours, and the defaults."""
    for base, ground, bright in _SIXTEEN:
        if base <= code < base + 8:
            return _painted(style, code - base + bright, ground)
    return _painted(style, None, ground=code == 49) if code in (39, 49) else style


def _painted(style: Style, colour: Colour, ground: bool) -> Style:
    return style._replace(background=colour) if ground else style._replace(foreground=colour)


def _colour(words: list[str]) -> tuple[Colour, int]:
    """A colour after 38 or 48, and how many words it took; with colons a colour space may stand before the red."""
    if words[:1] == ["5"] and len(words) > 1:
        return int(words[1] or 0) & 255, 2
    if words[:1] == ["2"] and len(words) > 3:
        first = 2 if len(words) == 5 and not words[1] else 1
        red, green, blue = (int(word or 0) & 255 for word in words[first : first + 3])
        return (red, green, blue), 4
    return None, len(words)
