"""How well danger is told from its absence, on labelled lines: `python -m bench.risk FILE.jsonl…` prints every miss.

A line of such a file is {"command", "level", "kinds", "why"}; the kinds are those of `terma.risk.model`, "none" where
there is nothing to fear. Without a file the project's own lines are read, and what one line costs is measured.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from terma.risk import assess
from terma.types import Risk

OWN = Path(__file__).parents[1] / "tests" / "data" / "risk_own.jsonl"


@dataclass
class Score:
    """Counts over a file, and the lines that were told otherwise than their label says."""

    dangerous: int = 0
    marked: int = 0
    worst: int = 0
    worst_found: int = 0
    harmless: int = 0
    alarms: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    kinds_marked: Counter[str] = field(default_factory=Counter)
    kinds_named: Counter[str] = field(default_factory=Counter)
    misses: list[tuple[str, str, Risk]] = field(default_factory=list)

    def add(self, line: dict[str, object], risk: Risk) -> None:
        """Count one labelled line with what was said of it."""
        level = line["level"]
        if level == "low":
            self.harmless += 1
            self.alarms += risk.level != "low"
        else:
            self.dangerous += 1
            self.marked += risk.level != "low"
            self._count_kinds([str(kind) for kind in line["kinds"]], risk)  # type: ignore[attr-defined]
        if level == "high":
            self.worst += 1
            self.worst_found += risk.level == "high"
        if (level == "low") != (risk.level == "low") or (level == "high" and risk.level != "high"):
            self.misses.append((str(level), str(line["command"]), risk))

    def _count_kinds(self, kinds: Iterable[str], risk: Risk) -> None:
        for kind in kinds:
            self.kinds[kind] += 1
            self.kinds_marked[kind] += risk.level != "low"
            self.kinds_named[kind] += kind in risk.kinds


def score(file: Path) -> Score:
    """The counts over one file of labelled lines."""
    found = Score()
    for row in file.read_text("utf-8").splitlines():
        line = json.loads(row)
        found.add(line, assess(line["command"]))
    return found


def measure() -> list[tuple[str, float, str, str]]:
    """Shares on the project's own lines, and microseconds of CPU for a line."""
    lines = [json.loads(row)["command"] for row in OWN.read_text("utf-8").splitlines()]
    assess("ls")
    begun = time.process_time()
    for line in lines:
        assess(line)
    each = (time.process_time() - begun) / len(lines) * 1e6
    found = score(OWN)
    return [
        ("risk of a line", each, "µs cpu", f"{len(lines)} own lines"),
        ("dangerous lines marked", _share(found.marked, found.dangerous), "%", f"of {found.dangerous}"),
        ("the worst called high", _share(found.worst_found, found.worst), "%", f"of {found.worst}"),
        ("false alarms", _share(found.alarms, found.harmless), "%", f"of {found.harmless}"),
    ]


def _share(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 0.0


def _print(name: str, found: Score) -> None:
    for level, command, risk in found.misses:
        print(f"{level:6} told {risk.level:6} {command!r}\n       {'; '.join(risk.reasons)}")
    print(
        f"{name}: marked {found.marked}/{found.dangerous} ({_share(found.marked, found.dangerous):.1f} %), high "
        f"{found.worst_found}/{found.worst} ({_share(found.worst_found, found.worst):.1f} %), alarms "
        f"{found.alarms}/{found.harmless} ({_share(found.alarms, found.harmless):.1f} %)"
    )
    for kind, count in found.kinds.most_common():
        print(f"  {kind:18} {count:4} marked {found.kinds_marked[kind]:4} named {found.kinds_named[kind]:4}")


if __name__ == "__main__":
    for given in sys.argv[1:] or [str(OWN)]:
        _print(given, score(Path(given)))
