"""The types that a slot can have: how a value of each looks, and what it is called."""

from __future__ import annotations

from functools import lru_cache

from terma import regex as re

ARCHIVE = re.compile(r"\.(?:tar|tgz|tbz2?|txz|zip|7z|rar|gz|bz2|xz|zst|jar|cpio|deb|rpm|lzma|Z)\Z", re.I)
IMAGE = re.compile(r"\.(?:png|jpe?g|gif|bmp|svg|webp|tiff?|heic|ico|psd)\Z", re.I)
# Types that a file's name settles: `extract x.zip` and `extract x.tgz` are different programs' work.
BY_SUFFIX = {
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
FILE_TYPES = frozenset(("file", "archive", "image", *BY_SUFFIX))
SUFFIX = re.compile(r"[^/.]\.[A-Za-z0-9]{1,5}\Z")
HEX = re.compile(r"[0-9a-f]{6,40}\Z|HEAD[~^@{}\d]*\Z", re.I)
PROSE = re.compile(r"\d+\Z|.*[.!?]\s|(?:\S+\s+){4}")  # quoted, and yet the name of no file
# Names that the kernel gives to what lies in /dev; people leave the folder out.
IN_DEV = re.compile(
    r"(?:(?:sd[a-z]{1,2}|[vh]d[a-z]|xvd[a-z])\d{0,2}|nvme\d+n\d+(?:p\d+)?|mmcblk\d+(?:p\d+)?|md\d+|loop\d+|sr\d|"
    r"tty(?:USB|ACM|S)\d+)\Z"
)
DISK = re.compile(r"/dev/(?!null|zero|u?random|std|tty|fd|shm|tcp|udp)")
SHARES = frozenset(("percent", "value", "text", "string", "pattern", "any", "number"))
RELEASE = re.compile(r"v\d[\d.]*\Z")
OCTAL = re.compile(r"[0-7]{3,4}\Z")

# type -> kind -> how well it fits. Below 0.5 only with evidence beside it: a cue word, a name that exists.
NAME = {
    "ident": 0.7,
    "word": 0.3,
    "quoted": 0.8,
    "file": 0.4,
    "domain": 0.4,
    "number": 0.2,
    "env": 0.4,
    "path": 0.2,
}
WHERE = {"path": 1.0, "quoted": 0.75, "env": 0.8, "ident": 0.5, "word": 0.3, "file": 0.35, "domain": 0.3}
TEXT = {
    "quoted": 1.0, "ident": 0.6, "word": 0.3, "number": 0.45, "file": 0.4, "env": 0.4, "glob": 0.4, "domain": 0.5,
    "ip": 0.6, "path": 0.35, "ext": 0.1, "userhost": 0.5, "url": 0.5, "size": 0.3, "duration": 0.2, "date": 0.6,
    "time": 0.5, "flag": 0.4, "perm": 0.3,
}  # fmt: skip
AMOUNT = {"number": 1.0, "ordinal": 0.6}
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


@lru_cache(maxsize=512)
def base_type(name: str) -> str:
    """The type that a slot's name says: a trailing digit is the second of its kind."""
    bare = name.rstrip("0123456789")
    return ALIASES.get(bare, bare)
