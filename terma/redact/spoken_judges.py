"""What the rules ask of a value that somebody told, spelled out or put into a sentence."""

from __future__ import annotations

import re

from terma.redact.bare_words import plain_words_follow
from terma.redact.forms import Span
from terma.redact.judges import whole
from terma.redact.plausible import is_secret, names_a_key, placeholder, stands_in
from terma.redact.secret_names import NAME_PARTS, PUBLIC, family
from terma.redact.value_shapes import (
    ABOUT,
    SLUG,
    looks_random,
    very_random,
)


def spaced(match: re.Match[str]) -> Span | None:
    """`storePassword "x"`, `X-Api-Key x`: a name of several words, or alone in front, and a value of no sentence."""
    name, value, text = match["name"], match["v"], match.string
    kind = family(name)
    if (
        not kind
        or not (re.search(r"[a-z][A-Z]|[_-]", name) or name.isupper())  # one word says too little
        or placeholder(value)
        or stands_in(value)
        or (kind != "password" and names_a_key(value))
        or value.lstrip("*&").isidentifier() != value.isidentifier()
    ):
        return None  # a pointer
    start = text.rfind("\n", 0, match.start()) + 1
    after = match.end("v") + len(match["q"])
    alone = not text[start : match.start()].strip(" \t+-") and text[after : after + 1] in (
        "",
        "\n",
        "\r",
        ";",
    )
    good = looks_random(value) and len(value) >= (6 if kind == "password" else 12)
    quoted = bool(match["q"]) and kind == "password" and is_secret(value, kind, literal=True)
    word = alone and is_secret(value, kind, literal=True) and not ABOUT.search(value)
    return match.span("v") if good or quoted or word else None


def odd(match: re.Match[str]) -> Span | None:
    return match.span("v") if very_random(match["v"]) and not stands_in(match["v"]) else None


def bare_key(match: re.Match[str]) -> Span | None:
    """`key: value`, where no word before says that it is of a cache or public, and it does not end in a checksum."""
    before = match.string[max(0, match.start() - 40) : match.start()]
    if before.endswith("did:"):
        return None
    words = NAME_PARTS.findall(before.rpartition("\n")[2])
    if (
        (words and words[-1].lower() in PUBLIC)
        or re.search(r"[0-9a-f]{32}$", match["v"])
        or SLUG.match(match["v"])
    ):
        return None
    return odd(match)


def labelled(match: re.Match[str]) -> Span | None:
    """`New password: word`, and no more on the line."""
    value = match["v"]
    good = is_secret(value, "password", literal=True) and not (value.isalpha() and ABOUT.search(value))
    return match.span("v") if good else None


def inserted(match: re.Match[str]) -> Span | None:
    """The value of the first column of a row that is named as a password or a key."""
    at = match.start("values")
    for name, value in zip(match["names"].split(","), match["values"].split(","), strict=False):
        text = value.strip()
        start = at + value.find(text)
        kind = family(name.strip(' `"[]'))
        if (
            kind
            and len(text) > 2
            and text[0] == text[-1] == "'"
            and is_secret(text[1:-1], kind, literal=True)
        ):
            return start + 1, start + len(text) - 1
        at += len(value) + 1
    return None


def once(match: re.Match[str]) -> Span | None:
    """As `whole`, where no sentence goes on behind it."""
    return None if plain_words_follow(match.string, match.end("v")) else whole(match)
