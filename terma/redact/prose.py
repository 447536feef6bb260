"""Secrets that people tell each other: a noun for one, in the languages that people write, and a value in its sentence.

One reader for all of them. It goes from the noun word by word to the end of the sentence and asks of each word whether
it could be what was told: more surely so behind a copula or a colon, never behind a preposition of place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from terma.redact.nouns import COPULAS, MADE, NOUN, OF_ANOTHER, PLACES, STILL, WITH
from terma.redact.partners import MARKS, STATES, unlike_a_name
from terma.redact.plausible import FILLERS, PASSPHRASE, placeholder, stands_in
from terma.redact.value_shapes import (
    ABOUT,
    ALGORITHM,
    CHANGES,
    DATE,
    HEX,
    MIXED,
    NUMBERED_PAIR,
    PATH,
    SLUG,
    TWO_WORDS,
    UUID,
    VERSION,
    is_code,
    scattered,
    very_random,
)

Span = tuple[int, int]
HEAP = 20  # nouns on a line
FAR, MOST = 160, 14  # characters and words from the noun to the end of what is read
PUBLIC_KEY = re.compile(r"\bpub(?:lic)?[ -](?:key[ -])?\Z", re.IGNORECASE)
AS_WORD = re.compile(r"[ \t](?:as|als|como|comme|come|jako|som|как|як|ca)[ \t]", re.IGNORECASE)
AS = re.compile(
    r"(?P<v>\S{5,100})[ \t]+(?:as|als|como|comme|come|jako|som|как|як|ca)[ \t]+(?:\S{1,14}[ \t]+){0,2}\Z",
    re.IGNORECASE,
)
_OPENERS, _CLOSERS = "\"'`«„“‘「『(‹", "\"'`»“”’」』)›,.;:"
_WORD = re.compile(r"\S+")
_STUCK = re.compile(r"[ \t]{0,2}(?:[はを是為为은는이가]|って)?[ \t]{0,2}[「『:：]?")  # 密码是…, password:…
_QUOTED = re.compile(r"[ \t]{0,3}[\"'`«„“‘「『]{1,2} ?(?P<v>[^\n\"'`«»„“”’「」『』]{4,80}?) ?[\"'`»”’“」』]")
_UNQUOTED = re.compile(r"[ \t]{1,2}(?P<v>[^\n]{12,90}?)[.!]?[ \t]*(?:\n|\Z)")
_CALL = re.compile(r"\w\(")
_PAIR = re.compile(r"[\w.:-]+=|<|.*=>")
_HOST = re.compile(
    r"(?:[a-z0-9-]+\.)+[a-z]{2,10}(?::\d+)?(?:/\S*)?$|[\w.+-]+@[\w-]+(?:\.[\w-]+)+$|\d+\.\d+\.\d+\.\d+"
)
_FILE = re.compile(r"[\w-]+\.[a-z][a-z0-9]{0,5}(?::\d+)?$|\.[a-z][\w.-]*$")
# Behind these stands what anybody may see of a file, a change or a thing.
_SUMS = frozenset(
    "sha1 sha256 sha512 md5 commit checksum digest etag revision rev id uuid hash: sha: sum".split()
)
_COUNT = re.compile(r"[(\[]?\d+(?:st|nd|rd|th)?[-+%]?(?:[a-zäöü]*|[A-Z][a-z]*|[A-Z]{1,3})$|[\d.,:%/+-]+$")
_COMPOUND = re.compile(
    r"(?:[A-Z]?[a-z]{2,}|[A-Z]{2,})(?:[A-Z][a-z]+|[A-Z]{2,})*(?:[_-](?:[A-Z]?[a-z]{2,}|[A-Z]{2,}))*\d{0,3}$"
)
_HYPHENS = re.compile(
    r"_*[a-zß-ÿ]+(?:[_-]+[a-zß-ÿ]+)+[_\d]*$|[A-Z][a-z]+(?:-[a-z]+)*$|[A-Z]+(?:-[A-Za-z]+)*$"
)
_CAPITALS = re.compile(r"[A-Z][a-z]+(?:-[a-z]+)*-[A-Z][a-z]+")
_ENDS = re.compile(r"[.!?;。！？；]$")
# A string that begins, of JSON or of a log of NAME="…"; and its end, before the next field or the end of the line.
_STRING = re.compile(r'(?:^|[\s:=,(\[{])\\{0,3}"(?![\s"])[^"\n]*\Z', re.MULTILINE)
_STRING_END = re.compile(r'[^"\n]*?(?=\\{0,3}"[ \t]*(?:[,}\])\n]|\Z|[\w.]+=))')
_DIGITS = re.compile(r"\d{4,8}[#*]?$")
_CODE = re.compile(r"(?=\D*\d)[A-Za-z0-9]{3,8}(?:-[A-Za-z0-9]{3,8}){0,4}$")
_NUMBERED_WORDS = re.compile(r"[a-z]{4,14}-[a-z]{4,14}-\d{2,4}$")
# As a licence or a stream is given its key.
_GROUPS = re.compile(
    r"(?=\D*\d)(?:[a-z0-9]{4,6}(?:-[a-z0-9]{4,6}){3,7}|[A-Z0-9]{4,6}(?:-[A-Z0-9]{4,6}){3,7})$"
)
_LETTERS = re.compile(r"[A-Za-zß-ÿ]{5,16}$")
_SPACED = re.compile(r"[ \t]{1,2}(?P<v>\d{2,5}(?:[ -]\d{2,5}){1,5})(?![\w.,:/-])")  # `1213 3290`


@dataclass(frozen=True, slots=True)
class ToldWord:
    """A word of a sentence: `bare` without quotes and stops, `linked` where a copula puts a value, `still` when that
    says that it did not change, `first` behind the noun, `last` when the clause ends with it, `made` when what stands
    before says that it was made or given."""

    bare: str
    linked: bool = True
    still: bool = False
    first: bool = False
    last: bool = False
    made: bool = False


def spans(text: str, low: str, ranges: list[Span]) -> Iterator[Span]:
    """Start and end of each value that is told in `ranges` of `text`; `low` is the text in small letters."""
    for start, end in ranges:
        nouns = list(NOUN.finditer(low, start, end))
        for number, noun in enumerate(nouns):
            # No farther than the second noun behind it, or the first where they stand in a heap: no word is read often.
            next_one = number + (2 if len(nouns) < HEAP else 1)
            after = nouns[next_one].start() if next_one < len(nouns) else end
            limit = min(after, noun.end() + FAR, _end(text, noun.end(), end))
            limit = min(limit, _end_of_string(text, noun, start, limit))
            follows = number + 1 < len(nouns) and nouns[number + 1].start() - noun.end() < 3
            if not (follows or _of_another(text, noun)):
                yield from _behind(text, noun, limit)
            yield from _before(text, noun, start)


def _of_another(text: str, noun: re.Match[str]) -> bool:
    """Whether the noun only says whose name or number follows: a public key token, a password manager."""
    public = PUBLIC_KEY.search(text, max(0, noun.start() - 12), noun.start())
    return bool(public or OF_ANOTHER.match(text, noun.end()))


class _Reading:
    """What the words behind a noun have said so far."""

    def __init__(self, noun: str, kind: str, *, linked: bool) -> None:
        self.links = WITH if kind == "verb" else COPULAS
        if noun == "pass":  # a verb more often than a noun
            self.links -= {"to"}
        elif noun.startswith("salasana"):  # elsewhere a preposition
            self.links |= {"on"}
        self.since = 0 if linked else MOST  # words since the last copula
        self.before, self.still, self.made = "", False, False

    def link(self, low: str) -> bool:
        """Whether `low` is a copula; a value may follow."""
        if low not in self.links:
            return False
        self.since, self.before, self.still = 0, "", self.still or low in STILL
        return True

    def may_be(self, bare: str) -> bool:
        """Whether what stands before `bare` lets it be a value."""
        if bare.isalpha() and not self.still and not scattered(bare):  # a word, as most are
            return False
        if self.before.lstrip("([") in _SUMS:
            return False
        return len(bare) >= 4 and (self.before not in PLACES or _unmistakable(bare)) and not _PAIR.match(bare)

    def ends(self, low: str) -> bool:
        """Goes on behind the word `low`; whether the sentence ends with it."""
        self.since, self.still, self.before = self.since + 1, low in STILL, low.rstrip(",")
        self.made = self.made or low.rstrip(":") in MADE
        if low[-1:] in ":：→":
            self.since = 0
            return False
        return _ENDS.search(low) is not None


def _behind(text: str, noun: re.Match[str], end: int) -> Iterator[Span]:
    """What is told behind `noun`, up to `end` at most; one value, or all where the noun stands for several."""
    kind, name = _kind(noun), noun[0]
    start, linked = _opened(text, noun.end(), end)
    reading = _Reading(name, kind, linked=bool(linked))
    for number in range(MOST):
        if reading.since == 0 and kind != "number" and (phrase := _phrase(text, start, name)):
            yield phrase
            return
        behind_it = kind == "number" and (reading.since == 0 or start == noun.end())
        if behind_it and (spaced := _SPACED.match(text, start, end)) and not DATE.search(spaced["v"]):
            yield spaced.span("v")
            return
        word = _WORD.search(text, start, end)
        if word is None or _CALL.search(word[0]):
            return
        first, start, low = start == noun.end(), word.end(), word[0].lower()
        if reading.link(low):
            continue
        bare, at = _bare(text, *word.span())
        if reading.may_be(bare):
            last = not text[start:end].strip() or word[0][-1] in ",;).!"
            if _is_told(ToldWord(bare, reading.since <= 1, reading.still, first, last, reading.made), kind):
                yield at, at + len(bare)
                if not name.endswith(("codes", "tokens")):
                    return
                reading.since = -1
        if reading.ends(low) and number:
            return


def _kind(noun: re.Match[str]) -> str:
    return "password" if noun.lastgroup == "compound" else str(noun.lastgroup)


def _opened(text: str, at: int, end: int) -> Span:
    """Where the words behind a noun begin that ends at `at`, and whether what stands before them is a copula."""
    stuck = _STUCK.match(text, at, end)
    return (stuck.end(), 1) if stuck and stuck[0].strip() else (at, 0)


def _before(text: str, noun: re.Match[str], start: int) -> Iterator[Span]:
    """`VALUE as the password`."""
    if not AS_WORD.search(text, max(start, noun.start() - 34), noun.start()):
        return
    if found := AS.search(text, max(start, noun.start() - 140), noun.start()):
        bare, at = _bare(text, *found.span("v"))
        if len(bare) >= 5 and not _PAIR.match(bare) and _is_told(ToldWord(bare), _kind(noun)):
            yield at, at + len(bare)


def _phrase(text: str, at: int, noun: str) -> Span | None:
    """Several words in quotes, or to the end of the line where the noun asks for several."""
    found = _QUOTED.match(text, at) or ("phrase" in noun and _UNQUOTED.match(text, at))
    if not found or len(found["v"].split()) < 3 or ABOUT.search(found["v"]):
        return None
    words = found["v"].split()
    good = all(word.isalnum() for word in words) if found.re is _QUOTED else PASSPHRASE.match(found["v"])
    return found.span("v") if good and FILLERS.isdisjoint(words) else None


def _is_told(told: ToldWord, kind: str) -> bool:
    """Whether the word is the value that a sentence about a password, a key or a number tells."""
    value = told.bare
    if kind == "number":
        digits = told.first and len(value) >= 8
        return (told.linked or digits or (told.first and told.last)) and bool(
            _DIGITS.match(value) or _code_like(value)
        )
    if kind == "key" and _GROUPS.match(value) and (told.linked or told.first):
        return True
    if _is_another(value):
        return False
    if kind == "key":
        return len(value) >= 16 and _key_like(value) and (told.linked or told.first or told.last)
    if value.isdigit():
        return told.linked and 4 <= len(value) <= 12 and not 1990 <= int(value) <= 2035
    if told.still and told.last and _LETTERS.match(value):
        return not STATES.match(value.lower())
    alone = told.last and (told.made or kind == "password") and (told.linked or told.first)
    if alone and (NUMBERED_PAIR.match(value) or _NUMBERED_WORDS.match(value)):
        return True
    if not _like_a_password(value):
        return False
    strong = unlike_a_name(value) and not _COMPOUND.match(value)
    if kind == "verb" or told.linked:
        return strong or (told.linked and kind != "verb")
    alone = told.first and told.last and MIXED.match(value) is not None and not value.isalnum()
    return alone or (strong and (very_random(value) or told.last or told.first))


def _is_another(value: str) -> bool:
    """A variable, a host, a file, a version, a date, an algorithm, a count, a call: what is told of all the time."""
    return bool(
        stands_in(value)
        or placeholder(value)
        or is_code(value)
        or any(mark in value for mark in ("://", "...", "\\", "`"))
        or _HOST.match(value.lower())
        or (_FILE.search(value) and MARKS.isdisjoint(value) and not TWO_WORDS.match(value))
        or PATH.match(value)
        or VERSION.match(value)
        or DATE.search(value)
        or ALGORITHM.match(value)
        or UUID.match(value)
        or (_COUNT.match(value) and not value.isdigit())
        or ABOUT.search(value)
        or value.startswith(("-", "+", "@", "#", "%", "/", "~", "\\", "&", "*", ":", "_"))
        or value.count("/") > 1
        or value.count(",") > 1
    )


def _unmistakable(value: str) -> bool:
    """Capitals, small letters, digits and a mark that no name has, whatever stands before it."""
    return (
        len(value) >= 8
        and MIXED.match(value) is not None
        and not MARKS.isdisjoint(value[:-1])
        and "=" not in value
    )


def _key_like(value: str) -> bool:
    return very_random(value) or (len(value) >= 24 and HEX.match(value) is not None and not value.isdigit())


def _code_like(value: str) -> bool:
    """A backup code: short, digits and letters in groups."""
    return (
        len(value) >= 6 and bool(_CODE.match(value)) and not (ALGORITHM.match(value) or _COUNT.match(value))
    )


def _like_a_password(value: str) -> bool:
    """Neither a word nor words with a hyphen, nor what a host is called: a digit, a mark or a capital stands in it."""
    if _HYPHENS.match(value) and not MIXED.match(value):
        return _CAPITALS.match(value) is not None
    if (value.isalpha() and not scattered(value)) or (value.isupper() and len(CHANGES.findall(value)) < 2):
        return False
    if SLUG.match(value) and value.rpartition("-")[2].isdigit() and value.count("-") < 2:
        return False
    return scattered(value) or any(char.isdigit() or char in MARKS or char in "_-." for char in value[:-1])


def _bare(text: str, start: int, end: int) -> tuple[str, int]:
    """The word between `start` and `end` without quotes around it and the stops behind it, and where it begins."""
    word = text[start:end]
    inner = word.lstrip(_OPENERS)
    start += len(word) - len(inner)
    for mark in "」』»”":
        inner = inner.partition(mark)[0]
    return inner.rstrip(_CLOSERS), start


def _end_of_string(text: str, noun: re.Match[str], start: int, limit: int) -> int:
    """Where the string ends in which a program or a log has put the sentence; what follows it is of another field."""
    begun = _STRING.search(text, max(start, noun.start() - FAR), noun.start())
    found = _STRING_END.match(text, noun.end(), limit) if begun else None
    return found.end() if found else limit


def _end(text: str, at: int, limit: int) -> int:
    found = text.find("\n", at, limit)
    return limit if found < 0 else found
