"""What a run found: tables of medians, and how they are kept in docs/peers.json."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Row:
    """One of those compared. A value is None where it has none; the order is that of the table's columns."""

    who: str
    values: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Figures that may stand beside each other. Each column's name ends with its unit in brackets; the first row is
    terma's, and what the others' ratios are to. `drawn`: the columns that the picture shows."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    note: str
    drawn: tuple[int, ...] = (0,)


@dataclass(frozen=True, slots=True)
class Run:
    """One run. `load` is the machine's load average when it began and when it ended; `skipped` says why, by name."""

    machine: str
    load: tuple[float, float]
    versions: dict[str, str]
    skipped: dict[str, str]
    tables: tuple[Table, ...]


def dump(run: Run) -> str:
    """The run as JSON, three digits of each value."""
    return json.dumps(asdict(run), indent=1, ensure_ascii=False) + "\n"


def load(text: str) -> Run:
    """What `dump` wrote."""
    data: dict[str, Any] = json.loads(text)
    tables = tuple(
        Table(
            table["title"],
            tuple(table["columns"]),
            tuple(Row(row["who"], tuple(row["values"])) for row in table["rows"]),
            table["note"],
            tuple(table["drawn"]),
        )
        for table in data["tables"]
    )
    first, last = data["load"]
    return Run(data["machine"], (first, last), data["versions"], data["skipped"], tables)
