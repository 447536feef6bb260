"""`python -m terma.offline`: ask the engine by hand, in bulk, or check the knowledge files."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from terma.offline.engine import Engine
from terma.types import Query

_USAGE = 'usage: python -m terma.offline "sentence" | --batch < sentences | --check [FAMILY ...] | --compile'


def _query(words: str) -> Query:
    return Query(words=words, cwd=str(Path.cwd()), path=os.environ.get("PATH", ""))


def main(argv: list[str]) -> int:
    if not argv or argv[0] in ("-h", "--help"):
        print(_USAGE)
        return 0 if argv else 2
    if argv[0] == "--check":
        from terma.offline.check import check

        return check(argv[1:])
    if argv[0] == "--compile":
        from terma.offline.index import compile_to_cache

        return 0 if compile_to_cache() else 1
    engine = Engine.load()
    if argv[0] == "--batch":
        for line in sys.stdin:
            found = engine.answer(_query(line.strip()), limit=1)
            print(found[0].command.replace("\n", "; ") if found else "")
        return 0
    for ranked in engine.explain(_query(" ".join(argv)))[:10]:
        candidate = ranked.candidate
        left = f"  left: {' '.join(ranked.left)}" if ranked.left else ""
        print(
            f"{candidate.score:.3f} cov {ranked.coverage:.2f} trust {ranked.trust:.2f}  {candidate.command}"
        )
        print(f"      {candidate.source}{left}{'  note: ' + candidate.note if candidate.note else ''}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
