"""How a value of a sentence stands in a command: as it is, as a number in another unit, one more, without its suffix.
Induction asks which forms explain a command; writing asks for the same form of another value."""

from __future__ import annotations

from functools import cache

from terma.offline.lexicon import UNIT_SECONDS
from terma.offline.tokens import Token

_LETTERS = {"second": "s", "minute": "m", "hour": "h", "day": "d", "week": "w", "month": "M", "year": "y"}
_SIZES = {"c": 1, "k": 1024, "M": 1024**2, "G": 1024**3, "T": 1024**4}


def forms(token: Token) -> dict[str, str]:
    """Name of the form -> text, the most telling first. {} for a token that is no value."""
    if token.kind == "duration":
        return _durations(token)
    if token.kind == "size":
        return _sizes(token)
    if token.kind in ("number", "ordinal", "port"):
        return _numbers(token)
    found = {"t": token.text}
    if token.value != token.text:
        found["v"] = token.value
    if token.kind in ("path", "file", "glob") and token.text.rstrip("/") and token.text.endswith("/"):
        found["p"] = token.text.rstrip("/")
    if token.kind in ("file", "path") and "." in token.text.rpartition("/")[2].lstrip("."):
        found["b"] = token.text.rpartition(".")[0]
        found["n"] = token.text.rpartition("/")[2].rpartition(".")[0]
    if token.kind == "ext":
        found = {"e": token.value}
    return found


def _numbers(token: Token) -> dict[str, str]:
    found = {"v": token.value}
    if token.value.isdigit() and int(token.value) > 2:
        found["+"] = str(int(token.value) + 1)
        if int(token.value) > 9:
            found["-"] = str(int(token.value) - 1)
            found["*1000"] = str(int(token.value) * 1000)
    return found


def _durations(token: Token) -> dict[str, str]:
    digits, _, unit = token.value.partition(" ")
    name = unit.rstrip("s")
    if name not in UNIT_SECONDS:
        return {"v": token.value}
    found = {"v": token.value, "c": f"{digits}{_LETTERS[name]}"}
    try:
        seconds = float(digits) * UNIT_SECONDS[name]
    except ValueError:
        return found
    for other, size in UNIT_SECONDS.items():
        amount = seconds / size
        if (
            amount >= 1 and amount == int(amount) and other not in ("month", "year", "week")
        ) or other == name:
            found[f"/{other}"] = f"{amount:g}"
    return found


def _sizes(token: Token) -> dict[str, str]:
    found = {"v": token.value, "t": token.text.replace(" ", "")}
    amount, unit = token.value[:-1], token.value[-1]
    try:
        size = float(amount) * _SIZES[unit]
    except (ValueError, KeyError):
        return found
    found["l"] = f"{amount}{unit.lower()}"
    found["B"] = f"{amount}{unit.upper()}B"
    for letter, factor in _SIZES.items():
        if size / factor >= 1 and size / factor == int(size / factor) and letter != "T":
            found[f"/{letter}"] = f"{size / factor:g}"
    return found


_GROUPS = (
    frozenset(("word", "ident", "quoted", "domain", "file", "path", "env")),
    frozenset(("path", "file", "glob", "remotepath", "quoted")),
    frozenset(("number", "ordinal", "port")),
    frozenset(("url", "domain", "ip", "userhost", "word", "ident", "remotepath")),
    frozenset(("date", "time", "quoted")),
    frozenset(("perm", "number")),
    frozenset(("quoted", "word", "ident", "number", "ip", "url", "path", "glob", "file")),
)
_CLOSE = {
    frozenset(("word", "ident")): 0.95, frozenset(("file", "path")): 0.9, frozenset(("number", "port")): 0.9,
    frozenset(("number", "ordinal")): 0.85, frozenset(("word", "quoted")): 0.8, frozenset(("ident", "quoted")): 0.85,
    frozenset(("domain", "ip")): 0.9, frozenset(("userhost", "domain")): 0.75, frozenset(("userhost", "ident")): 0.75,
    frozenset(("userhost", "word")): 0.7, frozenset(("url", "domain")): 0.7, frozenset(("ident", "file")): 0.6,
    frozenset(("ident", "path")): 0.6, frozenset(("word", "path")): 0.5, frozenset(("word", "file")): 0.45,
    frozenset(("number", "quoted")): 0.4, frozenset(("glob", "file")): 0.6, frozenset(("glob", "path")): 0.6,
    frozenset(("domain", "file")): 0.7, frozenset(("word", "domain")): 0.6, frozenset(("ident", "domain")): 0.7,
}  # fmt: skip


@cache
def kin(one: str, other: str) -> float:
    """How well a value of kind `other` stands where one of kind `one` stood: 1 the same, 0 never."""
    if one == other:
        return 1.0
    close = _CLOSE.get(frozenset((one, other)))
    if close is not None:
        return close
    return 0.35 if any(one in group and other in group for group in _GROUPS) else 0.0
