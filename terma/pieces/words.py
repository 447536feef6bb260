"""The words of one command: its subcommands, its options letter by letter with their values, and its operands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from terma.machine.described import mode
from terma.pieces.model import Piece
from terma.pieces.sources import Option, Source
from terma.pieces.texts import signal, special
from terma.pieces.values import alike, filled, named, own_form, passed

_BARE = ("tar", "ps", "ar")  # their first word may be options without a dash
# Their first operand is a script or a program, and what stands behind it is not theirs; so is what stands behind these
# options.
_RUN = frozenset("python python2 python3 node ruby perl bash zsh sh dash valgrind screen".split())
_SCRIPTS = {
    **dict.fromkeys(("python", "python2", "python3"), ("-m", "-c")),
    **dict.fromkeys(("bash", "zsh", "sh", "dash"), ("-c",)),
    "gdb": ("--args", "-args"),
}
_EACH = ("-exec", "-execdir", "-ok", "-okdir")
_DEEPEST = 3  # subcommands within subcommands
_NUMBER = re.compile(r"[-+]\d+$")


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


class Words:
    """Tells the words of the command `source` after its name, at `depth`."""

    def __init__(self, source: Source, words: Sequence[Written], depth: int) -> None:
        self.source = source
        self._top = source
        self._words = list(words)
        self._depth = depth
        self._at = 0
        self._handed = False  # behind a script: the words are its own
        self._lost = False  # behind a subcommand that nobody knows
        self._operands: list[tuple[int, Written]] = []
        self._given: set[str] = set()
        self._pieces: list[Piece] = []

    def pieces(self) -> list[Piece]:
        """In the order of the line."""
        ended = False
        self._bare()
        while self._at < len(self._words):
            word = self._words[self._at]
            self._at += 1
            if self._handed:
                self._add(word, "operand", self._with_extra("handed to what it runs", word), "terma")
            elif word.text == "--" and not ended:
                ended = True
                self._add(word, "option", "the options end here", "terma")
            elif not ended and word.text[:1] in ("-", "+") and self._is_option(word):
                self._option(word)
            elif self._keyed(word) or self._predicate(word) or self._subcommand(word):
                continue
            else:
                self._operands.append((len(self._pieces), word))
                self._handed = self.source.words[0] in _RUN
                self._pieces.append(Piece(word.start, word.end, word.raw, "operand", depth=self._depth + 1))
        self._tell_operands()
        return self._pieces

    def _add(
        self, word: Written, kind: str, says: str, source: str, raw: str = "", start: int = -1, end: int = -1
    ) -> None:
        self._pieces.append(
            Piece(
                word.start if start < 0 else start,
                word.end if end < 0 else end,
                raw or word.raw,
                kind,  # type: ignore[arg-type]
                says,
                source if says else "",
                self._depth + 1,
            )
        )

    def _look(self, name: str) -> Option | None:
        found = self.source.option(name)
        return found or (self._top.option(name) if self.source is not self._top else None)

    def _says(self, name: str, option: Option, value: str | None) -> str:
        self._given.add(name)
        program = self.source.words[0]
        if value is None:
            return option.of("…" if option.takes else None)  # it is not there yet
        return own_form(program, name, value) or option.of(named(program, value))

    def _is_option(self, word: Written) -> bool:
        if word.text[0] == "-" and len(word.text) > 1:
            return True
        return self._look(word.text) is not None or self._numbered(word.text) is not None

    def _numbered(self, text: str) -> Option | None:
        """`-5`, `+12`: how the program takes a number with that sign."""
        return self._look(f"{text[0]}NUM") if _NUMBER.match(text) else None

    def _next(self) -> Written | None:
        if self._at < len(self._words):
            self._at += 1
            return self._words[self._at - 1]
        return None

    def _option(self, word: Written) -> None:
        name, mark, joined = word.text.partition("=")
        found = self._look(word.text) or (self._look(name) if mark else None)
        if found:
            self._known(word, found, joined)
        elif self.source.words[0] in ("kill", "pkill", "killall") and (says := signal(word.text[1:])):
            self._add(word, "option", says, "terma")
        elif found := self._numbered(word.text):
            self._add(word, "option", found.of(word.text[1:]), found.source)
        elif word.text.startswith("--") or not self._cluster(word):
            self._add(word, "option", "", "")
            self._may_be_its_value(mark)

    def _may_be_its_value(self, mark: str) -> None:
        """Behind an option that nobody knows the next word may be its own, and says nothing by its place."""
        if not mark and self._at + 1 < len(self._words) and self._words[self._at].text[:1] != "-":
            value = self._words[self._at]
            self._at += 1
            self._add(value, "operand", value.extra, "terma")

    def _known(self, word: Written, found: Option, joined: str) -> None:
        name, mark, _ = word.text.partition("=")
        value = self._next() if found.takes and not mark else None
        self._handed = self._handed or word.text in _SCRIPTS.get(self.source.words[0], ())
        kind = "operator" if word.text in _EACH else "option"
        says = self._says(name, found, value.text if value else joined if mark else None)
        raw, end = (f"{word.raw} {value.raw}", value.end) if value else (word.raw, word.end)
        self._add(word, kind, says, found.source, raw, word.start, end)

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

    def _keyed(self, word: Written) -> bool:
        """`if=FILE`, as dd takes it."""
        name, mark, value = word.text.partition("=")
        found = self._look(f"{name}=") if mark else None
        if found:
            self._add(word, "option", found.of(value), found.source)
        return bool(found)

    def _predicate(self, word: Written) -> bool:
        """find's `!`, `(` and test's operators, which have no dash."""
        found = self._look(f"-{word.text}") if not word.text[:1].isalnum() and len(word.text) < 3 else None
        if found:
            self._add(word, "option", found.of(None), found.source)
        return bool(found)

    def _subcommand(self, word: Written) -> bool:
        if (
            self._operands
            or self._lost
            or len(self.source.words) > _DEEPEST
            or not self.source.has_commands
            or not word.plain
        ):
            return False
        child = self.source.child(word.text)
        if child is None:
            if len(self.source.words) == 1:
                self._add(word, "subcommand", "", "")
                self._lost = True
                return True
            return False
        says, source = self.source.about_child(child)
        self._add(word, "subcommand", says, source)
        self.source = child
        return True

    def _tell_operands(self) -> None:
        for number, (at, word) in enumerate(self._operands):
            says, source = self._operand(number, word, number == len(self._operands) - 1)
            self._pieces[at] = replace(self._pieces[at], says=says, source=source)

    def _operand(self, number: int, word: Written, is_last: bool) -> tuple[str, str]:
        is_last = is_last and number > 0
        number = self.source.place(number, self._given)
        says = mode(self.source.words[0], word.text) or special(self.source.words, number, word.text)
        role = self.source.operand(number, is_last)
        says = says or (passed(role) if word.text == "-" else "")
        told = self._with_extra(says or filled(role, word.text), word)
        return told, "terma" if told else ""

    def _with_extra(self, said: str, word: Written) -> str:
        return "; ".join(filter(None, (said, word.extra)))
