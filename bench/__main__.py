"""Runs every measurement of this folder and prints one table: figure, value, unit, what it stands beside.

A measurement is a module with `measure() -> list[(figure, value, unit, note)]`; a new one is a new file.
`python -m bench zsh bash` runs only the named ones.
"""

from __future__ import annotations

import importlib
import platform
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent


def names() -> list[str]:
    """The measurements of this folder, in order."""
    return sorted(path.stem for path in HERE.glob("*.py") if not path.stem.startswith("_"))


def main(wanted: list[str]) -> int:
    """Print the table. Status 1 when a measurement failed, with its reason in the table's place."""
    unknown = set(wanted) - set(names())
    if unknown:
        print(f"bench: no such measurement: {', '.join(sorted(unknown))}; there are {', '.join(names())}")
        return 2
    print(f"terma bench · {platform.machine()} · Python {platform.python_version()} · medians of one run\n")
    failed = False
    for name in wanted or names():
        begun = time.monotonic()
        try:
            rows = importlib.import_module(f"bench.{name}").measure()
        except Exception as error:
            print(f"{name}: failed: {type(error).__name__}: {error}")
            failed = True
            continue
        print(f"{name} ({time.monotonic() - begun:.0f} s)")
        for figure, value, unit, note in rows:
            print(f"  {figure:<52} {value:>10.3f} {unit:<9} {note}")
        print(flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
