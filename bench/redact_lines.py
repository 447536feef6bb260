"""Scores redaction on labelled lines: `python -m bench.redact_lines FILE...`, each line of a FILE a JSON object with
`text`, `secrets` (what must not be left of it) and `harmless` (nothing of it may be touched)."""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from terma.redact import redact


@dataclass
class Score:
    """Counts, and the texts that were missed or touched, each with what it became."""

    secrets: int = 0
    harmless: int = 0
    missed: list[tuple[str, str]] = field(default_factory=list)
    touched: list[tuple[str, str]] = field(default_factory=list)

    @property
    def hidden(self) -> float:
        """Per cent of the secrets."""
        return 100 * (1 - len(self.missed) / max(self.secrets, 1))

    @property
    def marked(self) -> float:
        """Per cent of the harmless texts."""
        return 100 * len(self.touched) / max(self.harmless, 1)


def score(rows: list[dict[str, object]]) -> Score:
    """Each secret counts by itself; a text with none of its own is harmless."""
    found = Score()
    for row in rows:
        text = str(row["text"])
        shown = redact(text).text
        if row.get("harmless"):
            found.harmless += 1
            if shown != text:
                found.touched.append((text, shown))
            continue
        wanted = row["secrets"]
        assert isinstance(wanted, list)
        for secret in wanted:
            found.secrets += 1
            if str(secret) in shown:
                found.missed.append((text, shown))
    return found


def main(arguments: list[str]) -> int:
    """Print the figures of each file, and with --list what was missed and touched."""
    parser = argparse.ArgumentParser(prog="bench.redact_lines", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--list", action="store_true", help="what was missed, and what was touched")
    args = parser.parse_args(arguments)
    for file in args.files:
        rows = [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]
        begun = time.process_time()
        found = score(rows)
        print(
            f"{file.name}: {found.hidden:.1f} % of {found.secrets} secrets hidden, "
            f"{found.marked:.1f} % of {found.harmless} harmless texts touched, "
            f"{time.process_time() - begun:.1f} s"
        )
        if args.list:
            for what, pairs in (("missed", found.missed), ("touched", found.touched)):
                for text, shown in pairs:
                    print(f"{what}: {text!r}\n     -> {shown!r}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
