"""What a single operand looks like: an option, a file, a number, a word of a sentence."""

from __future__ import annotations

from typing import Literal

from terma import regex as re
from terma.routing import words
from terma.routing.dictionary import exists
from terma.routing.line import Word

Shape = Literal[
    "option", "there", "path", "number", "name", "usual", "quoted", "expansion", "assignment",
    "strong", "question", "polite", "complaint", "about", "foreign", "script", "spoken",
    "weak", "loose", "describing", "english", "plain",
]  # fmt: skip
# Of a sentence, with no second thought; and what may be a word of one.
GRAMMAR: frozenset[Shape] = frozenset(
    ("strong", "question", "polite", "about", "complaint", "foreign", "script", "spoken")
)
BARE: frozenset[Shape] = frozenset(("weak", "loose", "describing", "english", "plain"))
WORDS: frozenset[Shape] = GRAMMAR | BARE

_GROUPS: tuple[Shape, ...] = (  # the first that has a word, has it
    "strong", "question", "polite", "complaint", "about", "foreign", "weak", "loose", "describing",
)  # fmt: skip
_ADVERB = re.compile(r"(?!apply|reply|supply|assembly|family)[a-z]{3,}(?:ly|able)")
_OPTION = re.compile(r"[-+][A-Za-z0-9#?%:@][^\s]*|--[A-Za-z0-9][^\s]*|--?|\+['\"%].*")
_NUMBER = re.compile(r"[-+]?\d[\d.,:]*[a-zA-Z%]{0,2}|%[\d%+-]+|0x[0-9a-fA-F]+")
_DOTTED = re.compile(r"[\w@%+-][\w@%+.-]*\.[A-Za-z0-9_]{1,12}|\.[\w-][\w.-]*|\.{1,2}")
_NAME = re.compile(r"\w+(?:[-_.:@+=]+\w+)+|\w*\d\w*|\w*_\w*|[A-Z][A-Z0-9_]+|[a-z]")
_CAMEL = re.compile(r"[a-z][A-Z]")
_ENDING = re.compile(r"(?<=\w)(?:[,;!]|\?+!*|\.{3}|…)$|[。？！，]$")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*(?:\[[^]]*\])?\+?=")
_SCRIPT = re.compile(r"[^\W\d_a-zA-ZÀ-ɏ]")  # letters that are not Latin
_ACCENTED = re.compile(r"[À-ɏ]")
_CONTRACTION = re.compile(r"[A-Za-z]+(?:'|’)(?:s|t|re|ve|ll|d|m)[.,!?]*")
_EITHER = re.compile(r"[a-z]+/[a-z]+")
_HISTORY = re.compile(r"!(?:[!$^*#]|-?\d+|[a-z]\w*)(?::\S+)?")
_GLOB = re.compile(r"[*\[{]|\?.")


def shape(word: Word, cwd: str) -> Shape:
    """What `word` looks like, seen from the directory `cwd` ("" when unknown)."""
    text = word.text
    if word.quoted:
        return "quoted"
    if text[0] in "-+" and _OPTION.fullmatch(text):
        return "spoken" if text[-1] == "?" and len(text) > 2 else "option"
    if _CONTRACTION.fullmatch(text) and words.is_a("strong", text.rstrip(".,!?")):
        return "strong"
    if _ENDING.search(text) and not exists(text, cwd) and "*" not in text and "/" not in text:
        return "spoken"
    if text.isascii() and text.isalpha():
        return _letters(text, cwd)
    return _marked(text, cwd)


def _letters(text: str, cwd: str) -> Shape:
    group = _group(text)
    if group in GRAMMAR and group != "about":
        return group
    if exists(text, cwd):
        return "there"
    if text in words.groups()["usual"]:
        return "usual"
    if group:
        return group
    if _ADVERB.fullmatch(text):
        return "describing"
    if words.is_english(text) and not (text.isupper() and len(text) > 2):
        return "english"
    return "name" if _NAME.fullmatch(text) or _CAMEL.search(text) else "plain"


def _group(text: str) -> Shape | None:
    low = text.lower()
    table = words.groups()
    if len(low) == 1:
        return None
    group: Shape
    for group in _GROUPS:
        if low in table[group]:
            return group
    return None


def _marked(text: str, cwd: str) -> Shape:
    """The shape of a word with something else in it than letters of English."""
    if _ASSIGNMENT.match(text):
        return "assignment"
    if "$" in text.rstrip("$") + text[1:] or "`" in text or text.startswith(("<(", ">(")):
        return "expansion"
    if text[0] == "!" and _HISTORY.fullmatch(text):
        return "expansion"
    if _NUMBER.fullmatch(text):
        return "number"
    if _EITHER.fullmatch(text) and not exists(text, cwd) and all(_is_word(part) for part in text.split("/")):
        return "english"
    if "/" in text or text[0] == "~" or _GLOB.search(text) or "@" in text[1:-1]:
        return "path"
    bare = text.rstrip(".")
    if text != bare and bare.isalpha():
        return "spoken"
    if exists(text, cwd):
        return "there"
    if _SCRIPT.search(text) and not _DOTTED.fullmatch(text):
        return "script"
    if _DOTTED.fullmatch(text):
        return "path"
    if _CONTRACTION.fullmatch(text):
        return "strong"
    if _group(text):
        return _group(text) or "plain"
    if _ACCENTED.search(text):
        return "foreign"
    return "name"


def _is_word(text: str) -> bool:
    return words.is_english(text) or _group(text) is not None
