"""How risk judges commands that nothing was learned from, in totals: `python -m bench.risk_lines`."""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from pathlib import Path

from terma.risk import assess

UNSEEN = Path(__file__).parent / "unseen" / "risk.jsonl"


def measure(path: Path = UNSEEN) -> Counter[tuple[str, str]]:
    """(level as labelled, level as judged) -> how many commands, judged in an empty directory."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    with tempfile.TemporaryDirectory() as cwd:
        return Counter((row["level"], assess(row["command"], cwd, row["shell"]).level) for row in rows)


def main() -> int:
    found = measure()

    def share(labels: str, judged: str) -> str:
        of = [(pair, count) for pair, count in found.items() if pair[0] in labels.split()]
        whole, met = sum(n for _, n in of), sum(n for (_, level), n in of if level in judged.split())
        return f"{met} of {whole} = {100 * met / max(whole, 1):.1f} %"

    print("dangerous, at least medium:", share("high medium", "high medium"))
    print("the highest, called high:", share("high", "high"))
    print("harmless, marked:", share("low", "high medium"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
