"""`python -m training.calibrate`: from which confidence on the engine as shipped would be right nine times in ten, by
what it says to the authors in held.txt; draws the curve of coverage and precision. `--write` puts the thresholds into
accept.json; `--again` reads what was measured last time with new verdicts."""

from __future__ import annotations

import json
import sys
from multiprocessing import Pool

from terma.offline.engine import Engine
from terma.offline.language import foreign
from terma.offline.trust import accept
from terma.types import Query
from training import curve, measure, pairs, thresholds
from training.pairs import Line

CACHE = pairs.ROOT / ".cache" / "train" / "held.json"
_engine: list[Engine] = []


def _best(line: Line) -> tuple[float, str] | None:
    """(confidence, command) of the surest draft that nothing but certainty keeps from being inserted."""
    if not _engine:
        _engine.append(Engine.load())
    query = Query(words=line.nl, cwd="/nonexistent", path=measure.PATH)
    kept = [one.candidate for one in _engine[0].explain(query) if one.keeps]
    best = max(kept, key=lambda candidate: candidate.score, default=None)
    return None if best is None else (best.score, best.command)


def main() -> int:
    lines = [line for line in pairs.authors() if line.held and not foreign(line.nl)]
    said = measure.verdicts()
    if "--again" in sys.argv[1:] and CACHE.exists():  # only verdicts are new
        found = [tuple(hit) if hit else None for hit in json.loads(CACHE.read_text(encoding="utf-8"))]
    else:
        with Pool() as pool:
            found = pool.map(_best, lines, 20)
        CACHE.parent.mkdir(parents=True, exist_ok=True)
        CACHE.write_text(json.dumps(found), encoding="utf-8")
    hits = [
        (hit[0], measure.is_right(line, hit[1], said), hit[1])
        for line, hit in zip(lines, found, strict=True)
        if hit is not None
    ]
    needed = thresholds.needed(hits)
    data = json.loads(accept.BESIDE.read_bytes())
    if "--write" in sys.argv[1:]:
        data["insert"] = needed
        accept.BESIDE.write_text(
            json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8"
        )
    answerable = sum(bool(line.refs) for line in lines)
    curve.draw(hits, answerable, data["insert"])
    print(f"nine in ten are right from {needed}")
    print(f"inserted is from {data['insert']}; {answerable} lines have an answer")
    for share, precision in curve.points(hits, answerable)[19::20]:
        print(f"  answered {100 * share:5.1f} %  precision {100 * precision:5.1f} %")
    return 0


if __name__ == "__main__":
    sys.exit(main())
