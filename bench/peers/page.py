"""The page that a run becomes: docs/peers.md, tables of medians with ratios, and what is not the same."""

from __future__ import annotations

from bench.peers.figures import Row, Run, Table

BEGINNING = """# terma beside what people use instead

One run of `make bench-peers` on one machine. Everything takes turns, so that a busy moment meets all alike: two rounds
of each at least, beside one that does not count, and as many as a minute holds; the tables have their medians. All ask
the same scripted model on this machine. `×` is how many times terma's value the other's is; the first row of each table
is terma's. Each peer is set up as its own documentation has it. The figures are in peers.json.

The load says how busy the machine was. Where it is above the number of cores, whatever needs the processor waits for
it, and the clock says more against those that need much than it would on a machine at rest: read the processor's column
then, which changes little.

![the medians of this run as bars](peers.svg)
"""


def shown(value: float | None) -> str:
    """Three digits that mean something."""
    if value is None:
        return ""
    size = abs(value)
    if size >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if size >= 10 else f"{value:.2f}"


def page(run: Run) -> str:
    """The whole page as markdown."""
    parts = [
        BEGINNING,
        f"{run.machine}; load {run.load[0]:.1f} at the beginning, {run.load[1]:.1f} at the end.\n",
    ]
    parts += map(_table, run.tables)
    rows = [f"| {name} | {version} |" for name, version in run.versions.items()]
    parts.append("\n".join(["## Versions\n", "| program | version |", "|---|---|", *rows, ""]))
    if run.skipped:
        said = "; ".join(f"{name}: {why}" for name, why in run.skipped.items())
        parts.append(f"## Skipped\n\n{said}.\n")
    return "\n".join(parts)


def _table(table: Table) -> str:
    head = ["", *table.columns]
    lines = [f"## {table.title}\n", _line(head), "|---|" + "---:|" * len(table.columns)]
    first = table.rows[0]
    lines += [
        _line([row.who, *(_cell(row, first, at) for at in range(len(table.columns)))]) for row in table.rows
    ]
    return "\n".join([*lines, "", table.note, ""])


def _cell(row: Row, first: Row, at: int) -> str:
    value, ours = row.values[at], first.values[at]
    text = shown(value)
    if row is first or not value or not ours or value < 0 or ours < 0:
        return text
    return f"{text} ({shown(value / ours)}×)"


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
