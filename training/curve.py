"""The picture of coverage and precision in docs/engine.md, drawn from what was measured."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from training.thresholds import TARGET, Hit, inserted

PICTURE = Path(__file__).parents[1] / "docs" / "engine-curve.svg"
WIDE, HIGH, LEFT, TOP = 560, 260, 50, 20


def points(hits: list[Hit], lines: int) -> list[tuple[float, float]]:
    """(share of the lines that is answered, share of these that is right), from the surest answer on."""
    right, found = 0, []
    for n, (_, good, _command) in enumerate(sorted(hits, key=lambda hit: -hit[0]), 1):
        right += good
        found.append((n / lines, right / n))
    return found


def draw(hits: list[Hit], lines: int, needed: Mapping[str, float]) -> None:
    """Write PICTURE: the curve, the precision that is asked for, and where the thresholds stand."""
    shown = [hit for hit in hits if inserted(hit, needed)]
    at = (len(shown) / lines, sum(good for _, good, _ in shown) / max(1, len(shown)))
    line = " ".join(f"{_x(share):.1f},{_y(precision):.1f}" for share, precision in points(hits, lines)[4:])
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDE + 90}" height="{HIGH + 70}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDE + 90}" height="{HIGH + 70}" fill="white"/>',
        *(_row(tenth / 10) for tenth in range(4, 11)),
        *(_column(tenth / 10) for tenth in range(0, 11, 2)),
        f'<polyline points="{line}" fill="none" stroke="#1565c0" stroke-width="2"/>',
        f'<line x1="{LEFT}" x2="{LEFT + WIDE}" y1="{_y(TARGET):.1f}" y2="{_y(TARGET):.1f}" stroke="#c62828" '
        'stroke-dasharray="5 4"/>',
        f'<circle cx="{_x(at[0]):.1f}" cy="{_y(at[1]):.1f}" r="5" fill="#c62828"/>',
        f'<text x="{_x(at[0]) + 9:.1f}" y="{_y(at[1]) - 8:.1f}">inserted: {100 * at[0]:.1f} %, '
        f"{100 * at[1]:.1f} % right</text>",
        f'<text x="{LEFT + WIDE / 2}" y="{HIGH + TOP + 42}" text-anchor="middle">share of lines answered</text>',
        f'<text x="{LEFT}" y="14">precision, authors that nothing was learned from</text>',
        "</svg>",
    ]
    PICTURE.write_text("\n".join(parts) + "\n", encoding="utf-8")


def _x(share: float) -> float:
    return LEFT + WIDE * min(1.0, share)


def _y(precision: float) -> float:
    return TOP + HIGH * (1.0 - (max(0.4, precision) - 0.4) / 0.6)


def _row(value: float) -> str:
    return (
        f'<line x1="{LEFT}" x2="{LEFT + WIDE}" y1="{_y(value):.1f}" y2="{_y(value):.1f}" stroke="#ddd"/>'
        f'<text x="{LEFT - 8}" y="{_y(value) + 4:.1f}" text-anchor="end">{round(100 * value)} %</text>'
    )


def _column(value: float) -> str:
    return (
        f'<text x="{_x(value):.1f}" y="{HIGH + TOP + 20}" text-anchor="middle">{round(100 * value)} %</text>'
    )
