"""What stands behind a dollar sign or in backquotes: variables, arithmetic, and commands within the word."""

from __future__ import annotations

from abc import abstractmethod

from terma import regex as re
from terma.shell_syntax.nodes import (
    ArithmeticExpansion,
    CommandSubstitution,
    DoubleQuoted,
    Escaped,
    Glob,
    Literal,
    Parameter,
    Part,
    ProcessSubstitution,
    Script,
    SingleQuoted,
)
from terma.shell_syntax.quotes import ansi, backquoted
from terma.shell_syntax.scanner import MAX_DEPTH, Scanner

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]|[@*#?$!-]")
_ZSH_NAME = re.compile(r"[#+^=~]{0,3}(?:[A-Za-z_]\w*|[0-9]+|[@*?$!-])|#")
# `${` up to the name with what may stand before it; the name ends where an operator, `[`, or the brace begins
_BRACED = re.compile(r"\$\{([!#]?)([A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?$!-])")
# of zsh's flags all but those that read the value again (e, %) or take it for a name (P)
_ZSH_BRACED = re.compile(
    r"\$\{(?:\([A-OQ-Za-df-z@#~0-9.:/,_-]*\))?[#+^=~]{0,4}([A-Za-z_]\w*|[0-9]+|[@*?$!-]|(?=[:}$])|#(?=[}:]))"
)
_INDIRECT = re.compile(r"[A-Za-z_]\w*(?:\[[@*]\]|[*@])\}")
_IN_BRACES = re.compile(r"[^\s'\"\\$`(){}<>\[\]!]+|[ \t\[\]]+")
_ARITHMETIC = re.compile(r"[\w \t\n+\-*/%<>=&|^~?:,.\[\]#@]+", re.ASCII)
_SQUARE = re.compile(r"[\[\]]")
_QUOTED = re.compile(r"[^\"\\$`!]+")
_DOCUMENT = re.compile(r"[^\\$`!]+")


class Expansions(Scanner):
    @abstractmethod
    def script(self) -> Script:
        """The commands from here to what closes them."""

    @abstractmethod
    def nested(self, text: str, start: int) -> Script:
        """All of `text`, a text of its own that stands in this one from `start` to here, as a script."""

    def single_quoted(self) -> SingleQuoted:
        start = self.at
        end = self.text.find("'", start + 1)
        if end < 0:
            self.fail("an open quote", incomplete=True)
        self.at = end + 1
        self.begins_line(start)
        return SingleQuoted(*self.span(start), self.text[start + 1 : end])

    def ansi_quoted(self) -> SingleQuoted:
        start, at = self.at, self.at + 2
        while at < len(self.text) and self.text[at] != "'":
            if self.text[at] == "!":
                self.at = at
                self.history()
            at += 2 if self.text[at] == "\\" else 1
        if at >= len(self.text):
            self.fail("an open quote", incomplete=True)
        self.at = at + 1
        self.begins_line(start)
        return SingleQuoted(*self.span(start), ansi(self.text[start + 2 : at]))

    def double_quoted(self) -> DoubleQuoted:
        start = self.at
        self.at += 1
        parts = self._inside(_QUOTED, '"')
        if self.peek() != '"':
            self.fail("an open quote", incomplete=True)
        self.at += 1
        return DoubleQuoted(*self.span(start), tuple(parts))

    def document(self) -> tuple[Part, ...]:
        """All of this text as the body of a here-document whose delimiter is not quoted."""
        return tuple(self._inside(_DOCUMENT, ""))

    def _inside(self, run: re.Pattern[str], end: str) -> list[Part]:
        parts: list[Part] = []
        while self.at < len(self.text):
            start, char = self.at, self.text[self.at]
            if found := run.match(self.text, start):
                self.at = found.end()
                parts.append(Literal(*self.span(start), found[0]))
            elif char == end:
                break
            elif char == "\\":
                following = self.text[start + 1 : start + 2]
                if not following:
                    self.fail("a backslash at the end", incomplete=True)
                self.at += 2
                if following in ("$", "`", "\\", end or "\\"):
                    parts.append(Escaped(*self.span(start), following))
                elif following != "\n":
                    parts.append(Literal(*self.span(start), char + following))
            elif char == "!":
                self.history(quoted=True)
                self.at += 1
                parts.append(Literal(*self.span(start), char))
            else:
                parts.append(self.backquoted(quoted=True) if char == "`" else self.dollar(quoted=True))
        return parts

    def dollar(self, *, quoted: bool = False) -> Part:
        """What begins with the dollar sign here; the sign alone where nothing does."""
        start = self.at
        following = self.text[start + 1 : start + 2]
        if following == "\\" and self.text[start + 2 : start + 3] == "\n":
            self.fail("a line that is joined within an expansion")
        if following == "(":
            return self._parenthesized()
        if following == "{":
            return self._braced(quoted)
        if following == "[":
            self.fail("arithmetic in its old form")
        if following == "'" and not quoted:
            if not self.dialect.sh:
                return self.ansi_quoted()
            self.foreign = True
        if following == '"' and not quoted and self.dialect.bash:
            self.at += 1
            return self.double_quoted()
        found = (_ZSH_NAME if self.dialect.zsh else _NAME).match(self.text, start + 1)
        self.at = found.end() if found else start + 1
        if found and found[0] == "!" and self.dialect.zsh:
            self.past_history()
        if not found:
            return Literal(*self.span(start), "$")
        if self.dialect.zsh and not quoted and found[0] == "$" and self.peek() == "'":
            self.fail("a quote behind `$$`, in which zsh lets a backslash escape its end")
        return Parameter(*self.span(start), self.text[start : self.at], found[0].lstrip("+^=~"))

    def _parenthesized(self) -> Part:
        start = self.at
        if self.follows("$(("):
            self.at += 3
            parts = self.arithmetic()
            return ArithmeticExpansion(*self.span(start), self.text[start : self.at], parts)
        self.at += 2
        self.after_operator("(")
        script = self.substituted()
        return CommandSubstitution(*self.span(start), self.text[start : self.at], script)

    def substituted(self) -> Script:
        """The commands from here to the closing bracket, which is passed."""
        self.deeper()
        self.substitutions += 1
        pending, self.pending = self.pending, []
        script = self.script()
        if self.peek() != ")":
            self.fail("a substitution that is not closed", incomplete=not self.peek())
        if self.pending:
            self.fail("a here-document without its end")
        self.pending = pending
        self.at += 1
        self.substitutions -= 1
        self.depth -= 1
        return script

    def process(self) -> ProcessSubstitution:
        """At `<(`, `>(`, `=(`."""
        start = self.at
        self.at += 2
        script = self.substituted()
        if not script.statements:  # bash makes nothing of it, others a file's name
            self.fail("an empty substitution")
        return ProcessSubstitution(*self.span(start), self.text[start : self.at], script)

    def backquoted(self, *, quoted: bool = False) -> CommandSubstitution:
        start, at = self.at, self.at + 1
        while at < len(self.text) and self.text[at] != "`":
            if quoted and self.text[at] == '"':
                self.at = at
                self.fail("a quote in backquotes in quotes")
            if self.text[at] == "!":
                self.at = at
                self.history()
            at += 2 if self.text[at] == "\\" else 1
        if at >= len(self.text):
            self.fail("an open backquote", incomplete=True)
        self.at = at + 1
        source = self.text[start + 1 : at]
        if "\\\n" in source and "#" in source:  # bash joins the lines of a comment here, the others do not
            self.fail("a comment beside continued lines in backquotes")
        script = self.nested(backquoted(source), start) if "\\" in source else self.nested(source, start)
        return CommandSubstitution(*self.span(start), self.text[start : self.at], script)

    def arithmetic(self, closes: str = "))", also: str = "") -> tuple[Part, ...]:
        """The parts of an arithmetic expression up to `closes`, which is passed. `also`: more characters that it may
        hold."""
        parts: list[Part] = []
        open_brackets = square = 0
        self.deeper()
        while self.at < len(self.text):
            start, char = self.at, self.text[self.at]
            if found := _ARITHMETIC.match(self.text, start):
                self.at = found.end()
                for bracket in _SQUARE.findall(found[0]):
                    square += 1 if bracket == "[" else -1
                    if square < 0 and self.dialect.zsh:
                        self.fail("a bracket too many in arithmetic")
                parts.append(Literal(*self.span(start), found[0]))
            elif char == "$":
                parts.append(self.dollar(quoted=True))
            elif char == "`":
                parts.append(self.backquoted())
            elif char == ")" and not open_brackets:
                if square and self.dialect.zsh:  # zsh takes it for commands in two pairs of brackets
                    self.fail("a bracket that is not closed in arithmetic")
                if not self.follows(closes):
                    self.fail("a bracket too many in arithmetic")
                self.at += len(closes)
                self.depth -= 1
                return tuple(parts)
            elif char in "()!" or char in also:
                if char == "!":
                    self.history()
                open_brackets += (char == "(") - (char == ")")
                if open_brackets > MAX_DEPTH:
                    self.fail("it is nested too deeply")
                self.at += 1
                parts.append(Literal(*self.span(start), char))
            else:
                self.fail("something unusual in arithmetic")
        self.fail("arithmetic that is not closed", incomplete=True)

    def _braced(self, quoted: bool) -> Parameter:
        start = self.at
        found = (_ZSH_BRACED if self.dialect.zsh else _BRACED).match(self.text, start)
        if not found:
            self.fail("an unusual expansion")
        name = found[found.lastindex or 0]
        if not self.dialect.zsh and found[1] == "!" and not _INDIRECT.match(self.text, found.start(2)):
            self.fail("an expansion of what a variable names")
        self.at = found.end()
        self.deeper()
        counts = self.peek() == "[" or (
            self.peek() == ":" and self.text[self.at + 1 : self.at + 2] not in "-=?+#"
        )
        parts = self._operand(quoted, counts)
        self.depth -= 1
        if self.text.endswith("@P}", 0, self.at):
            self.fail("an expansion that is read again")
        return Parameter(*self.span(start), self.text[start : self.at], name, tuple(parts))

    def _operand(self, quoted: bool, counts: bool) -> list[Part]:
        """What stands behind the name in `${NAME…}`, to the brace, which is passed. `counts`: it is read as arithmetic,
        where what is quoted is read once more."""
        parts: list[Part] = []
        while self.at < len(self.text):
            start, char = self.at, self.text[self.at]
            if char == "}":
                self.at += 1
                return parts
            if found := _IN_BRACES.match(self.text, start):
                self.at = found.end()
                kind = Glob if set(found[0]) & set("*?[") else Literal
                parts.append(kind(*self.span(start), found[0]))
            elif counts and char in "'\"\\":
                self.fail("a quote in arithmetic")
            elif char == "\\" and self.text[start + 1 : start + 2] not in ("", "\n"):
                self.at += 2
                parts.append(Escaped(*self.span(start), self.text[start + 1]))
            elif char == "$":
                parts.append(self.dollar(quoted=quoted))
                if (
                    self.dialect.zsh
                    and "(" in self.text[start : self.at]
                    and "}" in self.text[start : self.at]
                ):
                    self.fail("a brace of commands within one of an expansion")
            elif char == "`":
                parts.append(self.backquoted(quoted=quoted))
            elif char == "'" and not quoted:
                parts.append(self.single_quoted())
            elif char == '"' and not (quoted and self.dialect.sh):
                parts.append(self.double_quoted())
            elif char == "!":
                self.history()
                self.at += 1
                parts.append(Literal(*self.span(start), char))
            else:
                self.fail("an unusual expansion")
        self.fail("an expansion that is not closed", incomplete=True)
