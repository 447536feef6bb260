"""What a single word of a sentence is: a number, a size, a span of time, a kind of file, a place in a row."""

from __future__ import annotations

from terma.offline.lexicon import (
    EXTENSIONS,
    FILE_NOUNS,
    LANGUAGES,
    NUMBERS,
    ORDINALS,
    SIZE_UNITS,
    TIME_UNITS,
)
from terma.offline.tokens import Token

_ENDS_IN = frozenset(("ending", "ends", "end", "extension", "suffix", "suffixed"))


def suffix(here: Token, before: Token | None, after: Token | None) -> Token | None:
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


def part_of_size(tokens: list[Token], i: int) -> Token | None:
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


def amount(here: Token, after: Token | None) -> Token | None:
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


def span(here: Token, before: Token | None) -> Token | None:
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


def kind_of_file(here: Token, after: Token | None, index: int) -> Token | None:
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


def ordinal(here: Token, before: Token | None, after: Token | None) -> Token | None:
    low = here.text.lower()
    if low not in ORDINALS or here.kind != "word":
        return None
    if low == "second" and (
        after is None or after.norm == "ago" or (before is not None and before.kind == "number")
    ):
        return None
    return Token(here.text, f"{ORDINALS[low]}th", "ordinal", str(ORDINALS[low]), here.start, here.end)


def number_word(here: Token, after: Token | None) -> Token:
    low = here.text.lower()
    if here.kind != "word" or low not in NUMBERS:
        return here
    if low == "one" and (after is None or after.kind != "word" or after.stop):
        return here
    return Token(here.text, low, "number", str(NUMBERS[low]), here.start, here.end)
