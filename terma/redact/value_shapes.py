"""What a value looks like: random, a path, a version, a piece of code, an algorithm."""

from __future__ import annotations

import re
from itertools import pairwise

SSH_PUBLIC = re.compile(r"AAAA(?:[BC][0-9]NzaC1|E2VjZHNh|G[A-Za-z0-9]{2}zay1)")
UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$")
HEX = re.compile(r"(?:0x)?(?:[0-9a-f]+|[0-9A-F]+)$")
CODE = re.compile(
    r"[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)*[(\[{]|[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)+;?$"
)
# Two words and a number, as no attribute is called: it has a capital, or two digits behind no algorithm's name.
DOTTED = re.compile(
    r"(?=[^A-Z]*[A-Z])[A-Za-z]{2,20}\.[A-Za-z]+\d+[A-Za-z]{0,2}$"
    r"|[a-z]{3,20}\.(?!(?:sha|md|aes|rsa|ed|utf|int|float|uint|base|crc|blake|latin|python|ipv|sse|avx)\d)[a-z]{4,20}\d{2}$"
)
# The same where no program is read: an attribute of so long a name seldom ends in a number.
TWO_WORDS = re.compile(
    r"[a-z]{4,20}\.(?!(?:sha|blake|utf|int|float|uint|base|latin|python)\d)[a-z]{4,20}\d{1,4}[!?]?$"
)
# Two words that a mark joins and a number behind: a password where nothing else can stand, a name elsewhere.
NUMBERED_PAIR = re.compile(r"[a-z]{3,20}[._-][a-z]{3,20}\d{1,4}[!?]?$")
# Two words as people join them; no name of a file, and no message of a form by its name.
DOTTED_WORDS = re.compile(
    r"(?i:[a-z][a-z]{3,19})\.(?!(?:json|toml|yaml|conf|html|java|xlsx?|docx?|kdbx|properties|local|internal|example|test)$)"
    r"(?i:[a-z]{4,20})[!?]?$"
)
# The same with a digit in the place of a letter.
LEET_DOTTED = re.compile(r"(?=[^.]*[a-z]\d)[A-Z][A-Za-z0-9]{3,20}\.[A-Z][a-z]{3,20}[!?]?$")
# Two words with a slash between, in one of which a digit stands for a letter: no directory is called so.
LEET_PAIR = re.compile(r"(?=.*[A-Za-z]\d[a-z]{2})[A-Za-z0-9]{4,20}/[A-Za-z0-9]{3,20}[!?]?$")
VERSION = re.compile(
    r"(?:\d{1,2}:)?[\^~<>=v ]*\d+(?:\.(?:\d+|x|\*)){1,3}(?:[-+.]?[a-z]+[.\d]*)?(?:[-+~]\d+[a-z]*[.\d]*)?$",
    re.I,
)
DATE = re.compile(r"(?<!\d)(?:19|20)\d\d-[01]\d-[0-3]\d(?!\d)")
# Words, numbers and sums in a row, as caches, pods and branches are called.
SLUG = re.compile(
    r"(?=.{0,60}?[a-z]{3})(?:[a-z]+\d{0,3}|v?\d{1,14}|[0-9a-f]{5,64})(?:[-_./:](?:[a-z]+\d{0,3}|v?\d{1,14}|[0-9a-f]{5,64}))+$"
)
PATH = re.compile(r"(?:~|\.{1,2})?/?(?:[\w.@-]+/)+[\w.@-]*$|/[\w.-]+$")
WORD = re.compile(r"[A-Za-z]+$")
WORDS = re.compile(r"[A-Za-z]{2,}(?:[-_ ][A-Za-z]{2,})*$")


def is_code(value: str) -> bool:
    """A call, an index, or dotted names as of a program, unless digits or capitals are strewn all over it."""
    if not (CODE.match(value.rstrip(",;)")) or CODE.match(value)) or len(CHURN.findall(value)) >= 0.4 * len(
        value
    ):
        return False
    if any(map(scattered, _JOINTS.split(value))):
        return False
    if DOTTED.match(value) and not ABOUT.search(value):
        return False
    return value.find("(") > 4 or len(CHANGES.findall(value)) < 3


def looks_random(value: str) -> bool:
    """Mixed enough that it is neither a word, a path, a version, nor a piece of code."""
    if len(value) < 5 or VERSION.match(value) or is_code(value) or DATE.search(value):
        return False
    kinds, symbols = _kinds(value)
    if kinds == 2 and not symbols and scattered(value):
        return True
    if kinds == 2 and value.isalpha() and len(value) >= 16:
        return len(CHURN.findall(value)) >= 0.4 * len(value)
    if PATH.match(value):  # base64 with a slash or more looks like one, but for how often its letters change
        return (
            kinds == 3
            and len(value) >= 20
            and (
                len(CHURN.findall(value)) >= 0.4 * len(value)
                or (
                    value.count("/") < 4
                    and (len(value.rsplit("/", maxsplit=1)[-1]) > 8 or len(CHANGES.findall(value)) >= 5)
                )
            )
        )
    return kinds + symbols >= 3 or (any(c.isdigit() for c in value) and kinds + symbols >= 2)


def scattered(value: str) -> bool:
    """Capitals and small letters that make no words: fewer than 60 of 100 pairs of neighbours are usual in names and
    prose. `XMLHttpRequest` has 69, `aoBrwKfKVReJ` 45; of random letters 93 in 100 are such, of names in programs 1."""
    if len(value) < 9 or value == value.lower() or value == value.upper():
        return False
    pairs = [pair for run in _LETTERS.findall(value.lower()) for pair in map("".join, pairwise(run))]
    return len(pairs) >= 7 and sum(pair in _USUAL for pair in pairs) < 0.6 * len(pairs)


_LETTERS, _JOINTS = re.compile(r"[a-z]+"), re.compile(r"\.|::|->|[(\[{]")
# Each letter with those that often follow it: 92 of 100 pairs in 37,000 different words and names of programs.
_USUAL = frozenset(
    row[0] + after
    for row in (
        "abcdfgiklmnprstuvy baeilorsu cacehiklortu dadeilorsu eabcdefgilmnpqrstvwxy faefilortu gaehilnorsu "
        "haeiort iabcdefglmnoprstvxz keis ladeilostuy mabeimopsu nacdefgiknostuv oabcdfgklmnoprstuvw "
        "paeiloprstuy qu racdegiklmnorstuvy sacehiklopstuy tacehiloprstuy uabcefilmnprst vaei waeinors xpt "
        "ynps ze"
    ).split()
    for after in row[1:]
)


def _kinds(value: str) -> tuple[int, bool]:
    """How many of small letters, capitals and digits stand in `value`, and whether a mark that no name has."""
    if value.isascii():
        kinds = (value != value.upper()) + (value != value.lower()) + (_DIGIT.search(value) is not None)
        return kinds, _SYMBOL.search(value) is not None
    kinds = (
        any(c.islower() for c in value) + any(c.isupper() for c in value) + any(c.isdigit() for c in value)
    )
    return kinds, any(not c.isalnum() and c not in "-_ ." for c in value)


_DIGIT, _SYMBOL = re.compile(r"[0-9]"), re.compile(r"[^A-Za-z0-9_ .-]")

MIXED = re.compile(r"(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])(?=[^0-9]*[0-9])")
DIGEST = re.compile(r"(?:hmac[-_])?(?:sha|md|blake)\d{1,3}[:$=-][0-9a-f]{16,}$", re.I)
JOINED = re.compile(r"^[A-Za-z][a-z]+-[A-Z][a-z]+[!?]?$")  # two words as people join them for a password
ALGORITHM = re.compile(
    r"(?:sha|md|aes|des|rsa|utf|base|pbkdf|argon|hs|rs|es|ed|blake|chacha|crc|iso|p|x|tls|ssl|oauth|http)[-_]?"
    r"\d{1,4}(?:[-_]?(?-i:[a-z]{1,14}|[A-Z]{1,8}|\d{1,5})){0,4}$",
    re.I,
)
CHURN = re.compile(r"(?=[a-z][A-Z0-9]|[A-Z][a-z0-9]|[0-9][A-Za-z])", re.ASCII)
CHANGES = re.compile(r"\d(?=[A-Za-z])|[A-Za-z](?=\d)", re.ASCII)


def very_random(value: str) -> bool:
    """So mixed that no sentence holds it by chance."""
    return (
        len(value) >= 8
        and looks_random(value)
        and not ALGORITHM.match(value)
        and (len(CHANGES.findall(value)) >= 2 or (len(value) >= 10 and any(c in "!@#$%^&*+~" for c in value)))
        and any(c.isalpha() for c in value)
    )


ABOUT = re.compile(
    r"(?<!com)(?<!tres)pass(?!ion|enger|age|port)|pw|secret|token|(?<!mon)(?<!don)(?<!tur)(?<!hoc)(?<!joc)(?<!whis)key(?!stone)|user|field|value|param|string|input|prompt|requi|option|crypt|login|auth|name|self",
    re.I,
)
