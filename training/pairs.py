"""Sentence–command pairs to learn from: the authors' files, the phrasings of the knowledge, and the tests' "
"sentences."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from terma.offline.check import EXAMPLES
from terma.offline.compiler import compile_index, sources
from terma.offline.template import Renderer, parse

ROOT = Path(__file__).parents[1]
SENTENCES = ROOT / "training" / "sentences"
HELD = ROOT / "training" / "held.txt"  # every fourth of our authors: nothing is ever learned from them


@dataclass(frozen=True, slots=True)
class Line:
    """One labelled sentence; `refs` best first, () when no command answers it. `held`: never
    learned from."""

    author: str
    nl: str
    refs: tuple[str, ...]
    held: bool


def authors() -> list[Line]:
    """Every line of training/sentences, those of the authors in held.txt marked."""
    names = sorted(SENTENCES.glob("*.jsonl"))
    ours = set(HELD.read_text(encoding="utf-8").split())
    return [line for path in names for line in _read(path, path.stem in ours)]


def _read(path: Path, held: bool) -> Iterator[Line]:
    for text in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(text)
        yield Line(path.stem, row["nl"], tuple(row["refs"]), held)


def knowledge() -> Iterator[tuple[str, str]]:
    """Each phrasing of each entry with its command, example values in its slots; each modifier once."""
    for _source, _tool, run, _macos, linux, phrases, modifiers, _also, slots in compile_index(sources())[
        "entries"
    ]:
        text = linux or run
        parts = parse(text, frozenset(slots) | frozenset(modifiers))
        values = {name: _example(name, kind) for name, kind in slots.items()}
        for i, phrase in enumerate(phrases):
            said = [_say(item, values) for item in phrase.split()]
            here = {n: v for n, v in values.items() if "{" + n + ":" in phrase}
            yield " ".join(said), Renderer(here, set(here)).render(parts)
            if i == 0:
                for name, texts in modifiers.items():
                    for extra in texts[:3]:
                        yield " ".join([*said, extra]), Renderer(here, {*here, name}).render(parts)


def _example(name: str, kind: str) -> str:
    return EXAMPLES.get(kind.rstrip("0123456789"), f"my-{name}").strip("'")


def _say(item: str, values: dict[str, str]) -> str:
    if item[0] != "{":
        return item.replace("_", " ")
    value = values[item[1:-1].partition(":")[0]]
    return f'"{value}"' if " " in value else value


def tests() -> list[Line]:
    """The sentences that the unit tests are written with: our own, and what they must become."""
    data = ROOT / "tests" / "data"
    grammar = tomllib.loads((data / "grammar_sentences.toml").read_text(encoding="utf-8"))["sentence"]
    found = [Line("tests", case["say"], (case["run"],), False) for case in grammar]
    engine = tomllib.loads((data / "sentences.toml").read_text(encoding="utf-8"))
    found += [Line("tests2", case["say"], tuple(case["run"]), False) for case in engine["answer"]]
    found += [Line("tests2", say, (), False) for say in engine["refuse"]["say"]]
    return found
