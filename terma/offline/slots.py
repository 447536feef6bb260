"""What may fill a slot: which kinds of token fit which type, how well, and the value that results."""

from __future__ import annotations

import re
from functools import lru_cache

from terma.offline.characters import CHARACTERS
from terma.offline.lexicon import EXTENSIONS, LANGUAGES, UNIT_SECONDS
from terma.offline.sentence import Token
from terma.offline.shape import kind_of

_ARCHIVE = re.compile(r"\.(?:tar|tgz|tbz2?|txz|zip|7z|rar|gz|bz2|xz|zst|jar|cpio|deb|rpm|lzma|Z)\Z", re.I)
_IMAGE = re.compile(r"\.(?:png|jpe?g|gif|bmp|svg|webp|tiff?|heic|ico|psd)\Z", re.I)
# Types that a file's name settles: `extract x.zip` and `extract x.tgz` are different programs' work.
_BY_SUFFIX = {
    kind: re.compile(rf"\.(?:{pattern})\Z", re.I)
    for kind, pattern in {
        "tarball": r"tar(?:\.\w+)?|tgz|tbz2?|txz|tzst", "zipfile": "zip|jar|war|epub|whl|apk",
        "gzfile": r"(?<!\.tar\.)gz",
        "bz2file": r"(?<!\.tar\.)bz2", "xzfile": r"(?<!\.tar\.)(?:xz|lzma)", "zstfile": r"(?<!\.tar\.)zst",
        "sevenzip": "7z",
        "rarfile": "rar", "pdf": "pdf", "json": "json|jsonl|ndjson|geojson|ipynb", "yaml": "ya?ml",
        "xml": "xml|svg|xsd|plist|rss",
        "csv": "csv", "sqlite": "db|sqlite3?|db3", "markup": "md|markdown|rst|html?|tex|docx|odt|epub|org|adoc|txt",
        "media": "mp[34]|m4[av]|mkv|avi|mov|webm|wav|flac|ogg|opus|aac|wmv|flv|mpe?g|gif|ts|wma|3gp",
    }.items()
}  # fmt: skip
FILE_TYPES = frozenset(("file", "archive", "image", *_BY_SUFFIX))
_SUFFIX = re.compile(r"[^/.]\.[A-Za-z0-9]{1,5}\Z")
_HEX = re.compile(r"[0-9a-f]{6,40}\Z|HEAD[~^@{}\d]*\Z", re.I)
_PROSE = re.compile(r"\d+\Z|.*[.!?]\s|(?:\S+\s+){4}")  # quoted, and yet the name of no file
# Names that the kernel gives to what lies in /dev; people leave the folder out.
_IN_DEV = re.compile(
    r"(?:(?:sd[a-z]{1,2}|[vh]d[a-z]|xvd[a-z])\d{0,2}|nvme\d+n\d+(?:p\d+)?|mmcblk\d+(?:p\d+)?|md\d+|loop\d+|sr\d|"
    r"tty(?:USB|ACM|S)\d+)\Z"
)
_DISK = re.compile(r"/dev/(?!null|zero|u?random|std|tty|fd|shm|tcp|udp)")
_SHARES = frozenset(("percent", "value", "text", "string", "pattern", "any", "number"))
_RELEASE = re.compile(r"v\d[\d.]*\Z")
_OCTAL = re.compile(r"[0-7]{3,4}\Z")

# type -> kind -> how well it fits. Below 0.5 only with evidence beside it: a cue word, a name that exists.
_NAME = {
    "ident": 0.7,
    "word": 0.3,
    "quoted": 0.8,
    "file": 0.4,
    "domain": 0.4,
    "number": 0.2,
    "env": 0.4,
    "path": 0.2,
}
_WHERE = {"path": 1.0, "quoted": 0.75, "env": 0.8, "ident": 0.5, "word": 0.3, "file": 0.35, "domain": 0.3}
_TEXT = {
    "quoted": 1.0, "ident": 0.6, "word": 0.3, "number": 0.45, "file": 0.4, "env": 0.4, "glob": 0.4, "domain": 0.5,
    "ip": 0.6, "path": 0.35, "ext": 0.1, "userhost": 0.5, "url": 0.5, "size": 0.3, "duration": 0.2, "date": 0.6,
    "time": 0.5, "flag": 0.4, "perm": 0.3,
}  # fmt: skip
_AMOUNT = {"number": 1.0, "ordinal": 0.6}
TYPES: dict[str, dict[str, float]] = {
    "file": {"file": 1.0, "path": 0.95, "quoted": 0.8, "glob": 0.45, "env": 0.6, "ident": 0.45, "word": 0.25,
    "domain": 0.6},
    "path": {"path": 1.0, "file": 0.95, "quoted": 0.8, "glob": 0.6, "env": 0.7, "ident": 0.5, "word": 0.28,
    "domain": 0.5},
    "dir": _WHERE,
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
    "count": _AMOUNT,
    "number": {"number": 1.0, "ordinal": 1.0, "size": 0.2},
    "column": {"number": 1.0, "ordinal": 1.0, "word": 0.2, "ident": 0.4, "quoted": 0.5},
    "field": {"number": 1.0, "ordinal": 1.0, "word": 0.2, "quoted": 0.5},
    "width": {"number": 1.0},
    "percent": {"number": 1.0},
    "name": {"ident": 0.75, "quoted": 0.8, "word": 0.3, "file": 0.85, "path": 0.6, "domain": 0.5,
    "number": 0.2, "glob": 0.2},
    "branch": {**_NAME, "path": 0.7, "ident": 0.8},
    "remote": _NAME,
    "commit": {**_NAME, "ident": 0.5, "word": 0.2},
    "tag": {**_NAME, "ident": 0.8, "number": 0.7},
    "host": {"domain": 1.0, "ip": 1.0, "ident": 0.65, "userhost": 0.9, "word": 0.3, "url": 0.4, "quoted": 0.5},
    "userhost": {"userhost": 1.0, "domain": 0.8, "ip": 0.8, "ident": 0.6, "word": 0.3, "quoted": 0.4},
    "user": _NAME,
    "group": _NAME,
    "port": {"port": 1.0, "number": 0.8},
    "pid": {"number": 0.9},
    "ip": {"ip": 1.0, "domain": 0.4, "ident": 0.2},
    "url": {"url": 1.0, "domain": 0.75, "quoted": 0.5, "ip": 0.3, "env": 0.3, "remotepath": 0.3},
    "domain": {"domain": 1.0, "ident": 0.4, "url": 0.4, "word": 0.25, "ip": 0.3, "quoted": 0.5},
    "pattern": _TEXT,
    "text": _TEXT,
    "string": _TEXT,
    "words": {kind: fit for kind, fit in _TEXT.items() if kind not in ("file", "glob", "path", "ext", "env", "flag")},
    "word": _TEXT,
    "replacement": _TEXT,
    "message": _TEXT,
    "title": _TEXT,
    "value": _TEXT,
    "perm": {"perm": 1.0, "number": 0.2, "word": 0.1},
    "package": {**_NAME, "domain": 0.4, "ident": 0.75},
    "service": {**_NAME, "file": 0.6},
    "container": _NAME,
    "imagename": {**_NAME, "path": 0.8, "remotepath": 0.6},
    "image_name": {**_NAME, "path": 0.8},
    "pod": _NAME,
    "process": _NAME,
    "program": {**_NAME, "path": 0.5},
    "signal": {**_NAME, "number": 0.4},
    "device": {**_NAME, "path": 0.7, "ident": 0.5},
    "key": {**_NAME, "file": 0.5},
    "command": {"quoted": 1.0, "word": 0.3, "ident": 0.5, "path": 0.4, "file": 0.1},
    "date": {"date": 1.0, "word": 0.1, "quoted": 0.6, "duration": 0.3},
    "time": {"time": 1.0, "date": 0.5, "quoted": 0.5},
    "separator": {"quoted": 1.0, "word": 0.1},
    "env": {"env": 1.0, "ident": 0.6, "word": 0.25, "quoted": 0.5},
    "var": {"env": 1.0, "ident": 0.6, "word": 0.25},
    "volume": _NAME,
    "network": _NAME,
    "namespace": _NAME,
    "module": _NAME,
    "function": _NAME,
    "table": _NAME,
    "database": _NAME,
    "db": _NAME,
    "version": {"ident": 0.8, "number": 0.9, "word": 0.1, "quoted": 0.5},
    "session": _NAME,
    "deployment": _NAME,
    "resource": _NAME,
    "color": {"word": 0.3, "ident": 0.4, "quoted": 0.8},
    "regex": _TEXT,
    "expr": {"quoted": 1.0, "ident": 0.4, "word": 0.2},
    "expression": {"quoted": 1.0, "ident": 0.4, "word": 0.2},
    "interface": _NAME,
    "locale": _NAME,
    "timezone": {**_NAME, "path": 0.8},
    "format": {"word": 0.25, "ident": 0.5, "ext": 0.8, "quoted": 0.7},
    "any": {**_TEXT, "word": 0.3},
    "char": {"quoted": 1.0, "word": 0.15, "ident": 0.2},
    **{kind: {"file": 0.5, "path": 0.5, "quoted": 0.6, "ident": 0.3, "word": 0.2, "env": 0.5} for kind in _BY_SUFFIX},
    "remotespec": {"remotepath": 1.0},
    "remotepath": {"remotepath": 1.0, "path": 0.5, "userhost": 0.3},
}  # fmt: skip
ALIASES = {
    "src": "path",
    "dst": "path",
    "folder": "dir",
    "directory": "dir",
    "filename": "file",
    "n": "number",
    "lines": "count",
}

PERMS = {"read-only": "a=r", "readonly": "a=r", "executable": "+x", "writable": "+w", "readable": "+r"}
TEXTUAL = frozenset(
    (
        "pattern",
        "text",
        "words",
        "string",
        "replacement",
        "message",
        "title",
        "value",
        "command",
        "any",
        "word",
    )
)
_SPANS = {"seconds": 1, "minutes": 60, "hours": 3600, "days": 86400, "weeks": 604800, "months": 2592000}


@lru_cache(maxsize=512)
def base_type(name: str) -> str:
    """The type that a slot's name says: a trailing digit is the second of its kind."""
    bare = name.rstrip("0123456789")
    return ALIASES.get(bare, bare)


def fit(kind: str, token: Token) -> float:
    """How well `token` fits a slot of type `kind`: 0 (not at all) to 1."""
    table = TYPES.get(base_type(kind))
    if table is None:
        table = _NAME
    score = table.get(token.kind, 0.0)
    best = _refine(base_type(kind), token, score) if score else 0.0
    inner = _inner(token)
    if inner is not None:
        as_inner = fit(kind, inner) * 0.99
        return as_inner if table is _NAME and inner.kind in ("path", "glob", "url") else max(best, as_inner)
    if (
        token.kind == "quoted"
        and base_type(kind) in ("file", "path", "dir", "archive", "image")
        and _PROSE.match(token.value)
    ):
        return 0.4
    return best


@lru_cache(maxsize=128)
def _inner(token: Token) -> Token | None:
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
    if token.kind == "number" and token.text.endswith("%") and kind not in _SHARES:
        return 0.0
    if value.startswith("/dev/") and kind != "device" and kind not in TEXTUAL and _DISK.match(value):
        score *= 0.75  # a disk is no file
    if kind in _BY_SUFFIX and token.kind in ("file", "path", "quoted"):
        if _BY_SUFFIX[kind].search(value):
            return 1.0
        return _mismatch(kind) if _SUFFIX.search(value) or token.kind == "path" else score
    if kind in FILE_TYPES and token.kind == "ident" and _RELEASE.match(value):
        return 0.1
    if kind == "archive" and token.kind in ("file", "path", "quoted"):
        return 1.0 if _ARCHIVE.search(value) else score
    if kind == "image" and token.kind in ("file", "path", "quoted"):
        return 1.0 if _IMAGE.search(value) else (0.2 if _SUFFIX.search(value) else score)
    if kind == "file" and token.kind == "path":
        return 0.3 if value.endswith("/") else (0.97 if _SUFFIX.search(value) else 0.75)
    if kind == "dir":
        if token.kind == "file":
            return 0.7 if value.startswith(".") else 0.1
        if token.kind == "path" and _SUFFIX.search(value):
            return 0.5
    if kind == "perm" and token.kind == "number":
        return 1.0 if _OCTAL.match(value) else 0.0
    if kind == "perm" and token.kind == "word":
        return 0.9 if token.text.lower() in PERMS else 0.0
    if kind == "commit" and token.kind in ("ident", "word", "number"):
        return (
            0.95
            if _HEX.match(value) and any(c.isdigit() for c in value + "0" * value.startswith("HEAD"))
            else score
        )
    if kind in ("branch", "imagename") and token.kind == "path" and value[0] in "/~.":
        return 0.0
    if token.kind == "ident" and _IN_DEV.match(value):
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


def value_for(kind: str, token: Token) -> str:
    """What `token` says, in the form that a slot of type `kind` wants."""
    inner = _inner(token)
    if inner is not None and TYPES.get(base_type(kind), _NAME).get("quoted", 0.0) < 1.0:
        token = inner
    kind, value = base_type(kind), token.value
    if kind == "glob":
        return f"*.{value}" if token.kind == "ext" else value
    if kind in ("ext", "format"):
        value = value.removeprefix("*.").lower() if token.kind in ("glob", "word") else value
        return LANGUAGES.get(value, value) if kind == "ext" else value
    if kind in _SPANS and token.kind == "duration":
        return _span(kind, value)
    if kind == "device" and _IN_DEV.match(value):
        return f"/dev/{value}"
    if kind == "bytes" and token.kind == "size":
        return str(size_bytes(value))
    if kind == "separator" and token.kind == "word":
        return CHARACTERS.get(value.lower(), value)
    if kind == "perm" and token.kind == "word":
        return PERMS.get(value.lower(), value)
    if kind in ("column", "field") and token.kind == "word" and token.norm == "first":
        return "1"
    if kind in ("env", "var"):
        return value.strip("${}")
    if kind == "url" and token.kind == "domain":
        return f"https://{value}"
    if kind in ("host", "domain") and token.kind == "url":
        return re.sub(r"\A[a-z]+://|[/:?#].*\Z", "", value)
    if kind in ("package", "service", "process", "container", "branch", "pod"):
        return value if token.kind != "word" or not value.istitle() else value.lower()
    return value


def _span(kind: str, value: str) -> str:
    count, unit = value.split()
    seconds = float(count) * UNIT_SECONDS.get(unit.removesuffix("s"), 1)
    amount = seconds / _SPANS[kind]
    return str(int(amount)) if amount == int(amount) or amount > 10 else f"{amount:.2f}".rstrip("0")


def size_bytes(value: str) -> int:
    """Bytes of `100M`, `10c`, `1.5G` (1024-based)."""
    power = "ckMGT".find(value[-1])
    return int(float(value[:-1]) * 1024 ** max(0, power)) if power >= 0 else int(float(value))
