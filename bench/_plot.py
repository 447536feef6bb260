"""Draws a few series over one run's time as a picture, each in a strip of its own: memory beside descriptors says more
than either alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import log10
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


def grown(picture: Path, title: str, series: Mapping[str, Sequence[tuple[int, float]]]) -> None:
    """Write `picture`: a square for each of `series` (size, cost), on scales of tens; the dashed line is linear."""
    wide, high, across = 190, 150, 3
    tall = TOP + -(-len(series) // across) * (high + 56)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{across * (wide + 40) + 30}" height="{tall}" '
        'font-family="sans-serif" font-size="11">',
        f'<rect width="{across * (wide + 40) + 30}" height="{tall}" fill="white"/>',
        f'<text x="30" y="20" font-size="14">{escape(title)}</text>',
    ]
    for place, (name, points) in enumerate(series.items()):
        left, top = 40 + place % across * (wide + 40), TOP + 14 + place // across * (high + 56)
        parts += _square(left, top, wide, high, name, points)
    picture.write_text("\n".join([*parts, "</svg>"]) + "\n", encoding="utf-8")


def _square(
    left: float, top: float, wide: float, high: float, name: str, points: Sequence[tuple[int, float]]
) -> list[str]:
    tens = max(log10(points[-1][0] / points[0][0]), 1.0)
    least = points[0][1]

    def at(size: float, cost: float) -> str:
        x = left + wide * log10(size / points[0][0]) / tens
        y = top + high - high * min(1.0, max(0.0, log10(max(cost, 1e-9) / least) / tens))
        return f"{x:.1f},{y:.1f}"

    line = " ".join(at(size, cost) for size, cost in points)
    linear = " ".join(at(size, least * size / points[0][0]) for size, _ in points)
    dots = "".join(
        f'<circle cx="{where.split(",")[0]}" cy="{where.split(",")[1]}" r="3" fill="{BLUE}"/>'
        for where in line.split()
    )
    first, last = points[0], points[-1]
    return [
        f'<rect x="{left}" y="{top}" width="{wide}" height="{high}" fill="none" stroke="{GREY}"/>',
        f'<polyline points="{linear}" fill="none" stroke="{GREY}" stroke-dasharray="4 4"/>',
        f'<polyline points="{line}" fill="none" stroke="{BLUE}" stroke-width="1.5"/>{dots}',
        f'<text x="{left}" y="{top - 5:.1f}">{escape(name)}</text>',
        f'<text x="{left}" y="{top + high + 14:.1f}">{first[0]:,}: {_time(first[1])}</text>',
        f'<text x="{left + wide}" y="{top + high + 14:.1f}" text-anchor="end">{last[0]:,}: {_time(last[1])}</text>',
    ]


def _time(ms: float) -> str:
    return f"{ms / 1e3:.1f} s" if ms >= 1e3 else f"{ms:.3g} ms"
