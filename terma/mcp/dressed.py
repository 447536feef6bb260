"""A secret in other dress: how programs print one that they were given, when not as it is."""

from __future__ import annotations

import base64
import html
import json
import shlex
from functools import lru_cache
from urllib.parse import quote, quote_plus

_LEAST = 6  # characters of a secret; a shorter one looks like anything, dressed
_LEAST_DRESSED = 7


@lru_cache(maxsize=256)
def forms(secret: str) -> tuple[str, ...]:
    """What stands for `secret` in base64 (inside of more, too), hex, URLs, JSON, HTML, shell quotes and backwards, the
    longest first; not `secret` itself."""
    if len(secret) < _LEAST:
        return ()
    raw = secret.encode("utf-8", "surrogateescape")
    found = {raw.hex(), raw.hex().upper(), raw.hex(" "), secret[::-1], html.escape(secret)}
    found |= {quote(secret, safe="", errors="replace"), quote_plus(secret, errors="replace")}
    found |= {
        json.dumps(secret)[1:-1],
        json.dumps(secret, ensure_ascii=False)[1:-1],
        shlex.quote(secret)[1:-1],
    }
    for before in range(3):
        plain = _inside(raw, before)
        found |= {plain, plain.translate(_URL)}
    kept = {form for form in found if len(form) >= _LEAST_DRESSED and form != secret and form not in secret}
    return tuple(sorted(kept, key=len, reverse=True))


_URL = str.maketrans("+/", "-_")


def _inside(raw: bytes, before: int) -> str:
    """The characters of base64 that `raw` alone decides, with so many bytes before it."""
    first, bits = -(-before * 8 // 6), (before + len(raw)) * 8
    return base64.b64encode(bytes(before) + raw + bytes(3)).decode()[first : bits // 6]
