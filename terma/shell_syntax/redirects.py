"""Redirections, here-documents among them, and what variables are given in front of a command."""

from __future__ import annotations

from abc import abstractmethod

from terma import regex as re
from terma.shell_syntax.nodes import (
    Assignment,
    DoubleQuoted,
    Escaped,
    HereDocument,
    Literal,
    Part,
    Redirect,
    SingleQuoted,
    Word,
)
from terma.shell_syntax.words import Words

_BASH = re.compile(r"(\d+|\{[A-Za-z_]\w*\})?(<<<|<<-|<<|<>|<&|>&|>>|>\||<|>)|()(&>>|&>)", re.ASCII)
_ZSH = re.compile(
    r"(\d|\{[A-Za-z_]\w*\})?(<<<|<<-|<<|<>|<&|>>&[|!]?|>&[|!]?|>>[|!]?|>[|!]?|<)|()(&>>[|!]?|&>[|!]?)",
    re.ASCII,
)
_SH = re.compile(r"(\d)?(<<-|<<|<>|<&|>&|>>|>\||<|>)()()", re.ASCII)
_LONG_NUMBER = re.compile(r"\d{2,}[<>]", re.ASCII)
_NUMBERS = re.compile(r"<\d*-\d*>", re.ASCII)
_SUBSTITUTION = re.compile(r"[<>]\(")
_SUBSCRIPT = r"(?:\[(?:[\w@*+/%,:.^ -]|\$\w+|\$\{\w+\}|\"[\w .@$-]*\")*\])?"
_ASSIGNED = re.compile(rf"([A-Za-z_]\w*)({_SUBSCRIPT})(\+?=)", re.ASCII)
_ZSH_ASSIGNED = re.compile(rf"(\w+)({_SUBSCRIPT})(\+?=)")
_SH_ASSIGNED = re.compile(r"([A-Za-z_]\w*)()(=)", re.ASCII)
_OPENED = re.compile(r"\w+\[")
_EXPANDED_ONCE = re.compile(r"[^$`\\\\\"'<>{}]*")  # nothing of it expands the second time
_DESCRIPTOR = re.compile(r"(?:\d+|\{\w+\})(?=[<>])")


class Redirects(Words):
    def redirect(self) -> Redirect | None:
        """The redirection that begins here, if one does."""
        char = self.peek()
        if not (char in "<>&{" or char.isdigit()) or not char:
            return None
        start = self.at
        dialect = self.dialect
        found = (_BASH if dialect.bash else _ZSH if dialect.zsh else _SH).match(self.text, start)
        if not dialect.bash and _LONG_NUMBER.match(self.text, start):
            self.fail("a number of two digits before a redirection")
        if not found:
            return None
        operator = found[2] or found[4]
        if not dialect.sh and _SUBSTITUTION.match(self.text, found.start(2)) and operator in "<>":
            if found[1]:
                self.fail("a number before a substitution")
            return None
        if dialect.zsh and _NUMBERS.match(self.text, found.start(2)):
            self.fail("a range of numbers in a name")
        self.at = found.end()
        if operator.endswith("!"):
            self.past_history()
        self.after_operator("<>&|!-(")
        self.gap()
        if _DESCRIPTOR.match(self.text, self.at):
            self.fail("a redirection where another one's file belongs")
        if operator in ("<<", "<<-"):
            return self._here_document(start, found[1] or "", operator)
        if self.peek() == "#":
            self.fail("a redirection without its file")
        target = self.word(value=True)
        if not target.parts:
            self.fail("a redirection without its file", incomplete=not self.peek())
        if dialect.bash and operator in ("<&", ">&"):
            self._duplicated(target)
        if dialect.zsh and target.text[1:2] == "(" and not _fits(operator, target.text[0]):
            self.fail("a substitution that gives what the redirection takes")
        return Redirect(*self.span(start), found[1] or "", operator, target)

    def _duplicated(self, target: Word) -> None:
        """What bash duplicates: it takes a `-` there for a word of its own, whatever stands behind it, and where the
        word is no number it is a file's name that bash expands twice, quotes or not."""
        if target.text[:1] == "-" and target.text != "-":
            self.fail("a word close behind a descriptor that is closed")
        if not _EXPANDED_ONCE.fullmatch(target.text):
            self.fail("a file's name that is expanded twice")

    def _here_document(self, start: int, descriptor: str, operator: str) -> Redirect:
        if self.dialect.sh and self.peek() == "<":
            self.fail("a here-string")
        here = self.at
        delimiter = self.word()
        quoted = any(not isinstance(part, Literal) for part in delimiter.parts)
        plain = all(
            isinstance(part, Literal | SingleQuoted | Escaped) or _plainly(part) for part in delimiter.parts
        )
        if (
            not plain
            or not re.fullmatch(r"[\w.!+:@%,/-]+", delimiter.text)
            or "\n" in self.text[here : self.at]
        ):
            self.fail("an unusual end of a here-document", incomplete=not delimiter.parts)
        if any(self.text.startswith("$", part.start - self.base) for part in delimiter.parts):
            self.fail("an unusual end of a here-document")
        document = HereDocument(*self.span(self.at), delimiter.text, quoted)
        self.pending.append((document, operator == "<<-"))
        return Redirect(*self.span(start), descriptor, operator, delimiter, document)

    def documents(self) -> None:
        """Behind a line's end: the bodies of the here-documents that it announced."""
        pending, self.pending = self.pending, []
        newline = self.at - 1
        for number, (document, strips) in enumerate(pending):
            if not number and self.until < 0 and self.text.find("\n", document.start - self.base) != newline:
                self.fail("a here-document behind a line that goes on")
            if self.until >= 0:
                self.fail("a here-document in backquotes")
            self._body(document, strips)

    def _body(self, document: HereDocument, strips: bool) -> None:
        start = self.at
        while True:
            if self.at >= len(self.text):
                self.fail("a here-document without its end", incomplete=True)
            end = self.text.find("\n", self.at)
            end = len(self.text) if end < 0 else end
            line = self.text[self.at : end]
            stripped = line.lstrip("\t") if strips else line
            if stripped == document.delimiter:
                break
            if self.substitutions and stripped.startswith(document.delimiter):
                self.fail("a here-document that may end within its line")  # as `E)` does in bash
            self.at = end + 1
        body = self.text[start : self.at]
        if not document.quoted and re.search(rf"\\\n\t*{re.escape(document.delimiter[-1:])}?", body + "\n"):
            self._joined_line(body)
        self.at = end
        parts: tuple[Part, ...] = (Literal(self.base + start, self.base + start + len(body), body),)
        if not document.quoted and body:
            parts = self.document_parts(body, start)
        for name, value in (
            ("parts", parts),
            ("start", self.base + start),
            ("end", self.base + start + len(body)),
        ):
            object.__setattr__(document, name, value)  # nobody has seen the tree yet

    def _joined_line(self, body: str) -> None:
        """A joined line may hide the end of the document, or make one: not the same to every shell."""
        lines = body.split("\n")
        for line in lines[:-2] if not lines[-1] else lines[:-1]:
            if (len(line) - len(line.rstrip("\\"))) % 2 and not line.rstrip("\\").strip():
                self.fail("a joined line in a here-document")
        if len(lines) > 1 and (len(lines[-2]) - len(lines[-2].rstrip("\\"))) % 2:
            self.fail("a joined line before the end of a here-document")

    @abstractmethod
    def document_parts(self, body: str, start: int) -> tuple[Part, ...]:
        """The parts of a here-document's body, which begins at `start`."""

    def assignment(self) -> Assignment | None:
        """The `NAME=value` that begins here, if one does."""
        start, dialect = self.at, self.dialect
        pattern = _ASSIGNED if dialect.bash else _ZSH_ASSIGNED if dialect.zsh else _SH_ASSIGNED
        found = pattern.match(self.text, start)
        if not found:
            if not dialect.sh and _OPENED.match(self.text, start):
                self._only_a_glob()
            return None
        self.at = found.end()
        append, subscript = found[3] == "+=", self._subscript(found[2], start + len(found[1]))
        if not dialect.sh and self.peek() == "(":
            words = self._array()
            if self.peek() and self.peek() not in " \t\n;&|)":  # bash has it go on, zsh begins a word
                self.fail("something close behind an array")
            return Assignment(
                *self.span(start), found[1], Word(*self.span(self.at), ()), append, words, subscript
            )
        if self.follows("\\\n"):
            self.fail("an assignment over two lines")
        value = self.word(value=True)
        return Assignment(*self.span(start), found[1], value, append, None, subscript)

    def _only_a_glob(self) -> None:
        """`name[` where a command begins: bash looks for the other bracket over blanks and operators."""
        if not re.compile(r"\w+\[[\w!^.-]*\][^\s=+]*(?=[\s;&|<>]|\Z)").match(self.text, self.at):
            self.fail("an unusual subscript")

    def _subscript(self, text: str, start: int) -> tuple[Part, ...]:
        return (Literal(self.base + start, self.base + start + len(text), text),) if text else ()

    def _array(self) -> tuple[Word, ...]:
        self.at += 1
        self.deeper()
        words: list[Word] = []
        while True:
            self.gap()
            while self.peek() == "\n":
                if self.pending:
                    self.fail("a here-document behind a line that goes on")
                self.at += 1
                self.gap()
            if self.peek() == ")":
                self.at += 1
                self.depth -= 1
                return tuple(words)
            if self.peek() == "#":
                self.fail("a comment to some, in an array")
            word = self.word()
            if not word.parts:
                self.fail("an array that is not closed", incomplete=not self.peek())
            words.append(word)


def _plainly(part: Part) -> bool:
    return isinstance(part, DoubleQuoted) and all(isinstance(one, Literal) for one in part.parts)


def _fits(operator: str, gives: str) -> bool:
    """Whether zsh takes a substitution that begins with `gives` behind a redirection."""
    return operator != "<&" and (gives in (operator[0], "=") or operator not in ("<", ">", ">|", ">!"))
