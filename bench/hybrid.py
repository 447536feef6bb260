"""The embedded engine, a model, and both on one key: who is right how often, and how soon that stands there.

`python -m bench.hybrid FILE` measures sentences that nobody here chose: a JSON object each, {"nl", "refs"}, `refs` all
accepted commands, none where no command does it. Without a file those of our own tests stand in, which it knows. The
models are scripted: what they say of a sentence depends on its text alone. `--local` asks the model of `terma local` in
their place, as terma would. `--only NAME …` leaves models out. What an answer took is told in seconds of the processor,
which a busy machine stretches least; who was heard first is told by the order of events, which it cannot change.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import statistics
import time
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bench._scripted import Line, Scripted, all_of
from terma.agent import local_model, offering
from terma.agent.modelled import hidden, protocols
from terma.chat import ChatModel, ModelSpec
from terma.config import roles
from terma.errors import TermaError
from terma.providers.offline import PLUGIN as EMBEDDED
from terma.suggest.model_call import Helpers, Lead, Offers, Task
from terma.suggest.prompt import Place
from terma.suggest.prompted import Prompted
from terma.types import Final, Note, Query, Translator, WhyQuery
from training.equal import equal

Figure = tuple[str, float, str, str]
OWN = Path(__file__).parent.parent / "tests" / "data" / "sentences.toml"
LONGEST = 48  # tokens of a local model's answer: a command is no longer, and prose would take a minute
IDLE = 0.02  # seconds of which a tenth at most is spent on what was asked before
LATER = 1.25  # of the other's time, from which an answer counts as later
CONTROL = (
    "embedded, asked again"  # how often the same engine comes later than itself, by the machine's noise alone
)


@dataclass(frozen=True)
class Answer:
    """The first candidate, and when a right one was seen first, in seconds of the clock and of the processor; None:
    not at all. `ahead`: whether the first command was seen before the model was asked; None: no model was asked."""

    command: str
    good_after: float | None = None
    good_cost: float | None = None
    ahead: bool | None = None


@dataclass(frozen=True)
class Way:
    """A way to answer; the scripted model in it, to see when that is asked."""

    engine: Translator
    model: Scripted | None = None


async def _place(_: Query | WhyQuery) -> Place:
    return Place()


async def _offers(query: Query) -> Offers:
    return await offering.offers(query, EMBEDDED)


async def _facts(query: Query, found: Offers) -> Sequence[str]:
    return await offering.facts(query, found, names_files=True)


def beside(model: ChatModel, spec: ModelSpec, lead: Lead, *, alone: bool = False) -> Prompted:
    """The model as terma asks it, with the embedded engine or without."""
    helpers = Helpers(
        place=_place,
        hide=hidden,
        told=lambda *_: None,
        used=lambda _: None,
        protocols=protocols(),
        offers=None if alone else _offers,
        facts=None if alone else _facts,
        lead=lead,
        check=None if alone else offering.checked,
        checks=None if alone else offering.checks,
        is_words=None if alone else offering.is_words,
    )
    return Prompted(model, Task(roles.load("shell", None).text, spec), helpers)


async def ask(way: Way, line: Line) -> Answer:
    """What one press of the key brings."""
    query = Query(words=line.nl, path=os.environ.get("PATH", ""), os="linux", cwd="/")
    if way.model is not None:
        way.model.asked = False
    answer, began, cost = Answer(""), time.perf_counter(), time.process_time()
    seen_first: bool | None = None
    try:
        async for event in way.engine.translate(query):
            seen = ""
            if isinstance(event, Note):
                seen = event.text.partition(" (offline)")[0]
            elif isinstance(event, Final):
                seen = event.candidates[0].command
                answer = replace(answer, command=seen)
            if seen and seen_first is None and way.model is not None:
                seen_first = not way.model.asked
            if seen and answer.good_after is None and equal(seen, list(line.refs)):
                now, spent = time.perf_counter(), time.process_time()
                answer = replace(answer, good_after=now - began, good_cost=spent - cost)
    except TermaError:
        pass
    asked = way.model is not None and way.model.asked
    return replace(answer, ahead=seen_first if asked else None)


def read(path: Path | None) -> list[Line]:
    """The sentences of a file, or our own."""
    if path is None:
        data = tomllib.loads(OWN.read_text(encoding="utf-8"))
        return [Line(one["say"], tuple(one["run"])) for one in data["answer"]]
    rows = (json.loads(row) for row in path.read_text(encoding="utf-8").splitlines())
    return list({row["nl"]: Line(row["nl"], tuple(row["refs"])) for row in rows}.values())


def scripted(lines: list[Line], only: Sequence[str] = ()) -> dict[str, Way]:
    """Each of the scripted models alone, and beside the engine; `only` some of them, by name."""
    ways: dict[str, Way] = {}
    for model in all_of(lines):
        if only and model.name not in only:
            continue
        spec = ModelSpec(provider="scripted", model=model.name, small=model.small)
        ways[f"{model.name} model alone"] = Way(beside(model, spec, "model", alone=True))
        ways[f"both, {model.name}"] = Way(beside(model, spec, "auto"), model)
    return ways


def local() -> dict[str, Way]:
    """The model of `terma local`, alone and beside the engine."""
    model, spec = local_model.PLUGIN, replace(local_model.spec(), max_tokens=LONGEST)
    return {
        "local model alone": Way(beside(model, spec, "model", alone=True)),
        "both, local": Way(beside(model, spec, "auto")),
    }


async def table(lines: list[Line], ways: dict[str, Way]) -> list[Figure]:
    """Rows for each way to answer: right, wrong and silent of 100, and how soon a right one is there."""
    ways = {"embedded": Way(EMBEDDED), CONTROL: Way(EMBEDDED)} | ways
    await ask(ways["embedded"], lines[0])
    _settle()
    found: dict[str, list[Answer]] = {way: [] for way in ways}
    for number, line in enumerate(lines):  # in turns, so that a busy moment meets all of them
        await ask(ways["embedded"], line)  # what one reads, all of them then find in the cache
        await _quiet()
        first = number % len(ways)
        for way in [*ways][first:] + [*ways][:first]:
            found[way].append(await ask(ways[way], line))
            await _quiet()
    rows: list[Figure] = []
    for way, answers in found.items():
        rows += _shares(way, lines, answers)
        rows += _sooner(way, answers, found["embedded"])
        rows += _ahead(way, answers, found["embedded"])
    return rows


def _settle() -> None:
    """As the agent does: what was loaded is collected once, and holds up no answer any more."""
    gc.collect()
    gc.freeze()


async def _quiet() -> None:
    """Until the last question's threads have ended: what they still read would be counted to the next one."""
    spent = None
    while spent is None or time.process_time() - spent > IDLE / 10:
        spent = time.process_time()
        await asyncio.sleep(IDLE)


def _shares(way: str, lines: list[Line], answers: list[Answer]) -> list[Figure]:
    right = sum(_right(line, one) for line, one in zip(lines, answers, strict=True))
    said = sum(bool(one.command) for one in answers)
    wrong = sum(bool(one.command) and not _right(line, one) for line, one in zip(lines, answers, strict=True))
    of = len(lines) / 100
    return [
        (f"{way}: right", right / of, "%", f"of {len(lines)} sentences; silence is right where none answers"),
        (f"{way}: wrong", wrong / of, "%", f"{said} commands on the line"),
    ]


def _right(line: Line, answer: Answer) -> bool:
    return equal(answer.command, list(line.refs)) if line.refs else not answer.command


def _sooner(way: str, answers: list[Answer], embedded: list[Answer]) -> list[Figure]:
    """How long a right command takes where the embedded engine has one, against that engine, in time of the processor;
    by the clock, too."""
    pairs = [
        (one, other)
        for one, other in zip(answers, embedded, strict=True)
        if one.good_after is not None and other.good_after is not None
    ]
    if not pairs:
        return []
    rows: list[Figure] = []
    for name, of in (("processor", "good_cost"), ("clock", "good_after")):
        taken = [(getattr(one, of) * 1e3, getattr(other, of) * 1e3) for one, other in pairs]
        mine, theirs = (statistics.median(column) for column in zip(*taken, strict=True))
        later = sum(mine > theirs * LATER for mine, theirs in taken)
        note = f"embedded {theirs:.1f}, {len(pairs)} sentences; {later} later by more than a quarter"
        rows.append((f"{way}: first right, {name}", mine, "ms", note))
    return rows


def _ahead(way: str, answers: list[Answer], embedded: list[Answer]) -> list[Figure]:
    """Where the engine has an answer and the model was asked: how often that was seen before the asking."""
    asked = [
        one.ahead
        for one, other in zip(answers, embedded, strict=True)
        if one.ahead is not None and other.command
    ]
    if not asked:
        return []
    of = f"of {len(asked)} answers of the engine that a model was asked beside"
    return [(f"{way}: seen before the model is asked", sum(asked) / len(asked) * 100, "%", of)]


def measure(path: Path | None = None, *, asks_local: bool = False, only: Sequence[str] = ()) -> list[Figure]:
    """Rows for bench: figure, value, unit, note."""
    lines = read(path)
    return asyncio.run(table(lines, local() if asks_local else scripted(lines, only)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--local", action="store_true")
    parser.add_argument("--only", nargs="+", default=(), metavar="NAME")
    chosen = parser.parse_args()
    for figure, value, unit, note in measure(chosen.file, asks_local=chosen.local, only=chosen.only):
        print(f"{figure:<52} {value:>8.2f} {unit:<4} {note}")
