"""What the rules ask of a value that no name gives away: it stands beside a user, or nothing else explains it."""

from __future__ import annotations

import re

from terma.redact.forms import Span
from terma.redact.plausible import is_secret, placeholder, stands_in
from terma.redact.secret_names import family
from terma.redact.value_shapes import (
    ABOUT,
    ALGORITHM,
    CHANGES,
    HEX,
    MIXED,
    NUMBERED_PAIR,
    PATH,
    SLUG,
    UUID,
    is_code,
    looks_random,
    very_random,
)

MARKS = frozenset("!@#$%^&*+~?=")


def unlike_a_name(value: str) -> bool:
    """No name of a host, a file, a version, a group or a thing of a program: capitals, small letters and digits, or
    signs that no name has."""
    if stands_in(value) or is_code(value) or not looks_random(value) or ALGORITHM.match(value):
        return False
    if FILE.search(value) or UUID.match(value):
        return False
    if POD.search(value):
        return False
    return very_random(value) or MIXED.match(value) is not None or any(char in MARKS for char in value)


FILE = re.compile(r"\.[a-z][a-z0-9]{1,4}(?::\d+)?$")


POD = re.compile(r"[a-z]-[0-9a-z]{6,10}-[0-9a-z]{5}$")  # how Kubernetes calls what a deployment runs


def partner(match: re.Match[str]) -> Span | None:
    """What stands beside the name of a user, where a user and a password stand as a rule."""
    value = match["v"].rstrip(".,;:!?)") if match["v"][-1] in ".,;:?)" else match["v"]
    if value[-1:] == "=" and match.string[match.end("v") : match.end("v") + 1] in ("'", '"'):
        return None  # an attribute
    start = match.start("v")
    good = len(value) >= 6 and unlike_a_name(value) and not PATH.match(value)
    return (start, start + len(value)) if good else None


def next_to(match: re.Match[str]) -> Span | None:
    """As `partner`, where a name in front of a host or of an account leaves no doubt."""
    value = match["v"].rstrip(".,;:!?)")
    pair = NUMBERED_PAIR.match(value) and not SCHEMES.search(
        match.string, max(0, match.start() - 12), match.start("v")
    )
    return (match.start("v"), match.start("v") + len(value)) if pair else partner(match)


def an_argument(match: re.Match[str]) -> Span | None:
    """As `named_by_nothing`, of a call that by its name takes a password or a key."""
    return match.span("v") if NUMBERED_PAIR.match(match["v"]) else named_by_nothing(match)


# `mailto:ann.lee22@example.org`: what may stand before the name of a mailbox.
SCHEMES = re.compile(
    r"(?:mailto|sips?|xmpp|acct|skype|git|ssh|tel|im|to|cc|bcc|from|sender|reply-to|by|author|committer|email|mail|id):$",
    re.IGNORECASE,
)


def named_by_nothing(match: re.Match[str]) -> Span | None:
    """An argument where a password or a key stands as a rule."""
    return match.span("v") if unlike_a_name(match["v"]) else None


def beside(match: re.Match[str]) -> Span | None:
    """`-u NAME -p VALUE`, of whatever program: no port, path, project or level of a log."""
    value = match["v"]
    good = is_secret(value, "password", literal=True) and looks_random(value) and ":" not in value
    return match.span("v") if good and not PATH.match(value) else None


def given(match: re.Match[str]) -> Span | None:
    """`NAME VALUE` at the end of a line, as routers and installers are told, and no sentence."""
    value = match["v"]
    good = family(match["name"]) in ("password", "key") and len(value) >= 6 and looks_random(value)
    return match.span("v") if good and not stands_in(value) and not ALGORITHM.match(value) else None


def stored(match: re.Match[str]) -> Span | None:
    """`echo VALUE > /etc/app/token`."""
    name = re.sub(r"\.(?:txt|conf|cfg|ini|env)$", "", match["name"])
    good = family(name) and not placeholder(match["v"]) and " " not in match["v"]
    return match.span("v") if good else None


def link(match: re.Match[str]) -> Span | None:
    """The part of an address that opens what is behind it."""
    value = match["v"]
    good = (HEX.match(value) and len(value) >= 24) or (
        very_random(value) and len(CHANGES.findall(value)) >= 3
    )
    return match.span("v") if good and not SLUG.match(value) else None


def word_said(match: re.Match[str]) -> Span | None:
    """`the password is WORD.` with no more on the line: none that says how a password is."""
    value = match["v"]
    return None if STATES.match(value) or ABOUT.search(value) or stands_in(value) else match.span("v")


STATES = re.compile(
    r"(?:ge\w+[dt]|\w+(?:ed|en|ing|ly|able|ible|ous|ive|ful|less|ish|ent|ant|ory|ary|ic|al|nt|ct|id|th|st|ht|se|de|re|te|ce|ge)"
    r"|un\w+|in\w+|im\w+|non\w+|no\w*|th\w+|a\w{0,3}|w\w{0,4}|very|too|so|just|only|always|never|still|also|ever|both"
    r"|empty|blank|weak|long|good|bad|ok|okay|fine|easy|only|your|yours|mine|ours|his|hers|it|its|set|reset|now|new|old"
    r"|here|sent|known|shown|up|down|off|on|out|over|for|from|by|in|to|at|like|case|plain|raw|free|due|true|null|nil|key"
    r"|enough|same|more|less|not|what|which|who|where|when|why|how|back|as|if|or|and|but|one|two|three|four|eight|local)$"
)


def phrase_of_words(match: re.Match[str]) -> Span | None:
    """A seed of 12 to 24 words."""
    return match.span("v") if len(match["v"].split()) in (12, 15, 18, 21, 24) else None
