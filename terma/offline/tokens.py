"""A token of a sentence."""

from __future__ import annotations

from terma.offline.lexicon import (
    STOP,
)
from terma.records import dataclass


@dataclass(frozen=True, slots=True)
class Token:
    """One word or value. `text` is as written (without quotes), `norm` its lower-case canonical lemma.

    `kind`: word number ordinal size duration date time quoted path file glob ext perm url domain userhost
    remotepath ip port env flag ident slot. `value` is the usable form: a number's digits, an extension without
    its dot, a size as `100M` (find's suffixes, c for bytes), a duration as `7 days`, else the text.
    `start`/`end` are code points in the raw sentence; `stop` says that it is a function word."""

    text: str
    norm: str
    kind: str
    value: str
    start: int
    end: int

    @property
    def stop(self) -> bool:
        return self.kind == "word" and self.norm in STOP
