"""The look-ups that are asked for a fix where no rule has one, in their order: each knows no program."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from terma.offline.explain.case import Case
from terma.offline.explain.finding import Finding
from terma.offline.explain.json_slips import json_slip
from terma.offline.explain.misspelt import misspelt
from terma.offline.explain.samples import from_sample
from terma.offline.explain.secret import secret
from terma.offline.explain.settings import unset
from terma.offline.explain.shapes import likely
from terma.offline.explain.spilt import spilt
from terma.offline.explain.stored import stored
from terma.offline.explain.toml_slips import toml_slip
from terma.offline.explain.unmade import unmade
from terma.offline.explain.vocabulary import vocabulary
from terma.offline.explain.yaml_slips import yaml_slip


def further(case: Case) -> Iterator[tuple[str, Finding]]:
    """What the look-ups find where no rule had a fix, by their names."""
    for name, find in FINDERS:
        if other := find(case):
            yield name, other
    yield from likely(case)


def _yaml(case: Case) -> Finding | None:
    return next(yaml_slip(case), None)


def _json(case: Case) -> Finding | None:
    return next(json_slip(case), None)


FINDERS: tuple[tuple[str, Callable[[Case], Finding | None]], ...] = (
    ("samples", from_sample),
    ("unmade", unmade),
    ("misspelt", misspelt),
    ("yaml", _yaml),
    ("json", _json),
    ("toml", toml_slip),
    ("stored", stored),
    ("secret", secret),
    ("settings", unset),
    ("vocabulary", vocabulary),
    ("spilt", spilt),
)
