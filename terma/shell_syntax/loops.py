"""Loops, with zsh's shorter forms of them, and the lists of commands that every compound holds."""

from __future__ import annotations

from terma import regex as re
from terma.shell_syntax.conditional import Conditional
from terma.shell_syntax.nodes import Compound, Script, Statement, Word

_BEHIND_NAME = re.compile(r"(?:in|do)?(?=[ \t\n;]|\Z)|[(;\n#]|\{|in\(")  # zsh takes other words for names
_VARIABLE = re.compile(r"[A-Za-z_]\w*", re.ASCII)


class Loops(Conditional):
    def expect(self, *words: str) -> str:
        """The one of `words` that must stand here, passed over."""
        self.blanks()
        word = self.keyword()
        if word not in words:
            self.fail(f"`{words[0]}` is missing", incomplete=not self.peek())
        self.at += len(word)
        return word

    def body(self) -> Script:
        """A list of commands that may not be empty."""
        script = self.script()
        if not script.statements:
            self.fail("an empty list of commands", incomplete=not self.peek())
        return script

    def _braces(self) -> Script | None:
        """zsh's `{ … }` in place of `then … fi` and `do … done`."""
        self.blanks()
        if not self.dialect.zsh or self.keyword() != "{":
            return None
        self.at += 1
        body = self.body()
        self.expect("}")
        return body

    def _while(self) -> Compound:
        start, kind = self.at, self.keyword()
        self.at += len(kind)
        condition = self.body()
        body = self._braces()
        if body is None:
            self.expect("do")
            body = self.body()
            self.expect("done")
        return Compound(*self.span(start), kind, (condition, body))

    def _for(self) -> Compound:
        start, kind = self.at, self.keyword()
        self.at += len(kind)
        self.blanks()
        if self.follows("((") and kind == "for" and not self.dialect.sh:
            self.at += 2
            head = self.at
            parts = self.arithmetic(also=";")
            words: tuple[Word, ...] = (Word(*self.span(head), parts),)
            self.blanks()
            if self.peek() == ";":
                self.at += 1
            return Compound(*self.span(start), kind, (self._loop_body(kind),), words)
        found = _VARIABLE.match(self.text, self.at)
        if not found:
            self.fail("an unusual loop")
        self.at = found.end()
        if self.peek() not in tuple(" \t\n;"):
            self.fail("an unusual loop", incomplete=not self.peek())
        self.blanks()
        if self.dialect.zsh and kind != "select" and not _BEHIND_NAME.match(self.text, self.at):
            self.fail("a loop over several variables")
        words = self._list()
        if self.peek() == "(":
            self.fail("an unusual loop", refused=not self.dialect.zsh)
        return Compound(*self.span(start), kind, (self._loop_body(kind),), words, (), found[0])

    def _list(self) -> tuple[Word, ...]:
        """The words of a loop, with what ends them."""
        self.newlines()
        if self.dialect.zsh and self.peek() == "(":
            self.at += 1
            words = self._words_until(")")
            self.at += 1
            return words
        if re.compile(r"in(?=[ \t\n;])").match(self.text, self.at):
            self.at += 2
            words = self._words_until(";\n")
            self._separator()
            return words
        if self.peek() == ";":
            self.at += 1
        return ()

    def _separator(self) -> None:
        if self.peek() == ";":
            self.at += 1
        elif self.peek() == "\n":
            self.newline()

    def _words_until(self, ends: str) -> tuple[Word, ...]:
        words: list[Word] = []
        while True:
            if ends == ")":
                self.gap()
            else:
                self.blanks()
            char = self.peek()
            if char and char in ends:
                return tuple(words)
            here = self.at
            word = self.word()
            if not word.parts or "\\\n" in self.text[here : self.at]:
                self.fail("an unusual loop", incomplete=not char)
            words.append(word)

    def _loop_body(self, kind: str) -> Script:
        self.newlines()
        word = self.keyword()
        if kind == "foreach":
            body = self.body()
            self.expect("end")
            return body
        if word == "do":
            self.at += 2
            body = self.body()
            self.expect("done")
            return body
        if word == "{" and not self.dialect.sh:
            self.at += 1
            body = self.body()
            self.expect("}")
            return body
        if not self.dialect.zsh:
            self.fail("`do` is missing", incomplete=not self.peek())
        return self._short()

    def _short(self) -> Script:
        """zsh's loop over one command."""
        start, pipeline = self.at, self.pipeline()
        return Script(*self.span(start), (Statement(*self.span(start), (pipeline,), (), ""),))

    def _repeat(self) -> Compound:
        start = self.at
        self.at += len("repeat")
        self.blanks()
        count = self.word()
        if not count.parts:
            self.fail("an unusual loop", incomplete=not self.peek())
        self.blanks()
        self._separator()
        return Compound(*self.span(start), "repeat", (self._loop_body("repeat"),), (count,))
