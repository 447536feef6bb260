r"""A text with what addresses, HTML and JSON spell in it (`%2B`, `&#43;`, `\/`, `\u002b`) as the characters meant.

Base64 holds `+`, `/` and `=`: a key that passed one of these looks like none."""

from __future__ import annotations

import re

_OPENS = ("%2", "&#", "\\/", "\\u00")
_MEANT = "2[bBfF]|3[dD]|0[aAdD]|20|2[dD]"
_SPELLED = re.compile(
    rf"%(?P<percent>{_MEANT})|&#[xX]0{{0,2}}(?P<entity>{_MEANT}|[aAdD]);|&#(?P<number>43|47|61|10|13|32|45);"
    rf"|\\u00(?P<escape>{_MEANT})|\\(?P<slash>/)|(?P<edge>-----(?:BEGIN|END)(?:\+[A-Z0-9]{{1,12}}){{1,5}}-----)"
)


def is_in(text: str) -> bool:
    """Whether `text` may spell something."""
    return any(mark in text for mark in _OPENS)


def meant(text: str) -> tuple[str, list[int]]:
    """What `text` means, and where each character of that begins in `text`, with the end of `text` behind them."""
    pieces: list[str] = []
    places: list[int] = []
    at = 0
    for found in _SPELLED.finditer(text):
        pieces += [text[at : found.start()], _character(found)]
        places += range(at, found.start())
        at = found.end()
        places += range(found.start(), at) if found["edge"] else [found.start()]
    return "".join([*pieces, text[at:]]), [*places, *range(at, len(text) + 1)]


def _character(found: re.Match[str]) -> str:
    if found["edge"]:  # a form has a plus for a blank
        return found[0].replace("+", " ")
    if found["slash"]:
        return "/"
    if found["number"]:
        return chr(int(found["number"]))
    return chr(int(found["percent"] or found["entity"] or found["escape"], 16))
