"""The words of one command: its subcommands, its options letter by letter with their values, and its operands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from terma.machine.described import mode
from terma.pieces.letters import Letters, Written
from terma.pieces.model import Piece
from terma.pieces.sources import Option, Source
from terma.pieces.texts import signal, special
from terma.pieces.values import filled, named, own_form, passed

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


class Words(Letters):
    """Tells the words of the command `source` after its name, at `depth`."""

    def __init__(
        self,
        source: Source,
        words: Sequence[Written],
        depth: int,
        general: Source | None = None,
        inner: bool = True,
    ) -> None:
        self.source = source
        self._top = general or source  # whose options hold for its subcommands too
        self._words = list(words)
        self._depth = depth
        self._at = 0
        self._handed = False  # behind a script: the words are its own
        self._lost = False  # behind a subcommand that nobody knows
        self._unsure = False  # a word that may be an option's value was passed over
        self._operands: list[tuple[int, Written, bool]] = []  # (place in the pieces, word, behind `--`)
        self._given: set[str] = set()
        self._pieces: list[Piece] = []
        self._inner = inner  # where it begins is known
        self.left = len(words)  # where a command begins that it runs

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
            elif self._keyed(word) or self._keyword(word) or self._predicate(word) or self._subcommand(word):
                continue
            elif not self._inner and len(self._operands) == self.source.runs(self._given):
                self.left = self._at - 1
                break
            else:
                self._operands.append((len(self._pieces), word, ended))
                self._handed = self.source.words[0] in _RUN and not self.source.is_other(self._given)
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

    def _look(self, name: str, value: str = "") -> Option | None:
        found = self.source.option(name, value)
        return found or (self._top.option(name, value) if self.source is not self._top else None)

    def _says(self, name: str, option: Option, value: str | None) -> str:
        self._given.add(name)
        program = self.source.words[0]
        if value is None:
            return option.of("…" if option.takes else None)  # it is not there yet
        option = self._look(name, value) or option
        return own_form(program, name, value, self._letter) or option.of(named(program, value))

    def _letter(self, name: str) -> str:
        found = self._look(name)
        return found.of(None) if found else ""

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
            self._unsure = True
            self._add(value, "operand", value.extra, "terma")

    def _known(self, word: Written, found: Option, joined: str) -> None:
        name, mark, _ = word.text.partition("=")
        given = [one for one in (self._next() for _ in range(0 if mark else found.takes)) if one]
        self._handed = self._handed or word.text in _SCRIPTS.get(self.source.words[0], ())
        kind = "operator" if word.text in _EACH else "option"
        value = " ".join(one.text for one in given) if given else joined if mark else None
        says = self._says(name, found, value)
        raw, end = " ".join([word.raw, *(one.raw for one in given)]), given[-1].end if given else word.end
        self._add(word, kind, says, found.source, raw, word.start, end)

    def _keyed(self, word: Written) -> bool:
        """`if=FILE`, as dd takes it."""
        name, mark, value = word.text.partition("=")
        found = self._look(f"{name}=") if mark else None
        if found:
            self._add(word, "option", found.of(value), found.source)
        return bool(found)

    def _keyword(self, word: Written) -> bool:
        """`dev eth0`, as ip takes it: a word of the subcommand's with its value."""
        more = self._words[self._at] if self._at < len(self._words) else None
        found = self.source.keyword(word.text) if more and more.text[:1] != "-" and word.plain else None
        if more and found:
            self._at += 1
            raw = f"{word.raw} {more.raw}"
            self._add(word, "option", found.of(more.text), found.source, raw, word.start, more.end)
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
        for number, (at, word, behind) in enumerate(self._operands):
            says, source = self._operand(number, word, behind)
            self._pieces[at] = replace(self._pieces[at], says=says, source=source)

    def _operand(self, number: int, word: Written, behind: bool) -> tuple[str, str]:
        of = len(self._operands)
        is_last = number == of - 1 and (number > 0 or self._unsure)
        place = self.source.place(number, self._given)
        says = mode(self.source.words[0], word.text) or special(self.source.words, place, word.text)
        role = self.source.operand(place, is_last)
        if behind and word.text[:1] == "-" and len(self.source.words) > 1 and self.source.words[0] != "git":
            role = (
                role if role and "{}" not in role else "handed to what it runs"
            )  # git's are files all the same
        if not says and (not role or (behind and self.source.parts)):
            called = self.source.called(number, of, behind, self._given)
            if called:
                return self._with_extra(called, word), "manual page"
        says = says or (passed(role) if word.text == "-" else "")
        told = self._with_extra(says or filled(role, word.text), word)
        return told, "terma" if told else ""

    def _with_extra(self, said: str, word: Written) -> str:
        return "; ".join(filter(None, (said, word.extra)))
