"""Takes out of an answer what a terminal obeys. The agent does so as well; this is for one that is broken."""

from __future__ import annotations

import re

# Control and bidi characters but LF and TAB.
_DIRTY = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def clean(text: str) -> str:
    """`text` without what a terminal obeys."""
    return _DIRTY.sub("", text)
