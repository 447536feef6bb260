"""Measures all and writes the page, the picture and the figures; a part that fails is skipped with a word.

`python -m bench.peers --environment .cache/peers` measures with the peers of that virtual environment; `--drawn` only
writes the page and the picture anew from docs/peers.json.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from bench.peers import failures, figures, memory, prompts, starts, terminals
from bench.peers.figures import Run, Table
from bench.peers.page import page
from bench.peers.picture import picture
from bench.peers.place import Place, place, versions
from terma.errors import TermaError

DOCS = Path(__file__).parents[2] / "docs"
Part = tuple[str, Callable[[Place], Table]]


def parts() -> list[Part]:
    """What is measured, by name, in the page's order."""
    found: list[Part] = []
    shells = [shell for shell in ("zsh", "bash") if shutil.which(shell)]
    found += [(f"key, {shell}", partial(prompts.measure, shell)) for shell in shells]
    found += [("failures", failures.measure), ("memory", memory.measure)]
    found += [(f"start, {shell}", partial(starts.measure, shell)) for shell in shells]
    return [*found, ("sessions", terminals.sessions), ("recorders", terminals.recorders)]


def measured(peers: Path, wanted: list[str], so_far: Callable[[Run], None]) -> Run:
    """One run; the parts whose names begin with one of `wanted`, or all. `so_far` gets what there is behind each."""
    known, skipped = versions(peers)
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    machine += f", Python {platform.python_version()}"
    begun = os.getloadavg()[0]
    tables: list[Table] = []
    run = Run(machine, (begun, begun), known, skipped, ())
    for name, measure in parts():
        if wanted and not name.startswith(tuple(wanted)):
            skipped[name] = "not asked for in this run"
            continue
        print(f"peers: {name}", file=sys.stderr, flush=True)
        try:
            with place(peers) as where:
                tables.append(measure(where))
        except (AssertionError, OSError, ValueError, TermaError, subprocess.SubprocessError) as error:
            skipped[name] = f"not measured, {type(error).__name__}: {str(error).splitlines()[0][:200]}"
            print(f"peers: {name}: {error}", file=sys.stderr, flush=True)
        run = Run(machine, (begun, os.getloadavg()[0]), known, skipped, tuple(tables))
        so_far(run)
    return run


def write(run: Run, docs: Path) -> None:
    """The three files of a run."""
    (docs / "peers.json").write_text(figures.dump(run), encoding="utf-8")
    (docs / "peers.md").write_text(page(run), encoding="utf-8")
    (docs / "peers.svg").write_text(picture(run), encoding="utf-8")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="bench.peers", description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--environment", type=Path, default=Path(".cache/peers"))
    parser.add_argument("--docs", type=Path, default=DOCS, help="where to write")
    parser.add_argument("--drawn", action="store_true", help="measure nothing")
    parser.add_argument("parts", nargs="*", help="memory, key, start, failures, sessions, recorders")
    options = parser.parse_args(arguments)
    if options.drawn:
        write(figures.load((options.docs / "peers.json").read_text(encoding="utf-8")), options.docs)
        return 0
    run = measured(options.environment.resolve(), options.parts, lambda run: write(run, options.docs))
    print(page(run))
    return int(not run.tables)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
