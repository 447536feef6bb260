"""The package that carries a program, as the system's own command-not-found data has it."""

from __future__ import annotations

from contextlib import closing, suppress
from pathlib import Path

DATABASE = Path("/var/lib/command-not-found/commands.db")  # Debian and Ubuntu, package command-not-found
TIMEOUT = 0.1


def package_of(program: str, database: Path = DATABASE) -> str:
    """The package that carries `program`, "" when the data are not installed or do not know it. Never raises."""
    if not database.is_file():
        return ""
    import sqlite3  # here, since most machines have no such data

    query = (
        "SELECT packages.name FROM commands JOIN packages ON packages.pkgID = commands.pkgID"
        " WHERE commands.command = ? ORDER BY packages.priority DESC LIMIT 1"
    )
    with (
        suppress(sqlite3.Error),
        closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=TIMEOUT)) as db,
    ):
        row = db.execute(query, (program,)).fetchone()
        return str(row[0]) if row else ""
    return ""
