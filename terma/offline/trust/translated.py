"""One text put in place of another: `tr A B`, `s/A/B/`, `${x//A/B}` and `expand` take away what the sentence takes
away, and put in its place what it puts there. The name of a character is none of its letters."""

from __future__ import annotations

from collections.abc import Iterator

from terma import regex as re
from terma.offline.characters import CHARACTERS, PAIRS
from terma.offline.draft import Context
from terma.offline.tokens import Token
from terma.offline.trust.command import simples
from terma.offline.trust.facts import Facts

_PUTS = frozenset("to into with by as for".split())  # "A to B": B comes in place of A
_STANDS_IN = frozenset(("instead", "place"))  # "B instead of A", "B in place of A"
_BETWEEN = frozenset("a an the all every each of in case letters characters -".split())
_ACTS = frozenset("replace change turn convert swap substitute translate transform make exchange".split())
_UPPER = frozenset(("upper", "uppercase", "upper-case", "capital", "capitals"))
_LOWER = frozenset(("lower", "lowercase", "lower-case"))
_SED = re.compile(
    r"s(?P<by>[/|#,@:!])(?P<old>(?:\\.|(?!(?P=by)).)*)(?P=by)(?P<new>(?:\\.|(?!(?P=by)).)*)(?P=by)"
)
_EXPANDED = re.compile(r"\$\{\w+//?(?P<old>[^/}]+)/(?P<new>[^}]*)\}")
_ESCAPED = {
    "\\t": "\t",
    "\\n": "\n",
    "\\r": "\r",
    "\\\\": "\\",
    "\\.": ".",
    "\\/": "/",
    "\\|": "|",
    "\\-": "-",
}
_BLANKS = {"expand": ("\t", " "), "unexpand": (" ", "\t")}
_CASES = {"[:upper:]": "A-Z", "[:lower:]": "a-z"}


def in_place(facts: Facts, command: str, _: Context) -> bool:
    """Whether no text is taken for the one that comes in its place, and no character's name for its letters."""
    pairs = list(_said(facts))
    if not pairs:
        return True
    named = {token.text.lower() for pair in pairs for token in pair if token.text.lower() in CHARACTERS}
    for old, new in _done(command):
        for out, put in pairs:
            if _means(out, new) and _means(put, old) and not (_means(out, old) and _means(put, new)):
                return False
        if {old.lower(), new.lower()} & named:
            return False
    return True


_OF_TEXT = frozenset("sed grep egrep rg tr awk gawk cut sort perl".split())
_MARKS = (CHARACTERS.keys() | PAIRS) - {
    "dot",
    "period",
    "blank",
    "pipe",
    "plus",
    "equals",
    "dots",
    "periods",
    "pipes",
}
_WORD = re.compile(r"[a-z]+")


def by_their_sign(facts: Facts, command: str, _: Context) -> bool:
    """Whether marks are written as such: "what stands in brackets" is not taken away by `sed 's/brackets//'`."""
    tokens = facts.sentence.tokens
    named = {
        token.text.lower()
        for i, token in enumerate(tokens)
        if token.kind == "word"
        and not (i and tokens[i - 1].text.lower() in ("word", "words", "text", "string"))
    } & _MARKS
    return not named or not any(
        named & set(_WORD.findall(word))
        for simple in simples(command)
        if simple.program in _OF_TEXT
        for word in simple.words[1:]
        if word not in _things(facts)
    )


def _things(facts: Facts) -> frozenset[str]:
    """What the sentence has as a file or a path: `brackets.txt`."""
    return frozenset(token.text for token in facts.sentence.tokens if token.kind not in ("word", "ident"))


def _said(facts: Facts) -> Iterator[tuple[Token, Token]]:
    """(what goes, what comes in its place) as the sentence has them."""
    tokens = facts.sentence.tokens
    texts = [token.text.lower() for token in tokens]
    acts = bool(_ACTS & {token.norm for token in tokens})
    for i, text in enumerate(texts):
        before = _step(texts, i, -1)
        after = _step(texts, i, 1)
        if before < 0 or after >= len(tokens):
            continue
        if text in _PUTS and (acts or all(texts[at] in CHARACTERS for at in (before, after))):
            yield tokens[before], tokens[after]
        elif text in _STANDS_IN and texts[i + 1 : i + 2] == ["of"]:
            yield tokens[after], tokens[before]


def _step(texts: list[str], at: int, by: int) -> int:
    at += by
    while 0 <= at < len(texts) and texts[at] in _BETWEEN:
        at += by
    return at


def _done(command: str) -> Iterator[tuple[str, str]]:
    """(what goes, what comes in its place) as the command has them, characters as they are."""
    for simple in simples(command):
        if (
            simple.program == "tr"
            and len(simple.operands) == 2
            and not {"-d", "-s", "-c"} & set(simple.options)
        ):
            yield _plain(simple.operands[0]), _plain(simple.operands[1])
        elif simple.program in _BLANKS:
            yield _BLANKS[simple.program]
        for word in simple.words[1:]:
            for match in (*_SED.finditer(word), *_EXPANDED.finditer(word)):
                yield _plain(match["old"].strip("\"'")), _plain(match["new"].strip("\"'"))


def _plain(text: str) -> str:
    text = _CASES.get(text, text)
    return re.sub(r"\\.", lambda match: _ESCAPED.get(match[0], match[0]), text)


def _means(token: Token, text: str) -> bool:
    said = token.text.lower()
    if said in _UPPER | _LOWER:
        return text == ("A-Z" if said in _UPPER else "a-z")
    if said in CHARACTERS:
        return text in (_plain(CHARACTERS[said]), f"[{_plain(CHARACTERS[said])}]")
    return bool(text) and text == token.value
