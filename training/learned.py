"""What is counted from lines: the table of words and commands, the memory, the tagger."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from terma.offline.plain import plain
from terma.offline.trust.association import Association
from training import compile_cases, pairs, tagger
from training.associate import table, tokenised
from training.flags import flags
from training.grafts import grafts
from training.pairs import Line
from training.parts import Known
from training.several import several


def learned(lines: list[Line], base: list[tuple]) -> Association:  # type: ignore[type-arg]
    """The table of words and commands, from knowledge and these lines."""
    own = [(_tokens(line.nl, ref), 1.0 / min(2, len(line.refs))) for line in lines for ref in line.refs[:2]]
    return Association.of(table([*base, *own]))


_SEEN: dict[tuple[str, str], tuple] = {}  # type: ignore[type-arg]


def _tokens(nl: str, ref: str) -> tuple:  # type: ignore[type-arg]
    key = (nl, ref)
    if key not in _SEEN:
        _SEEN[key] = tokenised(plain(nl), ref)
    return _SEEN[key]


def remembered(lines: Iterable[Line]) -> list[Line]:
    """Those that may enter the memory."""
    return [line for line in lines if not line.author.startswith("tests")]


def said_by(lines: Iterable[Line]) -> list[tuple[str, str]]:
    """What options are learned from: two commands a line at most, and the knowledge."""
    return [*((line.nl, ref) for line in remembered(lines) for ref in line.refs[:2]), *pairs.knowledge()]


def options(lines: Iterable[Line], table: Association) -> Known:
    return Known.of((ref for line in lines for ref in line.refs), table)


def memory(lines: list[Line], known: Association) -> dict[str, Any]:
    """The data of the memory, from these lines. `known`: the table that says which options words ask for."""
    rows = compile_cases.rows(remembered(lines), options(lines, known), compile_cases.known_words())
    both = said_by(lines)
    return {
        "rows": rows,
        "grafts": grafts(rows),
        "flags": flags(both),
        "several": several(command for _, command in both),
    }


def tagged(lines: list[Line]) -> dict[str, Any]:
    """The tagger's data, from these lines."""
    own = compile_cases.fixed([line for line in lines if line.refs])
    return tagger.learn(tagger.labelled(lines, own), tagger.own(lines, own))


def write(path: Path, data: object) -> None:
    path.write_text(json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")
    print(f"  wrote {path.name}: {path.stat().st_size / 1e6:.2f} MB", file=sys.stderr)
