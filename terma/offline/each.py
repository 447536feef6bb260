"""What a sentence asks of many files ("turn all pngs in shots into jpg"), as what it asks of one: the sentence about
one of them, and which they are. The two are understood by themselves and put together in cases/spread."""

from __future__ import annotations

from collections.abc import Container

from terma.offline.intent import SEEING
from terma.offline.lexicon import EXTENSIONS
from terma.offline.sentence import Sentence
from terma.offline.tokens import Token
from terma.records import dataclass

STEM = "item"  # the name of the one file
_AHEAD = frozenset("all the every each any my our of these those al just only".split())
_NOUNS = frozenset("file image picture photo document script log archive video clip one".split())
_PLACES = frozenset("in inside within from under below beneath across".split())
_DEEP_PLACES = frozenset(("under", "below", "beneath", "across"))
_FOLDERS = frozenset("folder directory dir subfolder".split())
_THIS = frozenset(("this", "current", "here"))
_DEEP = frozenset("recursively recursive subfolder subdirectory subdir".split())
_AROUND_DEEP = frozenset("and including include in all its the with too also as well even any".split())
_ENDS = frozenset("and to into as with by onto then but so using".split())
_MEASURES = frozenset(("size", "duration", "date"))
_MEASURED_BY = frozenset(("for", "in", "since"))  # "nobody wrote to for a week": no "to" of a target
_BEHIND_MEASURES = frozenset("ago old or more larger bigger older in size each".split())
_LISTS = (SEEING - {"count", "print"}) | frozenset(
    "find get give which what search locate look only just name file".split()
)
FAR = 9  # tokens from the files to what they are measured by


@dataclass(frozen=True, slots=True)
class Each:
    """`one`: the sentence about the file `name`. The many: `pattern` in `folder` ("" = here), and in all below it where
    that is `deep`; `listing` is the sentence that asks which they are, "" where the pattern says it."""

    one: str
    name: str
    folder: str
    pattern: str
    deep: bool
    listing: str


def of_each(sentence: Sentence, denied: Container[int] = ()) -> Each | None:
    """None where the sentence is not about files of one kind. `denied`: tokens of what is left out."""
    tokens = sentence.tokens
    kinds = [i for i, token in enumerate(tokens) if _is_kind(tokens, i)]
    if not kinds or len({_suffix(tokens[i]) for i in kinds}) > 1:
        return None
    at = kinds[0]
    if at in denied or _inside_a_file(tokens, at):
        return None
    start = at
    while start and tokens[start - 1].text.lower() in _AHEAD:
        start -= 1
    end, folder, deep = _place(tokens, at + 1)
    filters = _filters(sentence, end)
    cut = {*range(start, max(end, filters))}
    apart = _deep_words(tokens, cut)
    if not folder and tokens[0].text.lower() in _PLACES and start:  # "in shots, turn all pngs into jpg"
        ahead, folder, below = _place(tokens, 0)
        apart |= set(range(ahead))
        deep = deep or below
    end = max(end, filters)
    deep = deep or any(_says_deep(tokens[i]) for i in apart)
    if all(i in cut | apart or token.stop or token.norm in _LISTS for i, token in enumerate(tokens)):
        return None  # which they are is asked, not what is to be done to them
    pattern = tokens[at].value if tokens[at].kind == "glob" else f"*.{_suffix(tokens[at])}"
    if "/" in pattern:
        if folder:
            return None
        folder, _, pattern = pattern.rpartition("/")
    if pattern.count("*") != 1 or not pattern.startswith("*."):
        return None
    prefix = f"{folder.rstrip('/')}/" if folder else ""
    name = f"{prefix}{STEM}{pattern[1:]}"
    if any(name in token.text for token in tokens):
        return None
    listing = f"list {sentence.raw[tokens[start].start : tokens[end - 1].end]}" if filters else ""
    one = _rewritten(sentence, kinds, start, end, apart, name)
    return Each(one, name, folder.rstrip("/"), pattern, deep, listing)


def _inside_a_file(tokens: tuple[Token, ...], at: int) -> bool:
    """ "Only the .csv files from data.zip": what is in a file lies in no folder."""
    while at + 1 < len(tokens) and tokens[at + 1].kind == "word" and tokens[at + 1].norm in _NOUNS:
        at += 1
    place = tokens[at + 1 : at + 3]
    return len(place) == 2 and place[0].text.lower() in _PLACES and place[1].kind == "file"


def _is_kind(tokens: tuple[Token, ...], i: int) -> bool:
    """Whether the token says which files: "*.png", "pngs", "png files", and not what they are to become."""
    token = tokens[i]
    if i and tokens[i - 1].text.lower() in ("to", "into", "as"):
        return False
    if token.kind == "ext":
        text = token.text.lower()
        return text.startswith("*.") or text.endswith("s") or _all_said(tokens, i)
    return token.kind == "glob" or (
        token.kind in ("word", "ident") and _suffix(token) in EXTENSIONS and _all_said(tokens, i)
    )


def _suffix(token: Token) -> str:
    """What the names of the files end in: of "zips" it is zip."""
    value = token.value.lower()
    if token.kind in ("word", "ident") and value not in EXTENSIONS:
        return value.removesuffix("s")
    return value


def _all_said(tokens: tuple[Token, ...], i: int) -> bool:
    return bool(i) and tokens[i - 1].text.lower() in ("all", "every", "each")


def _place(tokens: tuple[Token, ...], at: int) -> tuple[int, str, bool]:
    """(where the words end that say where the files are, the folder, whether all below it is meant)."""
    while at < len(tokens) and tokens[at].kind == "word" and tokens[at].norm in _NOUNS:
        at += 1
    begin, deep = at, False
    if at < len(tokens) and tokens[at].text.lower() == "right":
        at += 1
    if at < len(tokens) and tokens[at].text.lower() in _PLACES:
        deep = tokens[at].text.lower() in _DEEP_PLACES
        at += 1
    elif at < len(tokens) and tokens[at].text.lower() == "here":
        return at + 1, "", False
    else:
        return begin, "", False
    named = False
    while at < len(tokens) and tokens[at].kind == "word":
        text = tokens[at].text.lower()
        if text in _THIS:
            named = True
        elif tokens[at].norm not in _FOLDERS and text not in ("the", "my"):
            break
        at += 1
    if named:
        return at, "", deep
    if at == len(tokens) or tokens[at].kind not in ("path", "word", "ident", "file", "quoted"):
        return begin, "", False
    folder = tokens[at].text if tokens[at].kind != "quoted" else tokens[at].value
    if tokens[at].kind == "word" and tokens[at].stop:
        return begin, "", False
    at += 1
    if at < len(tokens) and tokens[at].norm in _FOLDERS:
        at += 1
    return at, "" if folder in (".", "./") else folder, deep


def _filters(sentence: Sentence, at: int) -> int:
    """Where the words end that say of which size or age they are, 0 where none do."""
    tokens = sentence.tokens
    for end in range(at, min(len(tokens), at + FAR)):
        text = tokens[end].text.lower()
        if end > at and "," in sentence.raw[tokens[end - 1].end : tokens[end].start]:
            return 0
        if text in _ENDS and not (end + 1 < len(tokens) and tokens[end + 1].text.lower() in _MEASURED_BY):
            return 0
        if tokens[end].kind in _MEASURES:
            behind = (
                i for i in range(end + 1, len(tokens)) if tokens[i].text.lower() not in _BEHIND_MEASURES
            )
            return next(behind, len(tokens))
    return 0


def _deep_words(tokens: tuple[Token, ...], cut: set[int]) -> set[int]:
    """The tokens that say that all below is meant, with the small words around them."""
    found: set[int] = set()
    for i, token in enumerate(tokens):
        if i in cut or not _says_deep(token):
            continue
        first, last = i, i
        while first and first - 1 not in cut and tokens[first - 1].text.lower() in _AROUND_DEEP:
            first -= 1
        while last + 1 < len(tokens) and tokens[last + 1].text.lower() in ("too", "also", "as", "well"):
            last += 1
        found |= set(range(first, last + 1))
    return found


def _says_deep(token: Token) -> bool:
    return token.kind == "word" and (token.norm in _DEEP or token.text.lower() in _DEEP)


def _rewritten(sentence: Sentence, kinds: list[int], start: int, end: int, apart: set[int], name: str) -> str:
    """The sentence with the one file where the many stood."""
    tokens = sentence.tokens
    said: list[str] = []
    last = 0
    for i, token in enumerate(tokens):
        if i in apart or start < i < end:
            last = token.end
            continue
        said.append(sentence.raw[last : token.start])
        if i == start:
            said.append(name)
        elif i in kinds:
            if tokens[i - 1].text.lower() in ("the", "all", "every", "each"):
                said[-2:] = [""]
            said.append(f" {name}")
        else:
            said.append(sentence.raw[token.start : token.end])
        last = token.end
    said.append(sentence.raw[last:])
    return " ".join("".join(said).split()).strip(" ,;")
