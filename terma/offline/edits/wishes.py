"""How a command is to be changed, from words: a list of wishes, or nothing where a word is left that says something."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from terma import regex as re
from terma.offline.lemma import lemma
from terma.offline.lexicon import NUMBERS, UNIT_SECONDS
from terma.offline.sentence import Sentence
from terma.records import dataclass

TABLE = Path(__file__).with_name("edits.toml")
_PARTS = re.compile(r",\s+(?:and |then |but )?|\s+(?:and then|and|then|but)\s+", re.IGNORECASE)
_STORES = frozenset("save write put send store keep append add log pipe redirect output dump".split())
_INTO = frozenset(("to", "into", "in"))
_KEEPS, _DROPS = (
    frozenset(("only", "just")),
    frozenset("without except exclude hide skip drop no not".split()),
)
BESIDE = frozenset("too also well include includes including".split())
_NARROWS = ("only_files", "only_folders", "of_kind")  # these ask for them alone
_HOLDING = frozenset("with contain match have mention about".split())
_ENDS = {"first": "first", "top": "first", "head": "first", "last": "last", "bottom": "last", "final": "last"}
_LONGEST = 40  # words of one wish


@dataclass(frozen=True, slots=True)
class Wish:
    """`kind`: an option or order by its `name` in the table; `first`, `last` or, where no end was said, `some` of the
    lines, `number` of them; `keep` or `drop` the lines with `text` (`name`: how that was said); `into` or `append` to
    the file `text`; `option`: the words `text` may be the name of one."""

    kind: Literal["named", "first", "last", "some", "keep", "drop", "into", "append", "option"]
    name: str = ""
    number: int = 0
    text: str = ""
    amount: str = ""  # of a named one: a size, or days
    sure: bool = True  # whether the words can mean nothing else


@lru_cache(1)
def table() -> dict[str, Any]:
    """What edits.toml says."""
    import tomllib

    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


def understood(words: str, is_ordinary: Callable[[str], bool]) -> tuple[Wish, ...]:
    """The wishes in the order in which they were said; () where one of them cannot be one. `is_ordinary`: whether
    people say a word without naming anything by it."""
    found: list[Wish] = []
    for part in split(words):
        if not (wishes := tuple(_part(part, is_ordinary))):
            return ()
        found += wishes
    return tuple(found)


def split(words: str) -> list[str]:
    """The wishes apart, each in its words."""
    return _PARTS.split(words.strip().rstrip(".!"))


def _part(part: str, is_ordinary: Callable[[str], bool]) -> Iterator[Wish]:
    try:
        words = shlex.split(part)
    except ValueError:  # don't
        words = part.split()
    if not words or len(words) > _LONGEST:
        return
    low = [word.lower() for word in words]
    plain = [lemma(word) for word in low]
    if name := _named(low):
        yield Wish("named", name, text=part)
    elif (wish := _measured(part) or _in_units(low) or _stored(words, plain)) is not None:
        yield wish
    elif limit := _limited(low):
        yield from limit
    elif (wish := _filtered(words, plain, part, is_ordinary)) is not None:
        yield wish
    else:
        yield Wish("option", text=part)


@lru_cache(1)
def _phrases() -> dict[frozenset[str], str]:
    found: dict[frozenset[str], str] = {}
    for name, phrases in table()["wishes"].items():
        for phrase in phrases:
            found.setdefault(_told(phrase.split()), name)
    return found


def _named(low: Sequence[str]) -> str:
    if low[0] == "number" and len(low) > 1:  # `number the lines` asks for numbers, `by number` for an order
        low = ["numbers" if at == 0 else word for at, word in enumerate(low)]
    name = _phrases().get(_told(low), "")
    if name in table()["widens"] and _KEEPS & set(low):
        return ""
    return "" if name in _NARROWS and BESIDE & set(low) else name


def _in_units(low: Sequence[str]) -> Wish | None:
    """`in megabytes`: GNU's programs take the size of what they count in."""
    if len(low) != 2 or low[0] != "in":
        return None
    (amount, *rest) = Sentence.parse(f"1 {low[1]}").tokens
    if rest or amount.kind != "size":
        return None
    return Wish("option", text=f"block size {amount.value[1:].upper()}") if amount.value[1:] else None


def _measured(part: str) -> Wish | None:
    """`larger than 10 MB`, `from the last 2 days`, `only pdf files`: a wish with an amount or a kind of files in it."""
    tokens = Sentence.parse(part).tokens
    amounts = [token for token in tokens if token.kind in _AMOUNTS]
    if len(amounts) != 1:
        return None
    (amount,) = amounts
    value = _VALUES[amount.kind](amount.value)
    words = [_AMOUNTS[token.kind] if token is amount else token.text.lower() for token in tokens]
    name = _phrases().get(_told(words), "")
    if name == "of_kind" and words[1:] and _KEEPS.isdisjoint(words):
        return None  # log files too
    return Wish("named", name, text=part, amount=value) if name and value else None


_AMOUNTS = {"size": "{size}", "duration": "{days}", "ext": "{ext}"}


def _whole(size: str) -> str:
    """`1.5G` as 1536M, since programs count in whole units; "" where there is none that it is whole in."""
    number, unit = float(size[:-1]), size[-1]
    while number != int(number) and unit in "MGTP":
        number, unit = number * 1024, "kMGT"["MGTP".index(unit)]
    return f"{int(number)}{unit}" if number == int(number) else ""


def _days(span: str) -> str:
    """`2 weeks` as days; "" where they are not whole."""
    number, _, unit = span.partition(" ")
    days = (
        int(number) * UNIT_SECONDS.get(unit.rstrip("s"), 0) / UNIT_SECONDS["day"] if number.isdecimal() else 0
    )
    return str(int(days)) if days >= 1 and days == int(days) else ""


_VALUES: dict[str, Callable[[str], str]] = {"size": _whole, "duration": _days, "ext": str}


@lru_cache(1)
def _said() -> frozenset[str]:
    return frozenset(table()["said"].split())


def _told(words: Sequence[str]) -> frozenset[str]:
    """The words that say something; all of them where none does."""
    return frozenset(words) - _said() or frozenset(words)


def _stored(words: Sequence[str], low: Sequence[str]) -> Wish | None:
    """`save it to out.txt`, `save as out.txt`, `into out.txt`, `append to all.txt`."""
    stores = low[0] in _STORES
    into = [at for at, word in enumerate(low) if word in _INTO or (stores and word == "as")]
    if not into or into[0] > 3 or (into[0] and not stores):
        return None
    rest = [at for at in range(into[0] + 1, len(low)) if low[at] not in _said() | {"called", "named", "new"}]
    if len(rest) != 1 or not (stores or re.search(r"[./]", words[rest[0]])):
        return None
    return Wish("append" if low[0] in ("append", "add") else "into", text=words[rest[0]])


def _limited(low: Sequence[str]) -> tuple[Wish, ...]:
    """`only the first 5`, `top 10 by cpu`, `newest 3`."""
    numbers = [(at, _number(word)) for at, word in enumerate(low) if _number(word)]
    if len(numbers) != 1:
        return ()
    (at, number), *_ = numbers
    others = [word for place, word in enumerate(low) if place != at]
    ends = [_ENDS[word] for word in others if word in _ENDS]
    limit = Wish("last" if "last" in ends else "first" if ends else "some", number=number)
    rest = [word for word in others if word not in _ENDS and word not in _said()]
    if not rest:
        return (limit,)
    name = _phrases().get(frozenset(rest), "")
    return (Wish("named", name), limit) if name else ()


def _number(word: str) -> int:
    if word.isdecimal() and len(word) < 6:
        return int(word)
    return NUMBERS.get(word, 0) if word != "one" else 0


def _filtered(
    words: Sequence[str], low: Sequence[str], part: str, is_ordinary: Callable[[str], bool]
) -> Wish | None:
    """`only lines with nginx`, `without root`: the text stands last, and a bare one has to be a name. `low`: each word
    in its plain form."""
    kind: Literal["keep", "drop"] | None = (
        "drop" if _DROPS & set(low[:2]) else "keep" if (_KEEPS | _HOLDING | {"line"}) & set(low[:2]) else None
    )
    rest = [at for at in range(len(low)) if low[at] not in _said() | _KEEPS | _DROPS | _HOLDING]
    if kind is None or rest != [len(low) - 1]:
        return None
    text = words[-1]
    holds = bool(_HOLDING & set(low)) or part.rstrip().endswith(("'", '"'))
    if not holds and text.isalpha() and is_ordinary(text.lower()):
        return None
    return Wish(kind, part, text=text, sure=holds)
