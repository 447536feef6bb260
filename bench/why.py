"""The ablation of `?why`: what each step adds, over cases that a file of the environment names.

TERMA_WHY_CASES is a JSONL file: `command`, `output`, `status`, `facts` (texts that the answer should hold), `fix_ok`
(commands, [] where none may be offered; `fixes` is another name of it), and what was there: `cwd_files` (name to
content) or `setup` (run by bash in a folder of its own). Without it nothing is measured. A fix counts
when it equals a listed one word for word, so another that works as well does not; whether the cases were unseen, the
file does not say.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any
from unittest.mock import patch

from terma.offline.explain import Explanation, Failure, explainer
from terma.offline.explain.proof import Proved
from terma.output import digest, plain

Row = tuple[str, float, str, str]


def measure() -> list[Row]:
    """Facts, first fixes (a look where nothing mends) and unwanted ones in percent, with every step and with each one
    left out."""
    name = os.environ.get("TERMA_WHY_CASES", "")
    if not name:
        return []
    cases = [json.loads(line) for line in Path(name).read_text(encoding="utf-8").splitlines() if line]
    explainer.rules()
    without: dict[str, tuple[str, Callable[..., Any]]] = {
        "extraction": ("shown", lambda case: ""),
        "lookups": ("_looked_up", lambda case, found: found),
        "proof": ("proved", _unproved),
        "rules": ("rules", tuple),
        "looks": ("_looks", lambda case: ()),
    }
    rows = _rows("all steps", cases)
    for step, (attribute, instead) in without.items():
        with patch.object(explainer, attribute, instead):
            rows += _rows(f"without {step}", cases)
    return rows


def _unproved(case: object, fixes: Iterable[str], bound: bool) -> Proved:
    return Proved(tuple(fix for fix in fixes if fix))


def _rows(title: str, cases: list[Mapping[str, Any]]) -> list[Row]:
    facts = held = wanted = first = offered = right = none = unwanted = 0
    times: list[tuple[float, float]] = []
    for case in cases:
        found, folder = _asked(case, times)
        fixes = [fix.command.replace(f"{folder}/", "") for fix in found.offered]
        listed = {_words(fix) for fix in case.get("fix_ok") or case.get("fixes") or []}
        good = bool(fixes) and _words(fixes[0]) in listed
        facts += len(case["facts"])
        held += sum(fact.lower() in found.text.lower() for fact in case["facts"])
        wanted, none = wanted + bool(listed), none + (not listed)
        first, unwanted = first + good, unwanted + (bool(found.fixes) and not listed)
        offered, right = offered + bool(fixes), right + good
    wall, own = (sorted(1000 * time for time in column) for column in zip(*times, strict=True))
    late = int(0.95 * len(times))
    return [
        (f"{title}: an answer, 95th percentile", wall[late], "ms", f"median {wall[len(wall) // 2]:.0f}"),
        (
            f"{title}: of that the processor's, 95th percentile",
            own[late],
            "ms",
            f"median {own[len(own) // 2]:.0f}",
        ),
        (f"{title}: facts", 100 * held / max(facts, 1), "%", f"{held} of {facts}"),
        (f"{title}: first fix as listed", 100 * first / max(wanted, 1), "%", f"{first} of {wanted}"),
        (f"{title}: offered as listed", 100 * right / max(offered, 1), "%", f"{right} of {offered}"),
        (f"{title}: unwanted", 100 * unwanted / max(none, 1), "%", f"{unwanted} of {none}"),
    ]


def _asked(case: Mapping[str, Any], times: list[tuple[float, float]]) -> tuple[Explanation, str]:
    """The answer to one case in a folder with its files, and that folder; what it took is added to `times`."""
    with tempfile.TemporaryDirectory() as folder:
        setup, home = ["bash", "-c", case.get("setup", "")], {**os.environ, "HOME": folder}
        subprocess.run(setup, cwd=folder, env=home, capture_output=True, timeout=60, check=False)
        for name, content in (case.get("cwd_files") or {}).items():
            file = Path(folder) / name
            if not file.resolve().is_relative_to(Path(folder).resolve()):
                continue
            if name.endswith("/"):
                file.mkdir(parents=True, exist_ok=True)
                continue
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        output = digest(plain(case["output"]))
        output = output.replace(case.get("cwd") or "{cwd}", folder)
        failure = Failure(
            case["command"],
            case.get("status", 1),
            output,
            cwd=folder,
            shell=case.get("shell", "bash"),
            path=os.environ["PATH"],
            statuses=tuple(case.get("statuses", ())),
            columns=case.get("columns", 0),
        )
        begun, worked = time.perf_counter(), time.thread_time()
        found = explainer.explain(failure)
        times.append((time.perf_counter() - begun, time.thread_time() - worked))
        return found, folder


def _words(command: str) -> tuple[str, ...]:
    try:
        return tuple(word.removeprefix("./") for word in shlex.split(command))
    except ValueError:
        return tuple(command.split())
