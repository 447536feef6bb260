"""Draws a few series over one run's time as a picture, each in a strip of its own: memory beside descriptors says more
than either alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

WIDE, HIGH, LEFT, TOP, GAP = 640, 80, 70, 44, 44
BLUE, GREY = "#1565c0", "#ddd"


def draw(
    picture: Path,
    title: str,
    times: Sequence[float],
    series: Mapping[str, Sequence[float]],
    marks: Mapping[str, float],
) -> None:
    """Write `picture`. `times` are seconds from the start, ascending; each of `series` has a value for each of them,
    and its name holds its unit; `marks` are moments with a name, where another phase begins."""
    tall = TOP + len(series) * (HIGH + GAP) + 20
    last = max(times[-1], 1.0)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDE + LEFT + 30}" height="{tall}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDE + LEFT + 30}" height="{tall}" fill="white"/>',
        f'<text x="{LEFT}" y="18" font-size="14">{escape(title)}</text>',
    ]
    for name, at in marks.items():
        x = LEFT + WIDE * at / last
        parts.append(
            f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{tall - 20}" stroke="#c62828" stroke-dasharray="4 4"/>'
        )
        parts.append(f'<text x="{x + 4:.1f}" y="{TOP - 6}" fill="#c62828">{escape(name)}</text>')
    for place, (name, values) in enumerate(series.items()):
        parts += _strip(TOP + GAP / 2 + place * (HIGH + GAP), name, times, values, last)
    parts.append(f'<text x="{LEFT + WIDE}" y="{tall - 6}" text-anchor="end">{last:.0f} s</text></svg>')
    picture.write_text("\n".join(parts) + "\n", encoding="utf-8")


def _strip(top: float, name: str, times: Sequence[float], values: Sequence[float], last: float) -> list[str]:
    most = max(*values, 1e-9) * 1.1
    points = " ".join(
        f"{LEFT + WIDE * at / last:.1f},{top + HIGH * (1 - value / most):.1f}"
        for at, value in zip(times, values, strict=True)
    )
    return [
        f'<line x1="{LEFT}" x2="{LEFT + WIDE}" y1="{top + HIGH:.1f}" y2="{top + HIGH:.1f}" stroke="{GREY}"/>',
        f'<polyline points="{points}" fill="none" stroke="{BLUE}" stroke-width="1.5"/>',
        f'<text x="{LEFT - 6}" y="{top + 10:.1f}" text-anchor="end">{most:.4g}</text>',
        f'<text x="{LEFT - 6}" y="{top + HIGH:.1f}" text-anchor="end">0</text>',
        f'<text x="{LEFT + 6}" y="{top - 3:.1f}">{escape(name)}</text>',
    ]
