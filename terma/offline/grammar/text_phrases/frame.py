"""What a sentence about the text of a file says: the source, the chain of steps, where the result goes."""

from __future__ import annotations

from dataclasses import field

from terma.offline.sentence import Sentence
from terma.offline.tokens import Token
from terma.records import dataclass


@dataclass(slots=True)
class TextFrame:
    """Filled by this folder's phrases. `steps` are filters of a pipe with their ranks; `edits` are sed scripts that may
    run in place; `keeps` are (kind, text) tests of lines, kind `has`, `not`, `start`, `end`, `longer` and kin.
    `separator` is of columns ("" = blanks). `whole` is a finished command that needs nothing else."""

    sentence: Sentence
    sources: list[str] = field(default_factory=list)
    steps: list[tuple[int, str]] = field(default_factory=list)
    edits: list[str] = field(default_factory=list)
    keeps: list[tuple[str, str]] = field(default_factory=list)
    separator: str = ""
    columns: list[str] = field(default_factory=list)
    aggregate: str = ""
    condition: str = ""
    sort: set[str] = field(default_factory=set)
    sort_column: str = ""
    sink: str = ""
    append: bool = False
    whole: str = ""
    flags: set[str] = field(default_factory=set)

    def add(self, rank: int, step: str) -> None:
        """A filter of the pipe; lower ranks come first."""
        self.steps.append((rank, step))

    @property
    def after_sort(self) -> bool:
        return bool(self.sort) or any(rank >= SORT for rank, _ in self.steps)

    def token(self, index: int) -> Token | None:
        tokens = self.sentence.tokens
        return tokens[index] if 0 <= index < len(tokens) else None

    def low(self, index: int) -> str:
        token = self.token(index)
        return token.text.lower() if token else ""

    def words(self, start: int, end: int) -> set[str]:
        return {self.low(i) for i in range(start, end)}


SELECT, CUT, CHANGE, SORT, UNIQUE, LIMIT, COUNT = 10, 20, 30, 40, 50, 60, 70

MACROS = {
    "show": "show|print|display|list|output|give|get|view|extract|see",
    "in": "in|of|from|within|inside|on|at|for|through",
    "line": "line|row|entry|record",
    "word": "word|text|string|phrase|pattern|character|term|letter|keyword|substring|expression",
    "has": (
        "containing|contain|contains|with|mentioning|matching|match|including|include|having|have|"
        "holding|for|mention|matches"
    ),
    "del": "delete|remove|strip|drop|erase|discard|cut|trim|clear",
    "col": "column|field",
    "by": "by|on|according|using",
    "name": "named|called|name",
    "them": "it|them|those|that|they|result|results|output|lines",
    "all": "all|every|each|any",
}
