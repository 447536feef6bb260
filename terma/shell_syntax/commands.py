"""Lists, pipelines and simple commands: the part of the grammar that every line uses."""

from __future__ import annotations

from abc import abstractmethod

from terma import regex as re
from terma.shell_syntax.names import DECLARATIONS
from terma.shell_syntax.nodes import (
    Assignment,
    Command,
    Compound,
    Literal,
    Pipeline,
    Redirect,
    Script,
    Simple,
    Statement,
    Word,
)
from terma.shell_syntax.redirects import Redirects

_KEYWORD = re.compile(r"(?:!|\{|\}|\[\[|[a-z]+)(?=[ \t\n;&|()<>]|\Z)")
CLOSING = frozenset("then elif else fi do done esac } end".split())
_FUNCTION = re.compile(r"\([ \t]*\)")
_NAME = re.compile(r"[\w.:+@%,/^-]+")


class Commands(Redirects):
    def keyword(self) -> str:
        """The reserved word that stands here, "" where none does."""
        found = _KEYWORD.match(self.text, self.at)
        return found[0] if found and found[0] in self.dialect.reserved else ""

    def newlines(self) -> None:
        """Over blanks, comments and line ends, with the here-documents that begin behind them."""
        self.blanks()
        while self.peek() == "\n":
            self.newline()
            self.blanks()

    def newline(self) -> None:
        self.at += 1
        if self.pending:
            self.documents()

    def script(self) -> Script:
        self.deeper()
        start = self.at
        statements: list[Statement] = []
        self.newlines()
        while self._begins():
            statement = self._statement()
            statements.append(statement)
            self.newlines()
            if not statement.terminator:
                break
        self.depth -= 1
        return Script(*self.span(start), tuple(statements), self.foreign)

    def _begins(self) -> bool:
        char = self.peek()
        if not char or char == ")" or (char == ";" and self.text[self.at + 1 : self.at + 2] in tuple(";&|")):
            return False
        return self.keyword() not in CLOSING

    def _statement(self) -> Statement:
        start = self.at
        pipelines, operators = [self.pipeline()], []
        while True:
            self.blanks()
            operator = self.text[self.at : self.at + 2]
            if operator not in ("&&", "||"):
                break
            self.at += 2
            self.newlines()
            operators.append(operator)
            pipelines.append(self.pipeline())
        return Statement(*self.span(start), tuple(pipelines), tuple(operators), self._terminator())

    def _terminator(self) -> str:
        """What ends a list here, passed over; "" at the end, before a bracket, or where the list goes on otherwise."""
        char, following = self.peek(), self.text[self.at + 1 : self.at + 2]
        if char == "\n":
            self.newline()
            return char
        if char == "&":
            self.at += 1
            if self.dialect.zsh and following in tuple("!|"):
                self.at += 1
                if following == "!":
                    self.past_history()
                return char + following
            self.after_operator("&>!|")
            return char
        if char == ";" and following not in tuple(";&|"):
            self.at += 1
            self.after_operator(";&|")
            return char
        return ""

    def pipeline(self) -> Pipeline:
        start = self.at
        negated = timed = False
        before = ""
        while word := self.keyword():
            if before == "!" and word in ("!", "coproc") and self.dialect.zsh:
                self.fail(f"`{word}` behind `!`", refused=True)
            before = word
            if word == "!":
                negated = True
            elif word == "time":
                timed = True
            else:
                break
            self.at += len(word)
            if word == "!":
                self.past_history()
            self.blanks()
            if timed and self.follows("-p") and self.text[self.at + 2 : self.at + 3] in ("", " ", "\t"):
                self.at += 2
                self.blanks()
        if timed and not self._starts():
            return Pipeline(*self.span(start), (), negated, timed)
        commands = [self.command()]
        while True:
            self.blanks()
            if self.peek() != "|" or self.follows("||"):
                return Pipeline(*self.span(start), tuple(commands), negated, timed)
            self.at += 1
            if self.peek() == "&" and not self.dialect.sh:
                self.at += 1
            else:
                self.after_operator("|&")
            self.newlines()
            if self.keyword() == "coproc" and self.dialect.zsh:
                self.fail("`coproc` behind `|`", refused=True)
            commands.append(self.command())

    def _starts(self) -> bool:
        return self.peek() not in ("", ";", "\n", "&", "|", ")")

    def command(self) -> Command:
        """One command, simple or compound."""
        self.blanks()
        if compound := self.compound():
            return compound
        return self.simple()

    @abstractmethod
    def compound(self) -> Compound | None:
        """The compound command that begins here, if one does."""

    @abstractmethod
    def function(self, name: str, start: int) -> Compound:
        """The body of function `name`, whose definition began at `start`."""

    def simple(self) -> Command:
        start = self.at
        assignments: list[Assignment] = []
        words: list[Word] = []
        redirects: list[Redirect] = []
        while True:
            self.blanks()
            char = self.peek()
            if redirect := self.redirect():
                redirects.append(redirect)
                continue
            if not char or (char in "\n;&|()" and not (char == "(" and words and self.dialect.zsh)):
                break
            if self.dialect.zsh and self.keyword() == "}":
                break
            if self.dialect.zsh and not words and (assignments or redirects) and self.keyword():
                self.fail("a reserved word behind an assignment")
            settable = not words or words[0].literal in DECLARATIONS
            if settable and (assignment := self.assignment()):
                assignments.append(assignment)
                words += [_as_word(assignment)] if words else []
                continue
            word = self._command_word(words)
            words.append(word)
            if len(words) == 1 and self.peek() in tuple("( \t") and self._is_function(word, start):
                if assignments or redirects:
                    self.fail("a function behind an assignment")
                return self.function(word.text, start)
        if self.peek() == "(":
            # bash may have extended patterns, which begin with one of these
            self.fail("a bracket behind a word", refused=self.text[self.at - 1] not in "?*+@!")
        if self.dialect.zsh and redirects and not words and char in ("&", "|"):
            self.fail("a redirection alone in front of an operator")
        if not words and not assignments and not redirects:
            self.fail("nothing where a command belongs", incomplete=not self.peek())
        return Simple(*self.span(start), tuple(assignments), tuple(words), tuple(redirects))

    def _command_word(self, words: list[Word]) -> Word:
        start = self.at
        if not words and self.loses_backslash(start):
            self.fail("`!` where a command begins")
        word = self.word(head=not words)
        if self.at == start:
            self.fail(f"{self.peek()!r} where a word belongs")
        if "\\\n" in self.text[start : self.at]:
            self._joined_word(word, first=not words)
        return word

    def _joined_word(self, word: Word, *, first: bool) -> None:
        """A reserved word, an assignment or a number before a redirection over two lines is not the same to all."""
        text = word.text
        if first and (
            text in self.dialect.reserved or re.match(r"\w+(\[.*\])?\+?=", text) or text in DECLARATIONS
        ):
            self.fail("a reserved word over two lines")
        if self.peek() in tuple("<>(") and (text.isdigit() or text.startswith("{") or self.peek() == "("):
            self.fail("an operator over two lines")

    def _is_function(self, word: Word, start: int) -> bool:
        here = self.at
        self.gap()
        if self.peek() != "(" or (here != self.at and not self.follows("()")):
            self.at = here
            return False
        found = _FUNCTION.match(self.text, self.at)
        if not found or word.literal is None or not _NAME.fullmatch(word.literal):
            self.fail("a bracket behind a word", incomplete=not self.text[self.at + 1 :].strip())
        self.at = found.end()
        return True


def _as_word(assignment: Assignment) -> Word:
    """The argument of `export` that gives a variable its value."""
    sign = "+=" if assignment.append else "="
    name = Literal(assignment.start, assignment.start + len(assignment.name), f"{assignment.name}{sign}")
    held = [part for word in assignment.array or () for part in word.parts]
    return Word(assignment.start, assignment.end, (name, *assignment.value.parts, *held))
