"""What the rules of the tables ask of a match before they call a part of it a secret."""

from __future__ import annotations

import base64
import re

from terma.redact.bare_words import among_settings, plain_words_follow
from terma.redact.forms import Span, value_of
from terma.redact.nouns import OF_ANOTHER
from terma.redact.partners import MARKS, unlike_a_name
from terma.redact.plausible import (
    APP_PASSWORD,
    IDENTIFIER,
    is_phrase,
    is_secret,
    may_be_string,
    placeholder,
    stands_in,
)
from terma.redact.secret_names import family
from terma.redact.value_shapes import (
    ABOUT,
    ALGORITHM,
    MIXED,
    PATH,
    UUID,
    WORDS,
    is_code,
    looks_random,
    very_random,
)

TAIL = re.compile(r"[ \t]*(?:\*/|-->)$")


def setting(match: re.Match[str]) -> Span | None:
    """A whole line `NAME=value` or `name: value`: nothing follows, so the value is no variable of a program."""
    kind = family(match["name"])
    value = TAIL.sub("", match["v"].rstrip())
    if (
        not kind
        or match["name"].startswith(("arn:", "urn:"))
        or (value.endswith(",") and value[:-1].lower().endswith(match["name"].lower()))
        or value == match["name"]
        or (match["name"] == "PASS" and match["sep"] == ":")
        or not value
        or " " in value
        or value[0] in "\"'"
        or (match["sep"] == ":" and value.endswith((",", "{", ";")))
        or (match["sep"] == "=" and value.endswith((",", ")", "(")) and is_code(value))
    ):
        return None
    literal = (
        match["sep"] != " = "
        or (kind == "password" and not re.fullmatch(r"[a-z_]+|[A-Z_]+", value))
        or (kind == "password" and among_settings(match.string, match.start()))
    )
    start = match.start("v")
    return (start, start + len(value)) if is_secret(value, kind, literal=literal) else None


def in_a_command(match: re.Match[str]) -> bool:
    """Whether an option stands in a command line, not in a manual: a word before it, and none of prose after it."""
    text, start = match.string, match.start()
    before = text[text.rfind("\n", 0, start) + 1 : start].strip()
    return bool(before) and before[-1] not in ",[(|`'\"" and not plain_words_follow(text, match.end())


def whole(match: re.Match[str]) -> Span | None:
    return None if placeholder(match["v"]) else match.span("v")


def said(match: re.Match[str]) -> Span | None:
    """In a sentence, only what no sentence says by itself."""
    value = match["v"].rstrip(".,;:!?)")
    what = match["what"].lower()
    if match["what"] == "PASS" or SHOWN_BEFORE.search(
        match.string, max(0, match.start() - 12), match.start()
    ):
        return None  # a test that passed; a public key
    if ALGORITHM.match(value) or OF_ANOTHER.match(match.string, match.end("what")):
        return None
    if ". " in match["mid"] or (what.startswith("p") and UUID.match(value)):
        return None
    between = match.string[match.end("mid") : match.start("v")].strip()
    if match.string[match.end("v") : match.end("v") + 1] == "(" and value.isidentifier():
        return None  # it is called
    if value.startswith("-") or (what == "pass" and between in ("to", "from")):
        return None
    sure = match["mid"].strip() == "" and what.startswith("pass") and what != "pass"
    mixed = what.startswith("p") and MIXED.match(value) is not None and not is_code(value)
    good = looks_random(value) and len(value) >= 6 if sure or mixed else very_random(value)
    start = match.start("v")
    return (start, start + len(value)) if good and not stands_in(value) else None


SHOWN_BEFORE = re.compile(r"\bpub(?:lic)?[ -](?:key[ -])?$", re.IGNORECASE)


def put(match: re.Match[str]) -> Span | None:
    """`put NAME value`: what no sentence says."""
    kind = family(match["name"])
    good = kind and looks_random(match["v"]) and is_secret(match["v"], kind, literal=True)
    return match.span("v") if good else None


def wrapped(match: re.Match[str]) -> Span | None:
    """`secret = Some("…")`: what is called may as well fetch a secret by its name."""
    kind = family(match["name"])
    good = kind and very_random(match["v"]) and is_secret(match["v"], kind, literal=True)
    return match.span("v") if good and len(match["v"]) >= 16 else None


def spoken(match: re.Match[str]) -> Span | None:
    """In a chat: words that are joined by marks or hold a digit, and are no name of a file or a host."""
    value = match["v"].rstrip(".,;:!?")
    good = (
        any(char.isdigit() for char in value) and any(char.isalpha() for char in value) and not is_code(value)
    )
    start = match.start("v")
    return (start, start + len(value)) if good and not stands_in(value) else None


def as_said(match: re.Match[str]) -> Span | None:
    good = MIXED.match(match["v"]) or very_random(match["v"])
    return match.span("v") if good and looks_random(match["v"]) and not stands_in(match["v"]) else None


def column(match: re.Match[str]) -> Span | None:
    kind = family(match["name"])
    good = kind and not stands_in(match["v"]) and looks_random(match["v"]) and len(match["v"]) >= 6
    return match.span("v") if good else None


def call(match: re.Match[str]) -> Span | None:
    value = match["v"]
    return None if placeholder(value) or (" " in value and not APP_PASSWORD.match(value)) else match.span("v")


def spoken_to(match: re.Match[str]) -> Span | None:
    """What a function makes of a password: no name that it looks up."""
    return None if ABOUT.search(match["v"]) or "::" in match["v"] else whole(match)


def certain(match: re.Match[str]) -> Span | None:
    """Beside a name that nothing explains: capitals, small letters, digits and a mark."""
    value = match["v"].rstrip(".,;:")
    start = match.start("v")
    good = (
        MIXED.match(value) and not MARKS.isdisjoint(value[:-1]) and "=" not in value and unlike_a_name(value)
    )
    return (start, start + len(value)) if good and not PATH.match(value) else None


def random(match: re.Match[str]) -> Span | None:
    return match.span("v") if not stands_in(match["v"]) and looks_random(match["v"]) else None


def encoded(match: re.Match[str]) -> Span | None:
    """What base64 is asked to encode or decode, but for words of a sentence that anybody may read."""
    try:
        plain = base64.b64decode(match["v"], validate=True).decode()
    except ValueError:
        return random(match)
    return None if WORDS.match(plain.strip()) and " " in plain.strip() else random(match)


def credential(match: re.Match[str]) -> Span | None:
    """After an Authorization header's scheme."""
    value = match["v"]
    if is_code(value):
        return None
    return match.span("v") if len(value) >= 6 and not stands_in(value) and (
        looks_random(value) or len(value) >= 16) else None  # fmt: skip


def named(match: re.Match[str]) -> Span | None:
    """A name and, apart from it, a value: `set NAME value`, {"name": …, "value": …}, <name>value</name>."""
    kind = family(match["name"])
    return match.span("v") if kind and may_be_string(match["v"].strip(), kind) else None


def paired(match: re.Match[str]) -> Span | None:
    """As `named`, where two names may stand side by side: ("ssh_pass", "ssh_password")."""
    value = match["v"]
    if match["name"].isupper():  # define('DB_PASSWORD', 'silver_monkey54')
        name = value.islower() and (not any(map(str.isdigit, value)) or ABOUT.search(value))
    else:
        name = IDENTIFIER.match(value) or (value.isidentifier() and "_" in value and not MIXED.match(value))
    return None if name or (" " in value.strip() and (len(value) < 24 or value[0] in "/.~")) else named(match)


def flag(match: re.Match[str]) -> Span | None:
    kind = family(match["name"] or match["slashed"])
    if not kind:
        return None
    value, span, quoted = value_of(match)
    literal = quoted or match["sep"] != " " or in_a_command(match)
    good = is_secret(value, kind, literal=literal) or (quoted and kind == "password" and is_phrase(value))
    return span if not value.startswith("-") and good else None


def userinfo(match: re.Match[str]) -> Span | None:
    """Up to the last @ before the host; a port and a path may look like that."""
    value = match["v"]
    if re.match(r"\d{1,5}(?:[/?#]|$)", value) or ("]" in value and "[" in match[0]):
        return None
    return whole(match)


def held(match: re.Match[str]) -> Span | None:
    """The first value of an object that is named for what it holds: {"github-oauth": {"github.com": "…"}}."""
    name = match["name"].rstrip("s")
    good = (family(name) or name.endswith("oauth")) and looks_random(match["v"]) and not stands_in(match["v"])
    return match.span("v") if good else None


def mixed(match: re.Match[str]) -> Span | None:
    good = looks_random(match["v"]) and not placeholder(match["v"])
    return match.span("v") if good else None
