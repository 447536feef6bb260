"""Secrets that give themselves away by their shape: one row a service, each with a sample and a near miss."""

# A table: a row reads better whole.
# ruff: noqa: E501

from __future__ import annotations

import re
from collections.abc import Iterator

from terma.redact.token_shapes import EDGE, SHAPES, Shape
from terma.redact.vocabulary import Vocabulary, look_for, one_of

LITERALS = tuple((head, shape) for shape in SHAPES if not shape.floats for head in shape.heads)
# Heads of letters, digits, _ and - open a run of such characters, of LENGTHY or more: one pass over the runs finds all.
LEAST = 3  # characters by which runs are looked up
PLAIN = re.compile(
    r"(?!(?:fm|RWR|fo1|glc_|whsec_|xoxd-|dt0)[\w-]*$)(?:[A-Za-z0-9_-]|[A-Za-z0-9_-]{3,40})$", re.ASCII
)
BY_START: dict[str, list[tuple[str, Shape]]] = {}
DOLLARS: list[tuple[str, Shape]] = []  # `$6$` and its kin: all of them are found by one search
ELSE: list[tuple[str, bytes, Shape]] = []  # a head, the letters in it, and of what
for _head, _of in LITERALS:
    if PLAIN.match(_head):
        BY_START.setdefault(_head[:LEAST], []).append((_head, _of))
    elif _head[0] == "$":
        DOLLARS.append((_head, _of))
    else:
        ELSE.append((_head, look_for(_head), _of))
_DOLLARS = tuple(head for head, _ in DOLLARS)
# How a run may open, in small letters, perhaps behind an escape's letter; a head of one letter asks for its tail.
_OPENS = re.compile(
    b"[a-z0-9_-]??"
    + one_of(
        head.lower() if len(head) > 1 else [head.lower(), "[a-z0-9_-]{22}"]
        for heads in BY_START.values()
        for head, _ in heads
    ).encode()
)
# A service that we do not know: `name_` or `name-name_` before a long mixture of capitals, small letters and digits.
# Names of objects look so too (`evt_…`), and are shorter than keys.
PREFIXED = re.compile(r"[_-](?=[A-Za-z]*[0-9])[A-Za-z0-9]{22,200}(?![A-Za-z0-9])", re.ASCII)
PREFIX = re.compile(
    r"(?<![A-Za-z0-9_./$-])(?!(?:pk|pub|public|publishable)[_-])[a-z][a-z0-9]{1,11}(?:[_-][a-z0-9]{1,10}){0,3}$",
    re.ASCII,
)


def spans(text: str, words: Vocabulary) -> Iterator[tuple[int, int]]:
    """Start and end of every token-shaped secret in `text`; they may overlap. `words` are those of `text`."""
    for start, end in _found(text, words):
        # No example: `ghp_xxxxxx`, `AKIA…EXAMPLE`.
        if len(set(text[max(start, end - 16) : end])) > 2 and "EXAMPLE" not in text[start:end]:
            yield start, end


def _found(text: str, words: Vocabulary) -> Iterator[tuple[int, int]]:
    pieces = words.pieces
    for shape, heads in FLOATS:
        if any(piece in pieces and head in text for head, piece in heads):
            yield from (match.span() for match in shape.pattern.finditer(text))
    for head, piece, shape in ELSE:
        if piece in pieces:
            yield from _at(text, head, shape.pattern)
    yield from _dollars(text)
    for start in sorted(_runs(words)):
        if text[start - 1 : start] == "\\":
            start += 1  # noqa: PLW2901  the run opens in an escape, as in `\\nTOKEN` of JSON
        for head, shape in (*BY_START.get(text[start : start + LEAST], ()), *BY_START.get(text[start], ())):
            if text.startswith(head, start):
                found = shape.pattern.match(text, start)
                if found:
                    yield found.span()
    if any(map(PREFIXED_LOW.search, words.lengthy)):
        yield from _prefixed(text)
    yield from _unexplained(text)


def _runs(words: Vocabulary) -> set[int]:
    """Where a run of letters, digits, _ and - begins that may open with a head, perhaps behind an escape."""
    return set(words.places(set(filter(_OPENS.match, words.lengthy))))


def _dollars(text: str) -> Iterator[tuple[int, int]]:
    at = text.find("$")
    while at >= 0:
        if text.startswith(_DOLLARS, at):
            for head, shape in DOLLARS:
                if text.startswith(head, at) and (found := shape.pattern.match(text, at)):
                    yield found.span()
        at = text.find("$", at + 1)


def _prefixed(text: str) -> Iterator[tuple[int, int]]:
    for match in PREFIXED.finditer(text):
        prefix = PREFIX.search(text, max(0, match.start() - 48), match.start())
        if (
            prefix
            and _is_key(prefix[0], match[0])
            and not IDENTIFIER.search(text, max(0, prefix.start() - 60), prefix.start())
        ):
            yield prefix.start(), match.end()


def _unexplained(text: str) -> Iterator[tuple[int, int]]:
    """Values of the environment that are as long and mixed as nothing but a key is, whatever they are called."""
    for found in ASSIGNED.finditer(text):
        value, at = found["v"], found.start("v")
        name = VARIABLE.search(text, max(0, at - 80), at)
        if (
            name
            and len(DIGITS.findall(value)) >= 4
            and MIXED.match(value)
            and len(CHANGES.findall(value)) >= 6
            and not PUBLIC_NAME.search(name["name"])
            and not SSH.match(value)
        ):
            yield at, found.end() + len(PADDING.match(text, found.end())[0])  # type: ignore[index]


ASSIGNED = re.compile(r"=[\"']?(?P<v>[A-Za-z0-9_-]{32,})", re.ASCII)
DIGITS, PADDING = re.compile(r"[0-9]"), re.compile(r"[\w+/=-]{0,300}", re.ASCII)
SSH = re.compile(r"AAAA[BCEG]")
VARIABLE = re.compile(
    r"(?:^|[\s\"';])(?P<name>[A-Z][A-Z0-9]{0,30}(?:_[A-Z0-9]{1,30}){0,6})=[\"']?$", re.ASCII | re.MULTILINE
)
PUBLIC_NAME = re.compile(
    r"(?:^|_)(?:IDS?|HASH|DIGEST|SUM|CHECKSUM|INTEGRITY|PATH|UR[LI]|HOST|SRI|ETAG|VERSION|REF|REV|SHA\d*|MD5|COMMIT|CERT"
    r"|CERTIFICATE|CA|PUB|PUBLIC|PUBLISHABLE|FINGERPRINT|CURSOR|ADDRESS|ADDR|NAME|FILE|DIR|IMAGE|TAG|BUILD|COLORS?|OPTS"
    r"|OPTIONS|FLAGS|RELEASE|STATE|NEXT|SITE)(?:_|$)"
)


def _is_key(prefix: str, rest: str) -> bool:
    """Whether `rest`, `_` or `-` and what follows, is too long and too mixed for the name of an object."""
    mark, body = rest[0], rest[1:]
    changes = len(CHANGES.findall(body))
    if not MIXED.match(body):
        return mark == "_" and len(body) >= 40 and changes >= 10 and not HEXES.match(body)
    if mark == "-":
        return len(body) >= 36 and changes >= 6 and not SUM.match(prefix)
    return changes >= 5 and (len(body) >= 32 or not KEYWORDS.isdisjoint(re.split("[_-]", prefix)))


HEXES = re.compile(r"[0-9a-f]+\Z")
SUM = re.compile(r"sha\d|md\d|blake")
KEYWORDS = frozenset(
    "sk rk ak at rt pat tok token key keys apikey api secret live access auth oat pw priv private prod admin sa bearer "
    "refresh service pass cred".split()
)
IDENTIFIER = re.compile(
    r"(?:[_-]id|Id|ID|\bid|etag|digest|(?:^|[_-])ref|_hash|did:key|integrity|checksum|sha\d{1,3})[\"']?[ \t]{0,3}[:=][ \t]{0,3}[\"']?$",
    re.ASCII,
)  # the name of what tells one thing from another
PREFIXED_LOW = re.compile(rb"[a-z0-9][_-](?=[a-z]*[0-9])[a-z0-9]{22}")
CHANGES = re.compile(r"[0-9](?=[A-Za-z])|[A-Za-z](?=[0-9])", re.ASCII)
MIXED = re.compile(r"(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])", re.ASCII)
FLOATS = tuple((shape, [(head, look_for(head)) for head in shape.heads]) for shape in SHAPES if shape.floats)


def _at(text: str, head: str, pattern: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Literal search first: it is some fifty times as fast as the pattern alone."""
    start = text.find(head)
    while start >= 0:
        after = start + len(head)
        if not (start and head[0].isalnum() and EDGE.match(text, start - 1)):
            found = pattern.match(text, start)
            if found:
                yield found.span()
                after = max(after, found.end())
        start = text.find(head, after)
