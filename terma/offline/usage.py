"""How often people type a word, and what they type beside it: counted in our authors' sentences (training/usage).

A word that few typed counts as any name (NAME), and what is no word as one of its kind ("<file>")."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from terma.offline import tables
from terma.offline.packed import Packed, Writer
from terma.offline.tokens import Token

BEGINS, ENDS, NAME = "<s>", "</s>", "<name>"
SMOOTH = 300  # times that two words count as having stood beside each other by chance


class Usage:
    """`words`: words and kinds, blanks between, first the `known` ones that count by themselves, and how often each
    was typed; `pairs`: of known ones that stood side by side, 65536 * number + number of the next, ascending, and
    `beside`: how often."""

    def __init__(
        self, words: str, known: int, times: Sequence[int], pairs: Sequence[int], beside: Sequence[int]
    ) -> None:
        self._words, self._known = words, known
        self._times, self._pairs, self._beside = times, pairs, beside

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """Word -> its place in the tables."""
        return {word: number for number, word in enumerate(self._words.split(" "))}

    @cached_property
    def _all(self) -> int:
        return sum(self._times)

    @classmethod
    def load(cls) -> Usage:
        """From the package; where the tables are missing or of another version, nothing is known."""
        try:
            return cls.read(tables.opened())
        except (OSError, ValueError, KeyError):
            return cls(f"{BEGINS} {ENDS} {NAME}", 3, (1, 1, 1), (), ())

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Usage:
        """From what training writes."""
        rows = data["beside"]
        pairs = [one << 16 | other for one, row in enumerate(rows) for other in row[::2]]
        return cls(
            data["words"], len(rows), data["times"], pairs, [seen for row in rows for seen in row[1::2]]
        )

    @classmethod
    def read(cls, run: Packed) -> Usage:
        """From packed tables. Raises KeyError, ValueError."""
        return cls(
            bytes(run.numbers("usage.words")).decode(), run.numbers("usage.known")[0], run.numbers("usage.times"),
            run.numbers("usage.pairs"), run.numbers("usage.beside"),
        )  # fmt: skip

    def write(self, writer: Writer) -> None:
        """Into tables to be packed."""
        writer.numbers("usage.words", array("B", self._words.encode()))
        for name, code, row in (
            ("known", "I", (self._known,)), ("times", "I", self._times), ("pairs", "I", self._pairs),
            ("beside", "H", self._beside),
        ):  # fmt: skip
            writer.numbers(f"usage.{name}", array(code, row))

    def rest(self) -> None:
        """Forget what is made anew of the tables in a millisecond."""
        self.__dict__.pop("numbers", None)

    def times(self, word: str) -> int:
        """How often the word was typed; 0 where hardly ever."""
        number = self.numbers.get(word)
        return self._times[number] if number is not None else 0

    def knows(self, word: str) -> bool:
        """Whether it was typed often enough to be known by itself."""
        return self.numbers.get(word, self._known) < self._known

    def fits(self, before: str, word: str, behind: str) -> float:
        """How much oftener the word stands between these two than anywhere."""
        return self._together(before, word) * self._together(word, behind)

    def _together(self, one: str, other: str) -> float:
        first, second = (self.numbers[word if self.knows(word) else NAME] for word in (one, other))
        key = first << 16 | second
        at = bisect_left(self._pairs, key)
        seen = self._beside[at] if at < len(self._pairs) and self._pairs[at] == key else 0
        share = self._times[second] / self._all
        return (seen + SMOOTH * share) / ((self._times[first] + SMOOTH) * share)


def heard_as(token: Token) -> str:
    """The word, or the kind of what is none."""
    is_word = token.kind == "word" and token.text.isalpha() and token.text.isascii()
    return token.text.lower() if is_word else f"<{token.kind}>"
