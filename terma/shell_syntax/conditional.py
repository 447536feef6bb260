"""`[[ … ]]` and `((…))`: the two tests that the shell's own grammar reads."""

from __future__ import annotations

from terma import regex as re
from terma.shell_syntax.commands import Commands
from terma.shell_syntax.nodes import Compound, Glob, Literal, Part, Word

_OPERATOR = re.compile(r"&&|\|\||(?:=~|==?|!=)(?=[ \t])|[<>](?!\()")
_REGEX = re.compile(r"(?:[\w.^*+?|{}\[\]:/@%=,~-]|[^\x00-\x7f]|\\[^\s])+", re.ASCII)
_PLAIN_BRACKETS = re.compile(r"[()]")
_UNARY = re.compile(r"-[a-zA-Z]")
_BINARY = re.compile(r"-(?:eq|ne|lt|le|gt|ge|nt|ot|ef)")
# Words by what they may be: u(nary), b(inary), w(ord); each of them may also be a word that means itself. What stands
# in brackets is an e(xpression), and no operand: zsh refuses `a < (b)`, and runs the lines behind it.
_PRIMARY = r"!*(?:[uw]b[uwb]|u[uwb]|[uwb]|e)"
_EXPRESSION = rf"{_PRIMARY}(?:[&|]{_PRIMARY})*"
_IN_BRACKETS = re.compile(rf"\({_EXPRESSION}\)")


class Conditional(Commands):
    def test(self) -> Compound:
        """`[[ … ]]`; `words` are its operands and operators, brackets left out."""
        start, open_brackets = self.at, 0
        words: list[Word] = []
        kinds = ""
        self.at += 2
        self.deeper()
        while True:
            self.gap()
            char = self.peek()
            if not char:
                self.fail("a test that is not closed", incomplete=True)
            if char in "\n#;":
                self.fail("an unusual test")
            if self._closes():
                break
            here = self.at
            if char == "(" or (char == ")" and open_brackets):
                self.at += 1
                open_brackets += 1 if char == "(" else -1
                kinds += char
            elif found := _OPERATOR.match(self.text, here):
                self.at = found.end()
                kinds += found[0][0] if found[0] in ("&&", "||") else "b"
                words.append(Word(*self.span(here), (Literal(*self.span(here), found[0]),)))
            else:
                if self.loses_backslash(here):
                    self.fail("`!` in a test")
                regex = bool(words) and words[-1].literal == "=~"
                word = self._regex() if regex else self.word()
                if not word.parts or "\\\n" in self.text[here : self.at]:
                    self.fail("an unusual test")
                words.append(word)
                kinds += _kind(word)
        if not _is_expression(kinds):
            self.fail("a test that no shell takes")
        if open_brackets or not words:
            self.fail("a test that is not closed")
        self.at += 2
        self.depth -= 1
        return Compound(*self.span(start), "test", words=tuple(words))

    def _closes(self) -> bool:
        return self.follows("]]") and self.text[self.at + 2 : self.at + 3] in ("", *" \t\n;&|()<>")

    def _regex(self) -> Word:
        """What stands behind `=~`: round brackets belong to it."""
        start = self.at
        parts: list[Part] = []
        open_brackets = 0
        while (char := self.peek()) and char not in " \t\n":
            here = self.at
            if found := _REGEX.match(self.text, here):
                self.at = found.end()
                parts.append(Glob(*self.span(here), found[0]))
            elif _PLAIN_BRACKETS.match(char):
                open_brackets += 1 if char == "(" else -1
                if open_brackets < 0:
                    self.fail("a bracket too many in a test")
                self.at += 1
                parts.append(Glob(*self.span(here), char))
            elif char == "$":
                parts.append(self.dollar())
            elif char == '"':
                parts.append(self.double_quoted())
            elif char == "'":
                parts.append(self.single_quoted())
            else:
                self.fail("an unusual pattern in a test")
        if open_brackets:
            self.fail("a bracket that is not closed in a test")
        return Word(*self.span(start), tuple(parts))

    def counted(self) -> Compound:
        """`((…))`."""
        start = self.at
        self.at += 2
        parts = self.arithmetic()
        return Compound(*self.span(start), "arithmetic", words=(Word(*self.span(start), parts),))


def _kind(word: Word) -> str:
    text = word.literal or ""
    if text == "!":
        return "!"
    return "u" if _UNARY.fullmatch(text) else "b" if _BINARY.fullmatch(text) else "w"


def _is_expression(kinds: str) -> bool:
    """Whether words of these kinds, with their brackets, are a test: a shell that refuses one line of several may
    still run the others."""
    before = ""
    while kinds != before:
        before, kinds = kinds, _IN_BRACKETS.sub("e", kinds)
    return re.fullmatch(_EXPRESSION, kinds) is not None
