"""Drafts of all generators on one scale: what they leave unexplained, what is installed, what is the same."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from terma.offline.assign import Seen
from terma.offline.demands import met
from terma.offline.draft import Context, Draft, programs
from terma.offline.index import Index
from terma.offline.intent import agreement, is_destructive
from terma.offline.match import weigh
from terma.offline.sentence import Sentence
from terma.types import Candidate, Placeholder

FLOOR = 0.74
ORDERED = 0.5  # what agreement gives a change that no verb asks for
SURE = 0.9
DESTRUCTIVE_FLOOR = 0.8
HEAVY = 0.55  # the weight of a word that says something of its own
_BUILTINS = frozenset(
    "cd echo export alias unalias history source type umask ulimit jobs fg bg wait read printf test set unset "
    "true false "
    "pwd kill trap exit disown dirs pushd popd for while if command builtin hash help let time".split()
)


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with the reasons of its place."""

    candidate: Candidate
    coverage: float
    trust: float
    left: tuple[str, ...]


def rank(sentence: Sentence, drafts: Iterable[Draft], context: Context, index: Index) -> list[Ranked]:
    """Best first, one of each command, none below the floor."""
    seen = Seen.of(sentence, index)
    weights = weigh(seen, index)
    total = sum(weights) or 1.0
    past = frozenset(context.history)
    best: dict[str, Ranked] = {}
    for draft in drafts:
        left = [i for i in range(len(weights)) if i not in draft.accounted and weights[i] > 0.05]
        coverage = 1.0 - sum(weights[i] for i in left) / total
        if any(sentence.tokens[i].kind not in ("word", "ident") for i in left):
            continue  # an argument that a command does not use changes what was asked
        lost = any(i in seen.unknown for i in left)  # a word that nobody knows, and that nothing uses
        score = (
            (0.75 if lost else 1.0)
            * draft.score
            * coverage**1.5
            * 0.85 ** sum(weights[i] >= HEAVY for i in left)
        )
        if draft.source.startswith("grammar."):
            score *= 0.97  # a phrasing that somebody wrote for exactly this wins over a reading of rules
        agrees = agreement(sentence, draft.command)
        if agrees == ORDERED and draft.score >= SURE and not draft.source.startswith("grammar."):
            agrees = 1.0  # an order in words that only this phrasing knows
        score *= agrees
        floor = DESTRUCTIVE_FLOOR if draft.destructive or is_destructive(draft.command) else FLOOR
        if coverage < floor or score < FLOOR - (0.12 if draft.placeholders else 0.0):
            continue
        meets = met(sentence, draft.command)
        score *= meets
        if score < FLOOR - (0.12 if draft.placeholders else 0.0):
            continue
        if draft.source == "history":
            score = (
                meets * agreement(sentence, draft.command) * (0.9 if is_destructive(draft.command) else 1.0)
            )
        elif draft.command in past:
            score *= 1.03
        note = draft.note
        if draft.tool and not installed(draft.tool, context.path):
            note = note or f"{draft.tool} is not installed"
            score *= 0.9
        key = " ".join(draft.command.split())
        words = tuple(sentence.tokens[i].text for i in left)
        candidate = Candidate(draft.command, round(min(1.0, score), 4), draft.source, _places(draft), note)
        if key not in best or best[key].candidate.score < score:
            best[key] = Ranked(candidate, round(coverage, 3), draft.score, words)
    return sorted(
        best.values(), key=lambda ranked: (-ranked.candidate.score, ranked.candidate.source != "history")
    )


def _places(draft: Draft) -> tuple[Placeholder, ...]:
    found = []
    for name in draft.placeholders:
        mark = "{" + name + "}"
        start = draft.command.find(mark)
        if start >= 0:
            found.append(Placeholder(name, start, start + len(mark)))
    return tuple(sorted(found, key=lambda place: place.start))


def installed(tool: str, path: str) -> bool:
    """Whether `tool` can be run with this PATH; True when the PATH is not known."""
    return not path or tool in _BUILTINS or "/" in tool or tool in programs(path)
