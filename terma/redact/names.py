"""Which words may end the name of a secret: read once for each different word, before any line of the text is.

A word is what Vocabulary makes of a text: small letters, so that `apiKeyFile` is one run. What this says no to,
`family` says no to for every name that ends in it; most words with `key`, `pass` or `auth` in them are such."""

from __future__ import annotations

import functools
import re

from terma.redact.secret_names import COMPOUND, KEYS, NUMBERS, PAIRS, PASSWORDS, PERHAPS, SHORT, TRAILERS

NO, ALONE, YES = 0, 1, 2
_ENDS = {
    *PASSWORDS,
    *KEYS,
    *PERHAPS,
    *NUMBERS,
    *SHORT,
    *COMPOUND,
    *(last for _, last in PAIRS),
    "pass",
    "pw",
    "auth",
    "session",
    "oauth",
}
_ENDINGS = "|".join(sorted(_ENDS, key=len, reverse=True))
_TRAILING = "|".join(sorted(TRAILERS, key=len, reverse=True))
_NAME = re.compile(rf"(?:{_ENDINGS})s?(?:[_-]|\d|(?:{_TRAILING}))*$")
# Names of one word that say nothing, as `key` does, unless another stands before them: `api.key`.
_BARE = frozenset(PERHAPS - KEYS - {"session", "oauth"})
BEFORE = re.compile(r"\w\]?[.:/\[\"'-][\"']?$")


@functools.lru_cache(30_000)
def may_name(word: str) -> int:
    """YES, NO, or ALONE: only when it goes on before, see BEFORE."""
    if not _NAME.search(word):
        return NO
    return ALONE if word.strip("_-").rstrip("s") in _BARE or word.strip("_-") in _BARE else YES
