"""What would have been answered, and how much of it is right: by author, and from the surest answer on."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Mapping

from terma.offline.insertion import need
from terma.offline.plain import plain
from terma.offline.sentence import Sentence
from terma.offline.trust import accept
from terma.offline.trust.association import Association
from terma.offline.trust.facts import read
from training.measure import Sample
from training.pairs import Line

Hit = tuple[Sample, float]  # a draft and its log odds
Top = Mapping[tuple[str, str], Hit]  # (author, sentence) -> the draft that would be inserted


def table_by_author(lines: list[Line], top: Top, threshold: Callable[[Hit], bool]) -> str:
    rows: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for line in lines:
        for name in (line.author, "= all"):
            row = rows[name]
            row[0] += bool(line.refs)
            hit = top.get((line.author, line.nl))
            if hit and threshold(hit):
                row[1] += 1
                row[2] += hit[0].right
                row[3] += not line.refs
    out = []
    for name, (n, answered, right, idle) in sorted(rows.items()):
        out.append(f"{name:10s} n={n:4d} answered {answered:4d} right {right:4d} = {100 * right / max(1, n):5.1f} %"
                   f"  precision {100 * right / max(1, answered):5.1f} %  unanswerable answered {idle}")  # fmt: skip
    return "\n".join(out)


def inserts(judge: accept.Acceptance, hit: Hit, table: Association) -> bool:
    facts = read(Sentence.parse(plain(hit[0].line.nl)))
    return judge.calibrated(hit[1]) >= judge.insert[need(facts, hit[0].command, table)]


def curve(top: Top, lines: int) -> str:
    """Coverage against precision, from the surest answer on."""
    hits = sorted(
        (hit for hit in top.values() if not hit[0].line.author.startswith("tests")), key=lambda hit: -hit[1]
    )
    out, right = [], 0
    for n, (sample, _) in enumerate(hits, 1):
        right += sample.right
        if n % max(1, len(hits) // 20) == 0:
            out.append(
                f"  answered {100 * n / lines:5.1f} %  right {100 * right / lines:5.1f} %"
                f"  precision {100 * right / n:5.1f} %"
            )
    return "\n".join(out)


def say(begun: float, text: str) -> None:
    print(f"[{time.time() - begun:5.0f} s] {text}", flush=True)
