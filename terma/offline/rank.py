"""Drafts of all generators on one scale: what they leave unexplained, whether they keep to the facts of the sentence,
how certain that is, what is installed, what is the same."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace

from terma.offline.bare_word import Seen
from terma.offline.draft import Context, Draft, programs
from terma.offline.index import Index
from terma.offline.match import weigh
from terma.offline.sentence import Sentence
from terma.records import dataclass
from terma.types import Candidate, Placeholder

HEAVY = 0.55  # the weight of a word that says something of its own
_BUILTINS = frozenset(
    "cd echo export alias unalias history source type umask ulimit jobs fg bg wait read printf test set unset "
    "true false "
    "pwd kill trap exit disown dirs pushd popd for while if command builtin hash help let time".split()
)


@dataclass(frozen=True, slots=True)
class Weighed:
    """A draft with what speaks for and against it. `coverage` is 0..1; `left` are heavy tokens that nothing explains;
    `prior` is the product of all factors that are known without learning."""

    draft: Draft
    coverage: float
    left: tuple[int, ...]
    lost: bool
    prior: float
    lacks: str  # the program that is not here, "" where it can be run

    @property
    def here(self) -> bool:
        return not self.lacks


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with the reasons of its place: `left` are words that it does not answer, `broken` facts that it
    does not keep to; whether it may be inserted, and whether it is at least close. `keeps`: whether nothing but doubt
    speaks against it."""

    candidate: Candidate
    coverage: float
    trust: float
    left: tuple[str, ...]
    broken: tuple[str, ...] = ()
    inserts: bool = True
    close: bool = True
    keeps: bool = True


def weighed(sentence: Sentence, drafts: Iterable[Draft], context: Context, index: Index) -> list[Weighed]:
    """The drafts that use every argument of the sentence, one of each command, the likeliest first."""
    seen = Seen.of(sentence, index)
    weights = weigh(seen, index)
    total = sum(weights) or 1.0
    best: dict[str, Weighed] = {}
    for draft in drafts:
        left = [i for i in range(len(weights)) if i not in draft.accounted and weights[i] > 0.05]
        if any(sentence.tokens[i].kind not in ("word", "ident") for i in left):
            continue  # an argument that a command does not use changes what was asked
        one = _weigh(sentence, draft, context, index, left, weights, total, seen)
        key = " ".join(draft.command.split())
        if key not in best or best[key].prior < one.prior:
            best[key] = one
    return sorted(best.values(), key=lambda one: -one.prior)


def _weigh(
    sentence: Sentence,
    draft: Draft,
    context: Context,
    index: Index,
    left: list[int],
    weights: tuple[float, ...],
    total: float,
    seen: Seen,
) -> Weighed:
    coverage = 1.0 - sum(weights[i] for i in left) / total
    lost = any(i in seen.unknown for i in left)  # a word that nobody knows, and that nothing uses
    heavy = [i for i in left if weights[i] >= HEAVY]
    missing = lacks(draft, context.path)
    prior = draft.score * coverage**1.5 * 0.85 ** len(heavy)
    prior *= (0.75 if lost else 1.0) * (0.9 if missing else 1.0)
    prior *= (
        0.97 if draft.source.startswith("grammar.") else 1.0
    )  # a phrasing written for this wins over rules
    return Weighed(draft, coverage, tuple(left), lost, prior, missing)


def candidate(one: Weighed, confidence: float) -> Candidate:
    """What is shown of a draft."""
    draft = one.draft
    note = draft.note
    if one.lacks:
        note = note or f"{one.lacks} is not installed"
    return Candidate(draft.command, round(min(1.0, confidence), 4), draft.source, places(draft), note)


def places(draft: Draft) -> tuple[Placeholder, ...]:
    found = []
    for name in draft.placeholders:
        mark = "{" + name + "}"
        start = draft.command.find(mark)
        if start >= 0:
            found.append(Placeholder(name, start, start + len(mark)))
    return tuple(sorted(found, key=lambda place: place.start))


def lacks(draft: Draft, path: str) -> str:
    """The program that is not here, "" where all is: root without sudo needs none."""
    if draft.tool and not installed(draft.tool, path):
        return draft.tool
    asks = draft.command.startswith("sudo ") and os.geteuid() != 0
    return "sudo" if asks and not installed("sudo", path) else ""


def for_root(ranked: list[Ranked]) -> list[Ranked]:
    """The ranked candidates without sudo, which is not here; of two that become the same the better one stays."""
    from terma.dialect.root import without_sudo

    return _once(replace(one, candidate=without_sudo(one.candidate)) for one in ranked)


def installed(tool: str, path: str) -> bool:
    """Whether `tool` can be run with this PATH; True when the PATH is not known."""
    return not path or tool in _BUILTINS or "/" in tool or tool in programs(path)


def for_system(ranked: list[Ranked], system: str) -> list[Ranked]:
    """The ranked candidates for `system`; of two that become the same command the better one stays."""
    from terma.dialect.portable import adapted

    return _once(replace(one, candidate=adapted(one.candidate, system)) for one in ranked)


def _once(ranked: Iterable[Ranked]) -> list[Ranked]:
    found: dict[str, Ranked] = {}
    for one in ranked:
        found.setdefault(" ".join(one.candidate.command.split()), one)
    return list(found.values())
