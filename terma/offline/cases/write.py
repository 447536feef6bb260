"""A remembered command with other values in it, each quoted for the place where it stands."""

from __future__ import annotations

import re
from collections.abc import Mapping

from terma.offline.cases.forms import forms
from terma.offline.sentence import Sentence
from terma.offline.template import quoted

_SLOT = re.compile("\ue001(\\d+):([^\ue002]*)\ue002")
_BARE = re.compile(r"[A-Za-z0-9_@%+=:,./^~*?\[\]-]*\Z")


def written(template: str, values: Mapping[int, int], sentence: Sentence) -> str:
    """The command, or "" where a value has not the form that is wanted (an hour where days are counted)."""
    out: list[str] = []
    quote = ""
    at = 0
    for match in _SLOT.finditer(template):
        quote = _literal(template[at : match.start()], quote, out)
        at = match.end()
        number = int(match[1])
        if number not in values:
            return ""
        token = sentence.tokens[values[number]]
        having = forms(token)
        text = having.get(match[2])
        if text is None and match[2] in ("t", "v", "p", "e"):
            text = having.get("v") or having.get("t") or having.get("e")
        if text is None:
            return ""
        kind = "glob" if token.kind == "glob" else "any"
        if quote or not _BARE.match(text):
            text = quoted(text, kind, quote, "".join(out)[-12:])
        out.append(text)
    _literal(template[at:], quote, out)
    return "".join(out)


def _literal(text: str, quote: str, out: list[str]) -> str:
    skip = False
    for char in text:
        if skip:
            skip = False
        elif char == "\\" and quote != "'":
            skip = True
        elif char == quote:
            quote = ""
        elif not quote and char in "'\"":
            quote = char
    out.append(text)
    return quote
