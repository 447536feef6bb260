"""The place in the text, and what is passed over there: blanks, joined lines, comments."""

from __future__ import annotations

from typing import NoReturn

from terma import regex as re
from terma.shell_syntax.dialects import Dialect
from terma.shell_syntax.errors import ShellSyntaxError
from terma.shell_syntax.nodes import HereDocument

MAX_DEPTH = 60  # things within things; seven Python frames each stay far below the interpreter's bound
MAX_LENGTH = 65_536  # code points
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
_GAP = re.compile(r"(?:[ \t]|\\\n)*")
_QUICK = re.compile(r"[ \t]*\^")
_JOINED = re.compile(r"(?:\\\n)+")


class Scanner:
    """`base` is the place of `text` in the line that was given; `flat`: every place is (base, until) of the whole."""

    def __init__(
        self, text: str, dialect: Dialect, *, base: int = 0, depth: int = 0, until: int = -1
    ) -> None:
        self.text, self.dialect, self.base, self.depth, self.until = text, dialect, base, depth, until
        self.at = 0
        self.foreign = False
        self.pending: list[
            tuple[HereDocument, bool]
        ] = []  # announced on this line; whether its tabs are stripped
        self.substitutions = depth  # how many substitutions are open here
        if len(text) > MAX_LENGTH:
            self.fail("it is too long")
        if found := _CONTROL.search(text):
            self.at = found.start()
            self.fail("a control character")

    def fail(self, message: str, *, incomplete: bool = False, refused: bool = False) -> NoReturn:
        raise ShellSyntaxError(message, self.place(self.at), incomplete=incomplete, refused=refused)

    def place(self, at: int) -> int:
        """The offset in the whole line of an offset in this text."""
        return self.base if self.until >= 0 else self.base + at

    def span(self, start: int) -> tuple[int, int]:
        """From `start` to here, in the whole line."""
        return (self.base, self.until) if self.until >= 0 else (self.base + start, self.base + self.at)

    def peek(self) -> str:
        """The character here, "" at the end."""
        return self.text[self.at : self.at + 1]

    def follows(self, prefix: str) -> bool:
        return self.text.startswith(prefix, self.at)

    def deeper(self) -> None:
        """One more thing is open; raises ShellSyntaxError where there are too many."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.fail("it is nested too deeply")

    def gap(self) -> None:
        """Over blanks and joined lines."""
        if self.at < len(self.text) and self.text[self.at] in " \t\\":
            self.at = _GAP.match(self.text, self.at).end()  # type: ignore[union-attr]

    def blanks(self) -> None:
        """Over blanks, joined lines and a comment: where a word or an operator may begin."""
        self.gap()
        if self.peek() != "#":
            return
        if self.dialect.zsh and self.dialect.prompt and self.substitutions:
            self.fail("a comment to some, in a substitution at a prompt")
        if self.dialect.comments:
            end = self.text.find("\n", self.at)
            self.at = len(self.text) if end < 0 else end

    def after_operator(self, extending: str) -> None:
        """A joined line whose first character is one of `extending` makes another operator of the one before it, for
        some shells; none of these is read."""
        if self.follows("\\\n"):
            found = _JOINED.match(self.text, self.at)
            if found and self.text[found.end() : found.end() + 1] in tuple(extending):
                self.fail("an operator over two lines")

    def past_history(self) -> None:
        """Behind a `!` that is part of an operator: the same."""
        self.at -= 1
        self.history()
        self.at += 1

    def loses_backslash(self, at: int) -> bool:
        r"""Whether zsh's prompt takes the backslash at `at` away and reads a bare `!`: `\! rm x` runs rm."""
        return self.dialect.zsh and self.dialect.prompt and self.text.startswith("\\!", at)

    def begins_line(self, start: int) -> None:
        """Behind a quoted text that began at `start`: where it went over a line's end, zsh's prompt takes what follows
        for the beginning of a line, where `^` reaches into the history."""
        if not (self.dialect.zsh and self.dialect.prompt):
            return
        if "\n" in self.text[start : self.at] and _QUICK.match(self.text, self.at):
            self.fail("`^` takes text from the history")

    def history(self, *, quoted: bool = False) -> None:
        """At a `!`: raises ShellSyntaxError where a prompt takes text of an earlier line in its place."""
        if not self.dialect.prompt:
            return
        following = self.text[self.at + 1 : self.at + 2]
        if following == '"' and quoted and not self.dialect.zsh:
            return
        if following == '"' and quoted:  # zsh drops both characters, and the string goes on
            self.fail("`!` before a quote", incomplete='"' not in self.text[self.at + 2 :])
        if following == ";" and self.dialect.zsh:  # `$!;` in zsh is what it is elsewhere
            return
        # `[!a]`: nobody's history holds a line that begins with what follows
        if following not in ("", " ", "\t", "\n", "=", "(") and self.text[self.at - 1 : self.at] != "[":
            self.fail("`!` takes text from the history")
