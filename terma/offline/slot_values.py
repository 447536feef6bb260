"""What a token that fills a slot becomes in the command: sizes, spans and modes in the words of programs."""

from __future__ import annotations

import re

from terma.offline.characters import CHARACTERS
from terma.offline.lexicon import LANGUAGES, UNIT_SECONDS
from terma.offline.slot_types import (
    IN_DEV,
    NAME,
    PERMS,
    base_type,
)
from terma.offline.slots import TYPES, inner_of
from terma.offline.tokens import Token

_SPANS = {"seconds": 1, "minutes": 60, "hours": 3600, "days": 86400, "weeks": 604800, "months": 2592000}


def value_for(kind: str, token: Token) -> str:
    """What `token` says, in the form that a slot of type `kind` wants."""
    inner = inner_of(token)
    if inner is not None and TYPES.get(base_type(kind), NAME).get("quoted", 0.0) < 1.0:
        token = inner
    kind, value = base_type(kind), token.value
    if kind == "glob":
        return f"*.{value}" if token.kind == "ext" else value
    if kind in ("ext", "format"):
        value = value.removeprefix("*.").lower() if token.kind in ("glob", "word") else value
        return LANGUAGES.get(value, value) if kind == "ext" else value
    if kind in _SPANS and token.kind == "duration":
        return _span(kind, value)
    if kind == "device" and IN_DEV.match(value):
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
