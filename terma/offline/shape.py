"""What a single written word looks like: a path, a glob, an address, a size, a name …"""

from __future__ import annotations

from collections.abc import Iterator

from terma import regex as re
from terma.offline.lexicon import (
    EXTENSIONS,
    FILE_NAMES,
    HYPHENATED,
    SIZE_UNITS,
    SLASH_WORDS,
    TIME_UNITS,
    TLDS,
)

_URL = re.compile(r"(?:[a-z][a-z0-9+.-]*://\S+|git@[\w.-]+:\S+|www\.\S+\.\S+)\Z", re.I)
_REMOTE = re.compile(r"(?:[\w.-]+@)?[\w.-]+:(?:/|~)\S*\Z")
_IP4 = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}(?:/\d{1,2})?\Z")
_IP6 = re.compile(r"(?=.*:.*:)[0-9a-f:]{3,}(?:%\w+)?\Z", re.I)
_USERHOST = re.compile(r"[\w.+-]+@[\w.-]+\Z")
_ENV = re.compile(r"\$(?:[A-Za-z_]\w*|\{[A-Za-z_]\w*\})\Z")
_NUMBER = re.compile(r"[+-]?\d+(?:,\d{3})*(?:\.\d+)?%?\Z")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)\Z")
_AMOUNT = re.compile(r"(\d+(?:\.\d+)?)([a-z]+)\Z")
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)?\Z|\d{1,2}/\d{1,2}/\d{4}\Z")
_TIME = re.compile(r"\d{1,2}:\d\d(?::\d\d)?(?:am|pm)?\Z|\d{1,2}(?:am|pm)\Z")
_PERM = re.compile(r"(?:[ugoa]*[+=-][rwxXst]+)(?:,[ugoa]*[+=-][rwxXst]+)*\Z|[-dl]?(?:[r-][w-][xsStT-]){3}\Z")
_VERSION = re.compile(r"v?\d+\.\d+(?:\.\d+)*(?:[-+.]\w+)*\Z")
_FILE = re.compile(r"[\w@%+,-][\w@%+=,.~-]*\.([A-Za-z0-9_~-]{1,12})\Z|\.[\w][\w.-]*\Z", re.A)
_IDENT = re.compile(r"(?=.*[\d_]|.*-|.*[a-z][A-Z]|.*:).*\Z|[A-Z0-9_]*_[A-Z0-9_]*\Z")
_APPENDED = re.compile(r"([\w.]+)(\([^()]*\)?[.,;:]?)\Z")  # 32KB(approx)


def split_alternatives(text: str) -> Iterator[tuple[str, int]]:
    """`files/directories` as two words with their offsets; any other text as it is."""
    if match := _APPENDED.match(text):
        yield match[1], 0
        yield match[2], match.start(2)
        return
    bare = text.strip(",.;:?!()").lower()
    parts = bare.split("/")
    if len(parts) == 2 and all(part in SLASH_WORDS for part in parts):
        cut = text.index("/")
        yield text[:cut], 0
        yield text[cut + 1 :], cut + 1
        return
    yield text, 0


def kind_of(text: str, low: str) -> tuple[str, str]:
    """The kind (see Token) and the usable value of one word."""
    if low.isalpha() and low not in FILE_NAMES:
        camel = (
            not low[1:].isupper()
            and text[1:] != low[1:]
            and not text.removesuffix("s").isupper()
            and text.isascii()
        )
        return ("ident" if camel else "word"), text
    if text[0] == "\ue000":
        return "slot", text[1:]
    return _numeric(text, low) or _address(text, low) or _named(text, low)


def _numeric(text: str, low: str) -> tuple[str, str] | None:
    if not any(c.isdigit() for c in text):
        return ("perm", text) if _PERM.match(text) and not text.startswith("-") else None
    if _NUMBER.match(text):
        return "number", text.replace(",", "").rstrip("%").lstrip("+")
    if match := _ORDINAL.match(low):
        return "ordinal", match[1]
    if _DATE.match(text):
        return "date", text
    if _TIME.match(low):
        return "time", text
    if _IP4.match(text) or _IP6.match(text):
        return "ip", text
    if text[0] == ":" and text[1:].isdigit():
        return "port", text[1:]
    if match := _AMOUNT.match(low):
        digits, unit = match.groups()
        if unit == "m" and text[-1] == "m":
            return "duration", f"{digits} minutes"
        if unit in SIZE_UNITS:
            return "size", digits + SIZE_UNITS[unit][0]
        if unit in TIME_UNITS:
            name = TIME_UNITS[unit]
            return "duration", f"{digits} {name}" + ("" if digits == "1" else "s")
    return None


def _address(text: str, low: str) -> tuple[str, str] | None:
    if _URL.match(text):
        return "url", text
    if _ENV.match(text):
        return "env", text
    if text.startswith(("/", "~", "./", "../")) or text in (".", ".."):
        return ("glob" if _is_glob(text) else "path"), text
    if _USERHOST.match(text):
        return "userhost", text
    if _REMOTE.match(text):
        return "remotepath", text
    if text.startswith("-") and len(text) > 1 and (text[1].isalpha() or text.startswith("--")):
        return "flag", text
    if text.startswith("$") or text.startswith("%"):
        return "ident", text
    return None


def _is_glob(text: str) -> bool:
    return "*" in text or ("?" in text and len(text) > 1) or bool(re.search(r"\[[^\]]+\]", text))


def _named(text: str, low: str) -> tuple[str, str]:
    if _is_glob(text):
        return "glob", text
    if "/" in text:
        return "path", text
    if low in HYPHENATED or low in FILE_NAMES:
        return ("file" if low in FILE_NAMES else "word"), text
    if text[0] == "." and low[1:] in EXTENSIONS and len(text) < 7:
        return "ext", low[1:]
    if _VERSION.match(low) and low.rpartition(".")[2] not in EXTENSIONS:
        return "ident", text
    if match := _FILE.match(text):
        suffix = (match[1] or "").lower()
        if suffix in TLDS and suffix not in EXTENSIONS and "_" not in text:
            return "domain", text
        return "file", text
    if "-" in text and all(part.isalpha() for part in text.split("-")) and _hyphen_word(low):
        return "word", text
    return ("ident" if _IDENT.match(text) else "word"), text


def _hyphen_word(low: str) -> bool:
    """`non-x`, `x-only`: hyphenated words of the language, not names."""
    first, _, rest = low.partition("-")
    return first in ("non", "re", "self", "un", "multi", "auto") or rest in (
        "only",
        "based",
        "like",
        "sized",
        "style",
    )
