"""Options in one word: `-xzf FILE` letter by letter, `tar xzf` without a dash."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from terma.pieces.values import alike

if TYPE_CHECKING:
    from terma.pieces.sources import Option, Source

_BARE = ("tar", "ps", "ar")  # their first word may be options without a dash


@dataclass(frozen=True, slots=True)
class Written:
    """One word: as the program gets it, as it is written at [start, end), and what can be said of it by itself, such as
    what its pattern matches. `plain`: nothing of it expands."""

    text: str
    raw: str
    start: int
    end: int
    extra: str = ""
    plain: bool = True


class Letters:
    """What `Words` knows of options that stand in one word."""

    if TYPE_CHECKING:
        source: Source
        _words: list[Written]
        _at: int

        def _look(self, name: str, value: str = "") -> Option | None: ...
        def _says(self, name: str, option: Option, value: str | None) -> str: ...
        def _next(self) -> Written | None: ...
        def _add(
            self,
            word: Written,
            kind: str,
            says: str,
            source: str,
            raw: str = "",
            start: int = -1,
            end: int = -1,
        ) -> None: ...

    def _cluster(self, word: Written, dash: str = "-", skip: int = 1) -> bool:
        """Letters in one word, the last with its value, which may be quoted; false, and nothing told, where the first
        is not known."""
        letters = word.text[skip:]
        first = self._look(dash + letters[0])
        plain = alike(word.raw, word.text)
        if first is None or plain <= skip:
            return False
        if skip and len(letters) > 1 and not (first.takes or first.joins) and self.source.spells:
            return False  # gcc's -O2 has a value, and find's -newer is no row of letters
        told: list[tuple[str, str, str, int, int]] = []
        for at, letter in enumerate(letters):
            option, rest, start = self._look(dash + letter), letters[at + 1 :], word.start + skip + at
            if skip + at >= plain:
                return False
            shown = letter if dash == "." or not skip else f"-{letter}"
            if option is None:
                told.append(("", "", shown, start, start + 1))
            elif rest and skip and (option.takes or (option.joins and not self._look(dash + rest[0]))):
                says = self._says(dash + letter, option, rest)
                raw = f"{shown}{word.raw[skip + at + 1 :]}"
                told.append((says, option.source, raw, start, word.end))
                break
            else:
                value = self._next() if option.takes else None
                says = self._says(dash + letter, option, value.text if value else None)
                raw = f"{shown} {value.raw}" if value else shown
                told.append((says, option.source, raw, start, start + 1))
        for one in told:
            self._add(word, "option", *one)
        return True

    def _bare(self) -> None:
        """`tar xzf`, `ps aux`: the first word."""
        name = self.source.words[0]
        if name not in _BARE or not self._words or not self._words[0].text.isalpha():
            return
        word = self._words[0]
        dash = "." if name == "ps" else "-"
        if all(self._look(dash + letter) for letter in word.text):
            self._at = 1
            self._cluster(word, dash, 0)
