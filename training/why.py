"""The measured precision of `?why`'s fixes: `python -m training.why` writes `terma/offline/explain/precision.json`.

`why.jsonl` holds failures of real programs, split in two halves by program. `first` is what the explainer offered when
it met the case for the first time, [rule, kind, right], or null where it offered nothing: a case whose `first` is
missing is asked now and noted, so that what is mended later does not change what was measured. Both halves are counted,
since each offer was made before anything was learned from it; what is reported is cross-fitted, each half judged by
the counts of the other. A wrong offer whose rule was mended from it has "mended": it says nothing of that rule as it is
now, but programs that nobody has seen will meet rules that nobody has mended, so it counts for its kind and for all."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from terma.offline.explain import Failure, explain, trust
from terma.offline.explain.case import Case

CASES = Path(__file__).with_name("why.jsonl")
WRITTEN = Path(trust.__file__).with_name("precision.json")


def main() -> None:
    """Ask what was not asked yet, count, write, report."""
    cases = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
    for case in cases:
        if "first" not in case:
            case["first"] = _first(case)
    CASES.write_text("".join(json.dumps(case, ensure_ascii=False) + "\n" for case in cases), encoding="utf-8")
    offers = {
        half: [case for case in cases if case["half"] == half and case["first"]] for half in ("tune", "gate")
    }
    everything = counted([*offers["tune"], *offers["gate"]])
    WRITTEN.write_text(json.dumps({"counts": everything}, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    bands: dict[str, Counter[bool]] = {}
    for half, other in (("tune", "gate"), ("gate", "tune")):
        counts = counted(offers[other])
        for rule, kind, right in (case["first"] for case in offers[half]):
            name = trust.band(trust.estimate(counts, rule, kind))
            bands.setdefault(name, Counter())[bool(right)] += 1
    for name, seen in bands.items():
        print(f"{name}: {seen[True]} of {seen.total()} fixes right, by the counts of other programs")


def counted(cases: list[dict[str, Any]]) -> dict[str, tuple[int, int]]:
    """(right, offered) under "all", "kind KIND" and "rule NAME, KIND"."""
    counts: dict[str, tuple[int, int]] = {}
    for case in cases:
        rule, kind, right = case["first"]
        own = () if case.get("mended") else (f"rule {rule}, {kind}",)
        for name in ("all", f"kind {kind}", *own):
            had, seen = counts.get(name, (0, 0))
            counts[name] = had + bool(right), seen + 1
    return counts


def _first(case: dict[str, Any]) -> tuple[str, str, bool] | None:
    with tempfile.TemporaryDirectory() as folder:
        home = {**os.environ, "HOME": folder}
        subprocess.run(
            ["bash", "-c", case["setup"]], cwd=folder, env=home, capture_output=True, timeout=60, check=False
        )
        output = case["output"].replace("{cwd}", folder)
        failure = Failure(
            case["command"], case["status"], output, folder, case["shell"], os.environ["PATH"],
            statuses=tuple(case["statuses"]), columns=case["columns"],
        )  # fmt: skip
        found = explain(failure)
        if not found.fixes:
            return None
        fix = found.fixes[0].command.replace(f"{folder}/", "")
        return (
            found.source or found.rule,
            trust.kind_of(Case(failure), fix),
            any(_same(fix, one) for one in case["fixes"]),
        )


def _same(fix: str, wanted: str) -> bool:
    try:
        one, other = shlex.split(fix), shlex.split(wanted)
    except ValueError:
        return fix == wanted
    return [re.sub(r"^\./", "", word) for word in one] == [re.sub(r"^\./", "", word) for word in other]


if __name__ == "__main__":
    main()
