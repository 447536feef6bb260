"""A remembered command with other values in it, each quoted for the place where it stands."""

from __future__ import annotations

from collections.abc import Mapping

from terma import regex as re
from terma.offline.cases.forms import forms
from terma.offline.cases.parts import SLOT, chosen
from terma.offline.sentence import Sentence
from terma.offline.template import quoted
from terma.offline.tokens import Token

_BARE = re.compile(r"[A-Za-z0-9_@%+=:,./^~*?\[\]-]*\Z")
# A folder at the end of what is written: a path that begins at the root, or at home, is not below it.
_ABOVE = re.compile(r"(?<![^\s=])[\w.~+-]*/(?:[\w.+-]+/)*\Z")


def written(
    template: str, values: Mapping[int, int], sentence: Sentence, place: int = -1, whole: bool = True
) -> str:
    """The command, or "" where a value has not the form that is wanted (an hour where days are counted). `place`: the
    token that names where to work, where the template leaves that open. `whole`: with what no word asks for, too."""
    said = None if whole else frozenset(token.norm for token in sentence.tokens)
    template = chosen(template, values, said)
    out: list[str] = []
    quote = ""
    at = 0
    for match in SLOT.finditer(template):
        quote = _literal(template[at : match.start()], quote, out)
        at = match.end()
        token = _token(match[1], bool(match[2]), values, sentence, place)
        if token is None:
            if not match[2]:
                return ""
            out.append(".")
            continue
        text = _form(token, match[3])
        if text is None:
            return ""
        if template[at : at + 1] == "/" and len(text) > 1:
            text = text.rstrip("/")
        if text.startswith(("/", "~/")) and not quote:
            out[:] = [_ABOVE.sub("", "".join(out))]
        kind = "glob" if token.kind == "glob" else "any"
        if quote or kind == "glob" or not _BARE.match(text):
            text = quoted(text, kind, quote, "".join(out)[-12:])
        out.append(text)
    _literal(template[at:], quote, out)
    return "".join(out)


def _token(
    number: str, open_place: bool, values: Mapping[int, int], sentence: Sentence, place: int
) -> Token | None:
    at = values.get(int(number), -1) if number else -1
    if at < 0 and open_place:
        at = place
    return sentence.tokens[at] if at >= 0 else None


def _form(token: Token, form: str) -> str | None:
    having = forms(token)
    text = having.get(form)
    if text is None and form in ("t", "v", "p", "e"):
        text = having.get("v") or having.get("t") or having.get("e")
    return text


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


__all__ = ["written"]
