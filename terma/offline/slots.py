"""What may fill a slot: which kinds of token fit which type, how well, and the value that results."""

from __future__ import annotations

from functools import lru_cache

from terma.offline.characters import CHARACTERS
from terma.offline.lexicon import EXTENSIONS, LANGUAGES
from terma.offline.shape import kind_of
from terma.offline.slot_types import (
    AMOUNT,
    ARCHIVE,
    BY_SUFFIX,
    DISK,
    FILE_TYPES,
    HEX,
    IMAGE,
    IN_DEV,
    NAME,
    OCTAL,
    PERMS,
    PROSE,
    RELEASE,
    SHARES,
    SUFFIX,
    TEXT,
    TEXTUAL,
    WHERE,
    base_type,
)
from terma.offline.tokens import Token

TYPES: dict[str, dict[str, float]] = {
    "file": {"file": 1.0, "path": 0.95, "quoted": 0.8, "glob": 0.45, "env": 0.6, "ident": 0.45, "word": 0.25,
    "domain": 0.6},
    "path": {"path": 1.0, "file": 0.95, "quoted": 0.8, "glob": 0.6, "env": 0.7, "ident": 0.5, "word": 0.28,
    "domain": 0.5},
    "dir": WHERE,
    "archive": {"file": 0.5, "path": 0.5, "quoted": 0.6, "ident": 0.3, "word": 0.2, "glob": 0.3},
    "image": {"file": 0.5, "path": 0.5, "quoted": 0.6, "ident": 0.3, "word": 0.15, "glob": 0.4},
    "glob": {"glob": 1.0, "ext": 1.0, "file": 0.3, "quoted": 0.4, "path": 0.2},
    "ext": {"ext": 1.0, "glob": 0.8, "word": 0.2},
    "size": {"size": 1.0, "number": 0.4},
    "bytes": {"size": 1.0, "number": 0.7},
    "duration": {"duration": 1.0, "number": 0.3},
    "seconds": {"duration": 1.0, "number": 0.5},
    "minutes": {"duration": 1.0, "number": 0.5},
    "hours": {"duration": 1.0, "number": 0.4},
    "days": {"duration": 1.0, "number": 0.5},
    "weeks": {"duration": 1.0, "number": 0.4},
    "months": {"duration": 1.0, "number": 0.4},
    "count": AMOUNT,
    "number": {"number": 1.0, "ordinal": 1.0, "size": 0.2},
    "column": {"number": 1.0, "ordinal": 1.0, "word": 0.2, "ident": 0.4, "quoted": 0.5},
    "field": {"number": 1.0, "ordinal": 1.0, "word": 0.2, "quoted": 0.5},
    "width": {"number": 1.0},
    "percent": {"number": 1.0},
    "name": {"ident": 0.75, "quoted": 0.8, "word": 0.3, "file": 0.85, "path": 0.6, "domain": 0.5,
    "number": 0.2, "glob": 0.2},
    "branch": {**NAME, "path": 0.7, "ident": 0.8},
    "remote": NAME,
    "commit": {**NAME, "ident": 0.5, "word": 0.2},
    "tag": {**NAME, "ident": 0.8, "number": 0.7},
    "host": {"domain": 1.0, "ip": 1.0, "ident": 0.65, "userhost": 0.9, "word": 0.3, "url": 0.4, "quoted": 0.5},
    "userhost": {"userhost": 1.0, "domain": 0.8, "ip": 0.8, "ident": 0.6, "word": 0.3, "quoted": 0.4},
    "user": NAME,
    "group": NAME,
    "port": {"port": 1.0, "number": 0.8},
    "pid": {"number": 0.9},
    "ip": {"ip": 1.0, "domain": 0.4, "ident": 0.2},
    "url": {"url": 1.0, "domain": 0.75, "quoted": 0.5, "ip": 0.3, "env": 0.3, "remotepath": 0.3},
    "domain": {"domain": 1.0, "ident": 0.4, "url": 0.4, "word": 0.25, "ip": 0.3, "quoted": 0.5},
    "pattern": TEXT,
    "text": TEXT,
    "string": TEXT,
    "words": {kind: fit for kind, fit in TEXT.items() if kind not in ("file", "glob", "path", "ext", "env", "flag")},
    "word": TEXT,
    "replacement": TEXT,
    "message": TEXT,
    "title": TEXT,
    "value": TEXT,
    "perm": {"perm": 1.0, "number": 0.2, "word": 0.1},
    "package": {**NAME, "domain": 0.4, "ident": 0.75},
    "service": {**NAME, "file": 0.6},
    "container": NAME,
    "imagename": {**NAME, "path": 0.8, "remotepath": 0.6},
    "image_name": {**NAME, "path": 0.8},
    "pod": NAME,
    "process": NAME,
    "program": {**NAME, "path": 0.5},
    "signal": {**NAME, "number": 0.4},
    "device": {**NAME, "path": 0.7, "ident": 0.5},
    "key": {**NAME, "file": 0.5},
    "command": {"quoted": 1.0, "word": 0.3, "ident": 0.5, "path": 0.4, "file": 0.1},
    "date": {"date": 1.0, "word": 0.1, "quoted": 0.6, "duration": 0.3},
    "time": {"time": 1.0, "date": 0.5, "quoted": 0.5},
    "separator": {"quoted": 1.0, "word": 0.1},
    "env": {"env": 1.0, "ident": 0.6, "word": 0.25, "quoted": 0.5},
    "var": {"env": 1.0, "ident": 0.6, "word": 0.25},
    "volume": NAME,
    "network": NAME,
    "namespace": NAME,
    "module": NAME,
    "function": NAME,
    "table": NAME,
    "database": NAME,
    "db": NAME,
    "version": {"ident": 0.8, "number": 0.9, "word": 0.1, "quoted": 0.5},
    "session": NAME,
    "deployment": NAME,
    "resource": NAME,
    "color": {"word": 0.3, "ident": 0.4, "quoted": 0.8},
    "regex": TEXT,
    "expr": {"quoted": 1.0, "ident": 0.4, "word": 0.2},
    "expression": {"quoted": 1.0, "ident": 0.4, "word": 0.2},
    "interface": NAME,
    "locale": NAME,
    "timezone": {**NAME, "path": 0.8},
    "format": {"word": 0.25, "ident": 0.5, "ext": 0.8, "quoted": 0.7},
    "any": {**TEXT, "word": 0.3},
    "char": {"quoted": 1.0, "word": 0.15, "ident": 0.2},
    **{kind: {"file": 0.5, "path": 0.5, "quoted": 0.6, "ident": 0.3, "word": 0.2, "env": 0.5} for kind in BY_SUFFIX},
    "remotespec": {"remotepath": 1.0},
    "remotepath": {"remotepath": 1.0, "path": 0.5, "userhost": 0.3},
}  # fmt: skip


def fit(kind: str, token: Token) -> float:
    """How well `token` fits a slot of type `kind`: 0 (not at all) to 1."""
    table = TYPES.get(base_type(kind))
    if table is None:
        table = NAME
    score = table.get(token.kind, 0.0)
    best = _refine(base_type(kind), token, score) if score else 0.0
    inner = inner_of(token)
    if inner is not None:
        as_inner = fit(kind, inner) * 0.99
        return as_inner if table is NAME and inner.kind in ("path", "glob", "url") else max(best, as_inner)
    if (
        token.kind == "quoted"
        and base_type(kind) in ("file", "path", "dir", "archive", "image")
        and PROSE.match(token.value)
    ):
        return 0.4
    return best


@lru_cache(maxsize=128)
def inner_of(token: Token) -> Token | None:
    """A quoted token as what its text looks like: "/srv" is a path, "*.log" a glob."""
    if token.kind != "quoted" or any(c.isspace() for c in token.value):
        return None
    kind, value = kind_of(token.value, token.value.lower())
    if kind not in (
        "path",
        "file",
        "glob",
        "ext",
        "url",
        "domain",
        "userhost",
        "remotepath",
        "ip",
        "env",
        "date",
    ):
        return None
    return Token(token.text, token.norm, kind, value, token.start, token.end)


def _refine(kind: str, token: Token, score: float) -> float:
    value = token.value
    if token.kind == "number" and token.text.endswith("%") and kind not in SHARES:
        return 0.0
    if value.startswith("/dev/") and kind != "device" and kind not in TEXTUAL and DISK.match(value):
        score *= 0.75  # a disk is no file
    if kind in BY_SUFFIX and token.kind in ("file", "path", "quoted"):
        if BY_SUFFIX[kind].search(value):
            return 1.0
        return _mismatch(kind) if SUFFIX.search(value) or token.kind == "path" else score
    if kind in FILE_TYPES and token.kind == "ident" and RELEASE.match(value):
        return 0.1
    if kind == "archive" and token.kind in ("file", "path", "quoted"):
        return 1.0 if ARCHIVE.search(value) else score
    if kind == "image" and token.kind in ("file", "path", "quoted"):
        return 1.0 if IMAGE.search(value) else (0.2 if SUFFIX.search(value) else score)
    if kind == "file" and token.kind == "path":
        return 0.3 if value.endswith("/") else (0.97 if SUFFIX.search(value) else 0.75)
    if kind == "dir":
        if token.kind == "file":
            return 0.7 if value.startswith(".") else 0.1
        if token.kind == "path" and SUFFIX.search(value):
            return 0.5
    if kind == "perm" and token.kind == "number":
        return 1.0 if OCTAL.match(value) else 0.0
    if kind == "perm" and token.kind == "word":
        return 0.9 if token.text.lower() in PERMS else 0.0
    if kind == "commit" and token.kind in ("ident", "word", "number"):
        return (
            0.95
            if HEX.match(value) and any(c.isdigit() for c in value + "0" * value.startswith("HEAD"))
            else score
        )
    if kind in ("branch", "imagename") and token.kind == "path" and value[0] in "/~.":
        return 0.0
    if token.kind == "ident" and IN_DEV.match(value):
        return 1.0 if kind == "device" else score * 0.75
    if kind == "device" and token.kind == "path":
        return 1.0 if value.startswith("/dev/") else 0.2
    if kind in ("column", "field") and token.kind == "word" and token.norm == "first":
        return 0.75
    if kind == "ext" and token.kind == "word":
        return 0.7 if value.lower() in EXTENSIONS or value.lower() in LANGUAGES else 0.0
    if kind == "separator" and token.kind == "word":
        return 0.8 if value.lower() in CHARACTERS else 0.0
    if kind == "date" and token.kind == "word":
        return 0.6 if value.lower() in ("today", "yesterday", "tomorrow") else 0.0
    if kind in ("number", "count", "pid", "port") and token.kind == "number" and "." in value:
        return 0.2
    return score


def _mismatch(kind: str) -> float:
    """An archive's suffix settles it; a document may be called anything."""
    return 0.1 if kind in ("json", "yaml", "xml", "csv", "sqlite") else 0.0
