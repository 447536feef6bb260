"""`python -m training.held`: what the engine as it is shipped answers to the authors that nothing was learned from."""

from __future__ import annotations

import sys
from collections import defaultdict
from multiprocessing import Pool

from terma.offline.engine import Engine
from terma.types import Query
from training import measure, pairs
from training.pairs import Line

_engine: list[Engine] = []


def _judged(line: Line) -> tuple[str, str, bool]:
    """(author, the answer, whether it is right)."""
    if not _engine:
        _engine.append(Engine.load())
    found = _engine[0].answer(Query(words=line.nl, cwd="/nonexistent", path=measure.PATH), limit=1)
    said = found[0].command if found else ""
    return line.author, said, bool(said) and measure.is_right(line, said, measure.verdicts())


def main() -> int:
    lines = [line for line in pairs.authors() if line.held]
    rows: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    with Pool() as pool:
        for line, (author, said, right) in zip(lines, pool.imap(_judged, lines, 20), strict=True):
            for name in (author, "= all"):
                row = rows[name]
                row[0] += bool(line.refs)
                row[1] += bool(said)
                row[2] += right
                row[3] += int(bool(said) and not line.refs)
    for name, (n, answered, right, idle) in sorted(rows.items()):
        print(
            f"{name:6s} n={n:4d} answered {100 * answered / n:4.1f} %  right {100 * right / n:4.1f} %"
            f"  precision {100 * right / max(1, answered):4.1f} %  unanswerable answered {idle}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
