"""A sentence as tokens: what each word is (number, size, path, glob, quoted text …) before anyone guesses why."""

from __future__ import annotations

from collections.abc import Iterator

from terma import regex as re
from terma.offline.lemma import norm
from terma.offline.lexicon import (
    CONTRACTIONS,
)
from terma.offline.shape import kind_of, split_alternatives
from terma.offline.tokens import Token
from terma.offline.word_kinds import amount, kind_of_file, number_word, ordinal, part_of_size, span, suffix
from terma.records import dataclass

MAX_LENGTH = 1_000  # code points of a sentence that are read; the rest is no sentence
MAX_TOKENS = 60


@dataclass(frozen=True, slots=True)
class Sentence:
    """`raw` as it was said and what was read from it, in order. `asks`: it ends with a question mark, and is no request
    put as a question."""

    raw: str
    tokens: tuple[Token, ...]
    asks: bool = False

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
_MARKS = frozenset(";,|:#=!")
_BEFORE_MARKS = re.compile(r"\b(?:at|by|with|on|is|a|the|every|each|delimiter|separator)\s\Z", re.I)


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
        if mark := _mark(text, raw[:start]):
            yield Token(mark, mark, "quoted", mark, start, match.end())
            continue
        if start == closed and not text.strip(".,;:!?"):
            continue  # ends the sentence behind a quoted word, and is no directory
        for part, offset in split_alternatives(text):
            yield from _word(part, start + offset)


def _mark(text: str, before: str) -> str:
    """A punctuation mark that is spoken of: in brackets by itself, "(;)", or behind "by", "at", "with"."""
    inner = text[1:-1] if len(text) == 3 and text[0] + text[2] in ("()", "[]") else ""
    if inner in _MARKS:
        return inner
    return text if text in _MARKS and _BEFORE_MARKS.search(before) else ""


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
            or suffix(here, before, after)
            or part_of_size(tokens, i)
            or amount(here, after)
            or span(here, before)
            or kind_of_file(here, after, i)
            or ordinal(here, before, after)
        )
        if joined is None:
            yield here if _is_text(tokens, i) else number_word(here, after)
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


_BEFORE_TEXT = frozenset(("contain", "word", "string", "text", "pattern", "match", "replace"))


def _is_text(tokens: list[Token], i: int) -> bool:
    """`containing two`, `replace two with …`: a word to look for, unless it counts what follows."""
    before = tokens[i - 1].norm if i else ""
    if before == "of" and i > 1:
        before = "replace" if tokens[i - 2].norm == "occurrence" else ""
    counts = i + 1 < len(tokens) and tokens[i + 1].kind == "word" and not tokens[i + 1].stop
    return tokens[i].kind == "word" and before in _BEFORE_TEXT and not counts
