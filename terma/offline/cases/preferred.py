"""Which of the remembered cases' drafts are measured: what is alike is not all, its pieces must be asked for, too."""

from __future__ import annotations

from collections.abc import Iterable

from terma.offline.draft import Draft
from terma.offline.trust.association import Association, values_of
from terma.offline.trust.command import simples, tokens
from terma.offline.trust.features import Asked, fits

KEEP = 10
# What likeness is held against: how well the words go with the command, its pieces with the words, its program with
# both. Of 2,229 held lines the right one was among the first six for 57.0 in 100, for 55.0 by likeness alone.
_FITS, _ASKED, _LIKELY = 0.03, 0.05, 0.01


def preferred(drafts: Iterable[Draft], about: Asked, table: Association) -> list[Draft]:
    """The KEEP drafts that are likeliest by likeness and by the table."""
    return sorted(drafts, key=lambda draft: -_score(draft, about, table))[:KEEP]


def _score(draft: Draft, about: Asked, table: Association) -> float:
    parsed = simples(draft.command)
    flat = [word for simple in parsed for word in simple.words]
    pieces = tokens(draft.command, values_of(about.facts.sentence, flat))
    fitting, _ = fits(about, pieces, flat, table)
    asked = [value for piece in pieces if (value := table.asked(piece, about.words)) is not None]
    likely = about.likely.get(parsed[0].program, _UNLIKELY) if parsed else _UNLIKELY
    return (
        draft.score
        + _FITS * sum(fitting.values())
        + _ASKED * (sum(asked) / len(asked) if asked else 0.0)
        + _LIKELY * likely
    )


_UNLIKELY = -12.0
