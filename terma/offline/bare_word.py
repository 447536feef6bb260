"""A bare word as a value: only with evidence, that nobody knows it otherwise or that something is called so."""

from __future__ import annotations

from functools import lru_cache

from terma.offline.draft import Context
from terma.offline.index import Entry, Index
from terma.offline.lexicon import LIGHT
from terma.offline.sentence import Sentence
from terma.offline.slot_types import FILE_TYPES, TEXTUAL, base_type
from terma.offline.tokens import Token
from terma.records import dataclass

ARTICLES = frozenset(("the", "a", "an", "my", "our", "your", "all", "new"))
PLACES = frozenset("to into in from as on at onto under inside within called by with named for".split())
# Never a value by themselves: they turn the meaning of what stands beside them.
FUNCTION = (
    frozenset(
        "not than more less after before until all only first last again even now when never always except "
        "both each here "
        "current other too still yet ever much many most new largest smallest newest oldest larger smaller".split()
    )
    | LIGHT
)
# Beside a word they say what it names: "the cups service", "user ann".
_NOUNS = {
    "imagename": ("image",), "process": ("process", "program"), "dir": ("directory",), "container": ("container",),
    "host": ("host", "server", "machine"), "userhost": ("host", "server"), "command": (), "text": (),
    "name": ("called",),
    "pattern": ("word", "string", "pattern", "text"), "commit": ("commit", "revision"), "value": (), "any": (),
    "file": ("file", "script"), "image": ("image",), "column": ("column", "field"), "number": (), "count": (),
    "key": (), "path": ("directory", "file"), "package": ("package", "module", "library"),
    "service": ("service", "unit"), "date": (),
}  # fmt: skip
_PATHS = FILE_TYPES | {"path", "dir"}
_PROGRAMS = frozenset(("program", "command", "package", "process", "service"))
_NEVER = frozenset("current here this working same other".split())
_GENERIC = frozenset(
    "user group file directory host server machine process container image branch commit package service port line "
    "word text string pattern number column field command program script user name path size date time".split()
)
# Names that everybody uses, though they are words too.
_USUAL = {
    "branch": frozenset("main master develop dev staging trunk HEAD".split()),
    "user": frozenset("root admin nobody postgres".split()),
    "remote": frozenset(("origin", "upstream")),
    "commit": frozenset(("HEAD", "main", "master")),
    "name": frozenset(
        "january february march april june july august september october november december".split()
    ),
    "out": frozenset(("main",)),
}
_RELATIVE = frozenset("previous next other same".split())  # one among several, and no name


@dataclass(frozen=True, slots=True)
class Seen:
    """A sentence prepared once for all entries: the cue words before and after each token, and what is unknown."""

    sentence: Sentence
    before: tuple[str, ...]
    after: tuple[str, ...]
    unknown: frozenset[int]  # tokens whose norm no knowledge uses
    tools: frozenset[str]  # programs that the knowledge is about

    @classmethod
    def of(cls, sentence: Sentence, index: Index) -> Seen:
        tokens = sentence.tokens
        unknown = frozenset(
            i
            for i, t in enumerate(tokens)
            if t.kind in ("word", "ident") and not t.stop and t.norm not in index.weight
        )
        return cls(
            sentence,
            tuple(_cue(tokens, i - 1, -1) for i in range(len(tokens))),
            tuple(_cue(tokens, i + 1, 0) for i in range(len(tokens))),
            unknown,
            index.tools,
        )


def _cue(tokens: tuple[Token, ...], i: int, step: int) -> str:
    while step and 0 <= i < len(tokens) and tokens[i].norm in ARTICLES:
        i += step
    if not 0 <= i < len(tokens):
        return ""
    return tokens[i].norm if tokens[i].kind in ("word", "ident") else "{}"


@lru_cache(maxsize=256)
def nouns_of(kind: str) -> tuple[str, ...]:
    """The nouns that say what a value of this type is."""
    base = base_type(kind)
    return _NOUNS.get(base, (base,))


@dataclass(frozen=True, slots=True)
class BareWord:
    """The `i`-th token of a sentence for the slot `name` of type `kind`. `cued`: a word beside it speaks for that."""

    entry: Entry
    name: str
    kind: str
    i: int
    token: Token
    seen: Seen
    context: Context
    cued: bool

    def score(self, score: float) -> float:
        """What `score`, by its type and its neighbours, becomes; 0 where it is no value."""
        base, token = base_type(self.kind), self.token
        exists = self.context.names().get(token.text) if base in _PATHS else None
        if exists is not None:
            return score + (0.4 if exists == (base == "dir") or base == "path" else 0.1)
        if self.seen.before[self.i] == "called":
            return score + 0.2
        plain = token.kind == "word"
        if plain and self._says_something_else(base):
            return 0.0
        if token.text in _USUAL.get(base, ()):
            return score + 0.35
        if plain and self._is_never(base):
            return 0.0
        return score + self._known(base, plain) + (self._of_plain(base) if plain else 0.0)

    @property
    def _has_noun(self) -> bool:
        """Whether a noun for such values stands beside it."""
        return bool({self.seen.before[self.i], self.seen.after[self.i]} & set(nouns_of(self.kind)))

    def _says_something_else(self, base: str) -> bool:
        text, left = self.token.text, self.seen.before[self.i]
        if text.lower() in _RELATIVE and base not in TEXTUAL:
            return True
        if base != "key" and self.token.norm in _GENERIC and (left == "current" or not self._has_noun):
            return True  # "the current user": a noun for such things is no value
        return len(text) > 5 and text.endswith("ly") and not self._has_noun  # "safely" says how, not what

    def _is_never(self, base: str) -> bool:
        text, beside = self.token.text, (self.seen.before[self.i], self.seen.after[self.i])
        if base in FILE_TYPES and not self._has_noun:
            return True  # nobody calls a file like that without saying so
        unknown = self.i in self.seen.unknown
        if "command" in (base, self.name) and unknown and not self.context.has_program(text):
            return True
        if base in ("env", "var") and not text.isupper() and "variable" not in beside:
            return True
        if text.lower() in _NEVER and base in _PATHS:
            return True
        # "the docker container web": the tool is not the value
        return self.token.norm == self.entry.tool and base not in _PROGRAMS | TEXTUAL

    def _known(self, base: str, plain: bool) -> float:
        """For a word that nobody knows otherwise, against one that the entry speaks of."""
        token, entry, found = self.token, self.entry, 0.0
        installed = base in _PROGRAMS and (
            token.text in self.seen.tools or self.context.has_program(token.text)
        )
        if self.i in self.seen.unknown or not plain or installed:
            found += 0.2
        elif token.text.lower() in FUNCTION:
            found -= 0.25 if self.cued else 0.5
        if token.norm in entry.words or token.norm == entry.tool:
            found -= 0.35
        elif token.norm in entry.also:
            found -= 0.1
        if token.text[:1].isupper() and self.i > 0:
            found += 0.15
        return found

    def _of_plain(self, base: str) -> float:
        found = -0.3 if self.i == 0 else 0.0
        if not self.cued:
            found -= 0.2 if base in _PATHS | TEXTUAL else 0.1
        if base == "path" and self.seen.before[self.i] not in PLACES | {"under", "of"} and not self._has_noun:
            found -= 0.3
        return found
