"""A sentence as tokens: what each word is (number, size, path, glob, quoted text …) before anyone guesses why."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from terma.offline.lemma import norm
from terma.offline.lexicon import (
    CONTRACTIONS,
    EXTENSIONS,
    FILE_NOUNS,
    LANGUAGES,
    NUMBERS,
    ORDINALS,
    SIZE_UNITS,
    STOP,
    TIME_UNITS,
)
from terma.offline.shape import kind_of, split_alternatives

MAX_LENGTH = 1_000  # code points of a sentence that are read; the rest is no sentence
MAX_TOKENS = 60


@dataclass(frozen=True, slots=True)
class Token:
    """One word or value. `text` is as written (without quotes), `norm` its lower-case canonical lemma.

    `kind`: word number ordinal size duration date time quoted path file glob ext perm url domain userhost
    remotepath ip port env flag ident slot. `value` is the usable form: a number's digits, an extension without
    its dot, a size as `100M` (find's suffixes, c for bytes), a duration as `7 days`, else the text.
    `start`/`end` are code points in the raw sentence; `stop` says that it is a function word."""

    text: str
    norm: str
    kind: str
    value: str
    start: int
    end: int

    @property
    def stop(self) -> bool:
        return self.kind == "word" and self.norm in STOP


@dataclass(frozen=True, slots=True)
class Sentence:
    """`raw` as it was said and what was read from it, in order."""

    raw: str
    tokens: tuple[Token, ...]

    @classmethod
    def parse(cls, raw: str) -> Sentence:
        """Read any text; never raises. At most MAX_LENGTH code points and MAX_TOKENS tokens are looked at."""
        return cls(raw, tuple(_merge(list(_chunks(raw[:MAX_LENGTH]))))[:MAX_TOKENS])

    def norms(self) -> tuple[str, ...]:
        return tuple(token.norm for token in self.tokens)


_CHUNK = re.compile(
    r"""(?P<quoted>"(?P<q1>[^"\n]*)"|“(?P<q2>[^”\n]*)”|`(?P<q3>[^`\n]*)`
        |(?<![\w])'(?P<q4>[^'\n]*)'(?!\w)|(?<!\w)‘(?P<q5>[^’\n]*)’)
      |(?P<word>[^\s"“”`]+)""",
    re.X,
)
_OPENING = "([{<'‘"
_CLOSING = ",;:!?)]}>'’…"
_POSSESSIVE = re.compile(r"['’]s?$", re.I)


def _chunks(raw: str) -> Iterator[Token]:
    closed = -1  # where the last quoted text ended
    for match in _CHUNK.finditer(raw):
        if match["quoted"] is not None:
            closed = match.end()
            inner = next(
                g for g in (match["q1"], match["q2"], match["q3"], match["q4"], match["q5"]) if g is not None
            )
            if inner:
                yield Token(inner, inner.lower(), "quoted", inner, match.start(), match.end())
            continue
        start, text = match.start(), match["word"]
        if start == closed and not text.strip(".,;:!?"):
            continue  # ends the sentence behind a quoted word, and is no directory
        for part, offset in split_alternatives(text):
            yield from _word(part, start + offset)


def _word(text: str, start: int) -> Iterator[Token]:
    while text and text[0] in _OPENING and text not in ("{}",):
        text, start = text[1:], start + 1
    while (text and (text[-1] in _CLOSING and not _keeps_end(text))) or _full_stop(text):
        text = text[:-1]
    if not text or not any(c.isalnum() or c in "/~.*?$_%@+\ue000" for c in text):
        return
    end = start + len(text)
    lower = text.lower().replace("’", "'")
    if lower in CONTRACTIONS:
        yield Token(text, CONTRACTIONS[lower], "word", lower, start, end)
        return
    if "'" in lower and lower[0] != "'":
        bare = _POSSESSIVE.sub("", text.replace("’", "'"))
        if bare and re.fullmatch(r"[\w.-]+", bare):
            text, lower = bare, bare.lower()
    kind, value = kind_of(text, lower)
    yield Token(text, norm(lower) if kind in ("word", "ident") else lower, kind, value, start, end)


def _full_stop(text: str) -> bool:
    return text.endswith(".") and bool(text.strip(".")) and not text.endswith(("/.", "/.."))


def _keeps_end(text: str) -> bool:
    """Whether the last character belongs to the word: a glob's ? or ], a brace of ${x} or {}."""
    last = text[-1]
    if last in "]}" and ("[" in text or "{" in text):
        return True
    return last == "?" and "*" in text


def _merge(tokens: list[Token]) -> Iterator[Token]:
    """Join what is one value in several words: `100 MB`, `an hour`, `python files`, `second line`."""
    i = 0
    while i < len(tokens):
        here, after = tokens[i], tokens[i + 1] if i + 1 < len(tokens) else None
        before = tokens[i - 1] if i else None
        if i == 0 and after is not None and here.text.lower() in ("hi", "hey", "hello"):
            i += 1
            continue
        if here.text.lower() == "in" and after is not None and after.text.lower() == "here":
            i += 1
            continue
        joined = (
            _home(tokens, i)
            or _proper(tokens, i)
            or _suffix(here, before, after)
            or _part(tokens, i)
            or _amount(here, after)
            or _span(here, before)
            or _kind_of_file(here, after, i)
            or _ordinal(here, before, after)
        )
        if joined is None:
            yield here if _is_text(tokens, i) else _number_word(here, after)
            i += 1
            continue
        yield joined
        while i < len(tokens) and tokens[i].start < joined.end:
            i += 1


_MINE = frozenset(("my", "the", "our"))
_PLACED = frozenset("in under below of inside within from across".split())


def _home(tokens: list[Token], i: int) -> Token | None:
    """`in my home`, `under home`, `in the home directory`: the place, as a path. That of somebody else is not it."""
    mine = tokens[i].text.lower() in _MINE
    at = i + 1 if mine else i
    placed = i > 0 and tokens[i - 1].text.lower() in _PLACED
    texts = [token.text.lower() for token in tokens[at : at + 3]]
    if texts[:1] != ["home"]:
        return None
    named = bool(texts[1:2]) and texts[1] in ("directory", "folder", "dir")
    if not placed and not (mine and named):
        return None
    if texts[1 + named :][:1] == ["of"] or (tokens[i].text.lower() == "the" and not named):
        return None
    last = tokens[at + named]
    return Token("~", "~", "path", "~", tokens[i].start, last.end)


def _proper(tokens: list[Token], i: int) -> Token | None:
    """`Old Levels`, `Ward 7`: a name in several words, where the words around it are in lower case."""
    if i == 0 or not _capital(tokens[i]) or any(_capital(token) for token in tokens[max(0, i - 1) : i]):
        return None
    end = i + 1
    while (
        end < len(tokens)
        and tokens[end].start == tokens[end - 1].end + 1
        and (_capital(tokens[end]) or (tokens[end].kind == "number" and tokens[end].text.isdigit()))
    ):
        end += 1
    small = sum(token.text.islower() for token in tokens)
    if end == i + 1 or small * 2 < len(tokens):
        return None
    text = " ".join(token.text for token in tokens[i:end])
    kind = "path" if tokens[i - 1].text.lower() in _WHERE else "quoted"
    return Token(text, text.lower(), kind, text, tokens[i].start, tokens[end - 1].end)


_WHERE = frozenset("in under below inside within beneath from into to".split())


def _capital(token: Token) -> bool:
    return token.kind == "word" and token.text[:1].isupper() and token.text[1:].islower()


_ENDS_IN = frozenset(("ending", "ends", "end", "extension", "suffix", "suffixed"))


def _suffix(here: Token, before: Token | None, after: Token | None) -> Token | None:
    """`.dcm files`, `ending .hl7`, `the txt ones`: an extension, whether it is a known one or not."""
    bare = here.text.lower().removeprefix(".").removeprefix("*.")
    many = after is not None and after.norm in ("file", "one")
    ends = before is not None and before.text.lower() in _ENDS_IN
    if here.kind == "file" and here.text[:1] == "." and bare.isalnum() and len(bare) < 7 and (many or ends):
        joined = after if after is not None and many else here
        return Token(here.text, "." + bare, "ext", bare, here.start, joined.end)
    known = bare in EXTENSIONS and bare not in _PLAIN_WORDS and here.kind in ("word", "ext")
    if known and after is not None and after.norm == "one":
        return Token(here.text, "." + bare, "ext", bare, here.start, after.end)
    return None


_PARTS = {"half": 2, "quarter": 4}
_SMALLER = {"minute": (60, "seconds"), "hour": (60, "minutes"), "day": (24, "hours"), "year": (12, "months"),
            "G": (1024, "M"), "T": (1024, "G"), "M": (1024, "k")}  # fmt: skip


def _part(tokens: list[Token], i: int) -> Token | None:
    """`half an hour`, `a quarter of a year`, `half a gig`: a part of one, in the next smaller unit."""
    share = _PARTS.get(tokens[i].text.lower(), 0)
    at = i + 1
    while at < len(tokens) and at < i + 3 and tokens[at].text.lower() in ("of", "a", "an"):
        at += 1
    unit = tokens[at].text.lower() if share and at < len(tokens) else ""
    size = SIZE_UNITS[unit][0] if len(unit) > 1 and unit in SIZE_UNITS else ""
    whole, name = _SMALLER.get(TIME_UNITS.get(unit, "") or size, (0, ""))
    if not whole:
        return None
    text = " ".join(token.text for token in tokens[i : at + 1])
    count = whole // share
    if size:
        return Token(text, f"{count}{name}", "size", f"{count}{name}", tokens[i].start, tokens[at].end)
    return Token(text, f"{count}_{name}", "duration", f"{count} {name}", tokens[i].start, tokens[at].end)


def _amount(here: Token, after: Token | None) -> Token | None:
    """A number and its unit: a size or a duration."""
    digits = here.value if here.kind == "number" else str(NUMBERS.get(here.text.lower(), ""))
    if after is None or after.kind not in ("word", "ident"):
        return None
    unit = after.text.lower()
    if not digits and here.text.lower() in ("a", "an") and unit in TIME_UNITS and len(unit) > 2:
        digits = "1"
    if not digits:
        return None
    text = f"{here.text} {after.text}"
    if unit in TIME_UNITS and (len(unit) > 1 or here.kind == "number"):
        name = TIME_UNITS[unit]
        value = f"{digits} {name}" + ("" if digits == "1" else "s")
        return Token(text, value.replace(" ", "_"), "duration", value, here.start, after.end)
    if unit in SIZE_UNITS and digits.replace(".", "").isdigit():
        return Token(text, digits + unit[0], "size", digits + SIZE_UNITS[unit][0], here.start, after.end)
    return None


def _span(here: Token, before: Token | None) -> Token | None:
    """`the last hour`: one of the unit."""
    low = here.text.lower()
    if before is None or before.norm not in ("last", "past") or here.kind != "word" or len(low) < 3:
        return None
    if low not in TIME_UNITS or low.endswith("s"):
        return None
    return Token(here.text, f"1_{TIME_UNITS[low]}", "duration", f"1 {TIME_UNITS[low]}", here.start, here.end)


# Extensions that are words too: "a file", "the old files".
_PLAIN_WORDS = frozenset(
    "a list map service old orig env part min err out word lock bin key dat so in patch diff header temporary "
    "map".split()
)


def _kind_of_file(here: Token, after: Token | None, index: int) -> Token | None:
    """`py files`, `python scripts`, `PDFs`, `.log`: an extension (value without the dot)."""
    low = here.text.lower()
    if here.kind == "ext" and after is not None and after.norm in FILE_NOUNS:
        return Token(f"{here.text} {after.text}", "." + here.value, "ext", here.value, here.start, after.end)
    if here.kind != "word" and not (here.kind == "ident" and (low in LANGUAGES or low in EXTENSIONS)):
        return None
    follows = after is not None and after.kind == "word" and after.norm in FILE_NOUNS
    known = LANGUAGES.get(low) or (low if low in EXTENSIONS else "")
    if (
        after is not None
        and follows
        and known
        and (index > 0 or low not in ("zip", "tar", "list", "go", "map"))
    ):
        if low in _PLAIN_WORDS:
            return None
        if after.norm in ("log", "image", "page", "module", "archive") and known in ("log", "list"):
            return None
        return Token(f"{here.text} {after.text}", "." + known, "ext", known, here.start, after.end)
    if low.endswith("s") and low[:-1] in (
        "pdf",
        "jpg",
        "jpeg",
        "png",
        "gif",
        "mp3",
        "mp4",
        "csv",
        "epub",
        "svg",
        "wav",
    ):
        return Token(
            here.text, "." + low[:-1], "ext", "jpg" if low == "jpegs" else low[:-1], here.start, here.end
        )
    return None


def _ordinal(here: Token, before: Token | None, after: Token | None) -> Token | None:
    low = here.text.lower()
    if low not in ORDINALS or here.kind != "word":
        return None
    if low == "second" and (
        after is None or after.norm == "ago" or (before is not None and before.kind == "number")
    ):
        return None
    return Token(here.text, f"{ORDINALS[low]}th", "ordinal", str(ORDINALS[low]), here.start, here.end)


_BEFORE_TEXT = frozenset(("contain", "word", "string", "text", "pattern", "match", "replace"))


def _is_text(tokens: list[Token], i: int) -> bool:
    """`containing two`, `replace two with …`: a word to look for, unless it counts what follows."""
    before = tokens[i - 1].norm if i else ""
    if before == "of" and i > 1:
        before = "replace" if tokens[i - 2].norm == "occurrence" else ""
    counts = i + 1 < len(tokens) and tokens[i + 1].kind == "word" and not tokens[i + 1].stop
    return tokens[i].kind == "word" and before in _BEFORE_TEXT and not counts


def _number_word(here: Token, after: Token | None) -> Token:
    low = here.text.lower()
    if here.kind != "word" or low not in NUMBERS:
        return here
    if low == "one" and (after is None or after.kind != "word" or after.stop):
        return here
    return Token(here.text, low, "number", str(NUMBERS[low]), here.start, here.end)
