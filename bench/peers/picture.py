"""The picture that a run becomes: docs/peers.svg, bars on one scale for each figure, terma's in colour."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from bench.peers.figures import Run, Table
from bench.peers.page import shown

NAMES, BARS, VALUES = 200, 200, 60
LINE, HEAD, GAP = 17, 22, 14
BLUE, GREY = "#1565c0", "#b0bec5"
ACROSS = 2


def picture(run: Run) -> str:
    """The SVG's text: a block of bars for each drawn column of each table, in two columns."""
    wide = NAMES + BARS + VALUES
    blocks = [(table, at) for table in run.tables for at in table.drawn]
    tops = [44.0] * ACROSS
    parts: list[str] = []
    for table, at in blocks:
        column = min(range(ACROSS), key=tops.__getitem__)
        drawn = list(_block(20 + column * (wide + 20), tops[column], table, at))
        parts += drawn
        tops[column] += HEAD + LINE * len(_rows(table, at)) + GAP
    across, tall = ACROSS * (wide + 20) + 20, max(tops) + 6
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{across}" height="{tall:.0f}" '
            'font-family="sans-serif" font-size="11">',
            f'<rect width="{across}" height="{tall:.0f}" fill="white"/>',
            '<text x="20" y="22" font-size="14">terma beside what people use instead: medians of one run, shorter is '
            "better</text>",
            *parts,
            "</svg>\n",
        ]
    )


def _rows(table: Table, at: int) -> list[tuple[str, float]]:
    return [(row.who, value) for row in table.rows if (value := row.values[at]) is not None]


def _block(left: float, top: float, table: Table, at: int) -> Iterator[str]:
    rows = _rows(table, at)
    most = max(1e-9, *(value for _, value in rows))
    yield (
        f'<text x="{left}" y="{top + 12:.1f}" font-weight="bold">{escape(table.title)}: '
        f"{escape(table.columns[at])}</text>"
    )
    for number, (who, value) in enumerate(rows):
        y = top + HEAD + number * LINE
        long = max(BARS * value / most, 1.0)
        colour = BLUE if who.startswith("terma") else GREY
        yield f'<text x="{left + NAMES - 6}" y="{y + 10:.1f}" text-anchor="end">{escape(who)}</text>'
        yield f'<rect x="{left + NAMES}" y="{y}" width="{long:.1f}" height="{LINE - 4}" fill="{colour}"/>'
        yield f'<text x="{left + NAMES + long + 5:.1f}" y="{y + 10:.1f}">{shown(value)}</text>'
