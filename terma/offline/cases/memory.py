"""The remembered cases: found by their words, aligned to the sentence that is asked, written out with its values."""

from __future__ import annotations

import json
import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from terma.offline import tables
from terma.offline.cases.align import Aligned, Item, align
from terma.offline.cases.flags import Flags
from terma.offline.cases.flags import of as flags_of
from terma.offline.cases.grafts import Grafts, of
from terma.offline.cases.heard import heard
from terma.offline.cases.near import kinds, near
from terma.offline.cases.parts import SLOT, bare
from terma.offline.cases.write import written
from terma.offline.draft import UNHEARD, Context, Draft, Heard
from terma.offline.lexicon import LIGHT, STOP
from terma.offline.opposites import does_forbidden
from terma.offline.packed import Packed, Writer
from terma.offline.trust.command import simples
from terma.offline.trust.facts import Facts
from terma.records import dataclass

MOST = 24  # drafts that they give
PART = "\ue004"  # begins a part of a template that may go
LEAST = 0.25  # of likeness
_LITTLE = 0.06  # weight of a function word


@dataclass(frozen=True, slots=True)
class Memory:
    """`rows`: each case as JSON text [[template ...], [item ...]], a packed one with what each template runs; `posts`:
    norm -> cases; `weight`: norm -> idf 0..1; `sizes`: what the score of each case is divided by. What may be added to
    a command: `grafts`, options with a value and pipes, and `flags`, options without one; `several`: the commands that
    take several files where they take one."""

    rows: Sequence[str]
    posts: Mapping[str, Sequence[int]]
    weight: Mapping[str, float]
    sizes: Sequence[float]
    grafts: Grafts
    flags: Flags
    several: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls,
        rows: Iterable[str],
        grafts: Mapping[str, list[list[Any]]] | None = None,
        flags: Mapping[str, list[list[Any]]] | None = None,
        several: Iterable[str] = (),
    ) -> Memory:
        kept = [json.dumps(json.loads(row), ensure_ascii=False) for row in rows]
        posts: dict[str, list[int]] = defaultdict(list)
        for number, row in enumerate(kept):
            for item in dict.fromkeys(json.loads(row)[1]):
                if item[:1] != "{" and item not in STOP:
                    posts[item].append(number)
        total = math.log(1 + max(1, len(kept)))
        counts = Counter({norm: len(found) for norm, found in posts.items()}) + _kinds(kept)
        weight = {norm: round(math.log(1 + len(kept) / count) / total, 3) for norm, count in counts.items()}
        sizes = array("f", map(_size, kept))
        return cls(
            kept,
            {norm: array("H", found) for norm, found in posts.items()},
            weight,
            sizes,
            of(grafts or {}),
            flags_of(flags or {}),
            frozenset(several),
        )

    @classmethod
    def load(cls) -> Memory:
        """From the package; an empty one where the file is missing."""
        try:
            return cls.read(tables.opened())
        except (OSError, ValueError, KeyError):
            return cls.of(())

    @classmethod
    def read(cls, run: Packed) -> Memory:
        """From packed tables. Raises KeyError, ValueError."""
        return cls(
            run.texts("memory.rows"), run.lists_by("memory.posts"), run.numbers_by("memory.weight"),
            run.numbers("memory.sizes"), Grafts(run.texts_by("memory.grafts")),
            Flags(run.texts_by("memory.flags")), frozenset(run.texts("memory.several")),
        )  # fmt: skip

    def write(self, writer: Writer, programs: bool = True) -> None:
        """Into tables to be packed, each case with the programs that it runs or without."""
        writer.texts("memory.rows", map(_with_programs, self.rows) if programs else self.rows)
        writer.lists_by("memory.posts", self.posts)
        writer.numbers_by("memory.weight", self.weight)
        writer.numbers("memory.sizes", array("f", self.sizes))
        writer.texts_by("memory.grafts", self.grafts.rows)
        writer.texts_by("memory.flags", self.flags.rows)
        writer.texts("memory.several", sorted(self.several))

    def weigh(self, norm: str) -> float:
        if norm in STOP:
            return _LITTLE
        return self.weight.get(norm, 1.0) * (0.5 if norm in LIGHT else 1.0)

    def drafts(self, facts: Facts, context: Context, tags: Sequence[float] = ()) -> list[Draft]:
        """What the most alike cases say, with the sentence's own values; best first, one of each command. `tags`: of
        each token the log odds that it is a value."""
        found: list[tuple[Aligned, str, str, Heard]] = []
        denies = bool(facts.denials)
        for number in near(facts.sentence.tokens, self.posts, self.weigh, self.sizes, self.rows):
            templates, items, programs = _case(self.rows[number])
            aligned = align(items, facts, self.weigh, templates[0], tags)
            if aligned is None or aligned.alike < LEAST:
                continue
            if denies and does_forbidden(facts.sentence, frozenset(item.norm for item in items)):
                continue
            just_so = heard(items, aligned.values, facts)
            ways = (True, False) if any(PART in template for template in templates) else (True,)
            for whole in ways:
                command, tool = _best(templates, programs, aligned, facts, context, whole)
                if command and all(command != other for _, other, *_ in found[-1:]):
                    found.append((aligned, command, tool, just_so if whole else UNHEARD))
        return _merged(found, facts)


def _size(row: str) -> float:
    """What a case's score is divided by: a long sentence shares words with many."""
    return float((1.5 + row.count('", "') * 0.35) ** 0.5)


def _kinds(rows: Iterable[str]) -> Counter[str]:
    """In how many cases each kind of value stands, and each suffix."""
    found: Counter[str] = Counter()
    for row in rows:
        values = [item[1:].split("|", 2) for item in json.loads(row)[1] if item[:1] == "{"]
        found.update({sign for kind, text, _ in values for sign in kinds(kind, text)})
    return found


@lru_cache(maxsize=128)
def _case(row: str) -> tuple[tuple[str, ...], tuple[Item, ...], tuple[tuple[str, ...], ...]]:
    templates, items, *known = json.loads(row)
    programs = map(tuple, known[0]) if known else map(_programs, templates)
    return tuple(templates), tuple(Item.read(item) for item in items), tuple(programs)


def _with_programs(row: str) -> str:
    """Reading a template takes longer than aligning it, so a packed case has what it runs beside it."""
    templates, items = json.loads(row)
    return json.dumps([templates, items, list(map(_programs, templates))], ensure_ascii=False)


def _best(
    templates: tuple[str, ...],
    programs: tuple[tuple[str, ...], ...],
    aligned: Aligned,
    facts: Facts,
    context: Context,
    whole: bool = True,
) -> tuple[str, str]:
    """The first way of saying it whose programs can be run here, else the first."""
    first = ("", "")
    for template, known in zip(templates, programs, strict=True):
        command = written(template, aligned.values, facts.sentence, aligned.place, whole)
        if not command:
            continue
        runs = known or tuple(simple.program for simple in simples(command))
        tool = next((name for name in runs if not _runs(name, context)), "")
        if not tool:
            return command, runs[0] if runs else ""
        first = first if first[0] else (command, tool)
    return first


@lru_cache(maxsize=4096)
def _programs(template: str) -> tuple[str, ...]:
    """What any command of this template runs; () where a value says so, and each has to be read."""
    names = tuple(simple.program for simple in simples(bare(template)))
    return () if any(SLOT.search(name) for name in names) else names


def _runs(name: str, context: Context) -> bool:
    from terma.offline.rank import installed

    return installed(name, context.path)


def _merged(found: list[tuple[Aligned, str, str, Heard]], facts: Facts) -> list[Draft]:
    found.sort(key=lambda one: -one[0].alike)
    votes = Counter(command for _, command, *_ in found)
    drafts: dict[str, Draft] = {}
    everything = frozenset(i for i, token in enumerate(facts.sentence.tokens) if token.stop)
    for aligned, command, tool, just_so in found:
        if command in drafts:
            continue
        other = max((a.alike for a, c, *_ in found if c != command), default=0.0)
        evidence = (
            aligned.alike, float(min(5, votes[command])), aligned.alike - other, aligned.missed,
                float(aligned.edits), aligned.kin,
        )  # fmt: skip
        program = command.split(None, 1)[0].strip("(")
        drafts[command] = Draft(
            command, f"case.{program}", everything | aligned.used, round(min(1.0, aligned.alike), 4), tool=tool,
            evidence=evidence, heard=just_so,
        )  # fmt: skip
        if len(drafts) == MOST:
            break
    return list(drafts.values())
