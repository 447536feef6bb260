"""Words: how a shell takes quotes, escapes, wildcards, braces and tildes apart, up to a blank or an operator."""

from __future__ import annotations

from terma import regex as re
from terma.shell_syntax.braces import with_braces
from terma.shell_syntax.expansions import Expansions
from terma.shell_syntax.nodes import (
    CommandPath,
    DoubleQuoted,
    Escaped,
    Glob,
    Literal,
    Part,
    SingleQuoted,
    Tilde,
    Word,
    plain,
)

_PLAIN = re.compile(r"[A-Za-z0-9_./:@%+,=\]{}^-]+|[^\x00-\x7f]+")
_BRACKETS = re.compile(r"\[[!^]?\]?(?:\[:\w+:\]|[^\]\s'\"`$\\;&|()<>/!])*\]")
_TILDE = re.compile(r"~(?:[A-Za-z_][\w.-]*|[+-]?\d*)(?=[/:]|[\s;&|<>()]|\Z)")
_ENDS = frozenset(" \t\n;&|<>()")
# What zsh's brackets may hold: alternatives, or qualifiers of a wildcard; no quotes, no expansions, no blanks. Empty
# ones behind an argument make the whole command a function of several names: `ls a() rm x`.
_GROUP = re.compile(r"\([\w.*?|~^#/:,@%=+\[\]-]+\)", re.ASCII)
_ALTERNATIVES = re.compile(r"\([^()]*[|~/?*][^()]*\)")
# The qualifiers that run code are `e` and `+`; a plus in front of a number compares.
_RUNS_CODE = re.compile(r"e|\+(?!\d)")
_EXTENDED = re.compile(r"[?*+@!]\([\w.*?|/:,@%=+\[\]-]*\)", re.ASCII)


def _leaves_something(part: Part) -> bool:
    """Whether anything of it is left in the word: empty quotes are gone before zsh looks for its first character."""
    return not isinstance(part, SingleQuoted | DoubleQuoted) or bool(plain(part))


class Words(Expansions):
    def word(self, *, value: bool = False, head: bool = False) -> Word:
        """The word that begins here, without parts where none does. `value`: it is what a variable is given, so that a
        tilde may stand after a colon. `head`: it is a command's first, behind which brackets define a function."""
        start = self.at
        parts: list[Part] = []
        braced = False
        while self.at < len(self.text):
            here, char = self.at, self.text[self.at]
            if found := _PLAIN.match(self.text, here):
                text = found[0]
                if (
                    text[0] == "="
                    and self.dialect.zsh
                    and not value
                    and not any(map(_leaves_something, parts))
                ):
                    if parts:
                        self.fail("a command's path behind empty quotes")
                    if "{" in text or "}" in text:
                        self.fail("a brace in a program's path")
                    parts.append(self._equals(found))
                    continue
                braced = braced or "{" in text or "}" in text
                self.at = found.end()
                parts.append(Literal(*self.span(here), text))
            elif char in _ENDS and not self._belongs(char, start, head):
                break
            elif char == "\\" and self.text[here + 1 : here + 2] == "\n":
                self.at += 2
            else:
                parts.append(self._special(char, start, parts, value))
        return Word(*self.span(start), self._finished(parts, braced))

    def _finished(self, parts: list[Part], braced: bool) -> tuple[Part, ...]:
        """Neighbouring plain texts as one; braces as what they stand for."""
        merged: list[Part] = []
        for part in parts:
            last = merged[-1] if merged else None
            if isinstance(part, Literal) and isinstance(last, Literal):
                merged[-1] = Literal(last.start, part.end, last.text + part.text)
            else:
                merged.append(part)
        if not braced:
            return tuple(merged)
        if self.dialect.sh:
            self.foreign = self.foreign or with_braces(merged)[0] != tuple(merged)
            return tuple(merged)
        found, open_ends = with_braces(merged)
        if open_ends and self.dialect.zsh:
            self.fail("a brace without its other one")
        return found

    def _belongs(self, char: str, start: int, head: bool) -> bool:
        """Whether a metacharacter is part of the word: `<(`, a wildcard's brackets."""
        if char in "<>":
            if self.dialect.sh or self.text[self.at + 1 : self.at + 2] != "(":
                return False
            if self.dialect.zsh and self.at != start:
                self.fail("a substitution within a word")
            return True
        if char != "(" or self.dialect.sh:
            return False
        if self.dialect.zsh:
            return not head
        return bool(
            self.at > start and self.text[self.at - 1] in "?*+@!" and _EXTENDED.match(self.text, self.at - 1)
        )

    def _special(self, char: str, start: int, parts: list[Part], value: bool) -> Part:
        here = self.at
        if char == "'":
            return self.single_quoted()
        if char == '"':
            return self.double_quoted()
        if char == "$":
            return self.dollar()
        if char == "`":
            return self.backquoted()
        if char in "<>":
            return self.process()
        if char == "(":
            return self._group(parts)
        if char == "\\":
            if here + 1 == len(self.text):
                self.fail("a backslash at the end", incomplete=True)
            self.at += 2
            if self.loses_backslash(here):
                return Literal(*self.span(here), "!")
            return Escaped(*self.span(here), self.text[here + 1])
        if char == "[":
            return self._bracket()
        if char == "~" and (here == start or (value and self.text[here - 1] in "=:")):
            return self._tilde()
        if char == "!":
            self.history()
        self.at += 1
        if char in "*?":
            return Glob(*self.span(here), char)
        return Literal(*self.span(here), char)

    def _group(self, parts: list[Part]) -> Glob:
        """Round brackets within a word: zsh's alternatives and qualifiers, bash's extended patterns."""
        here = self.at
        if self.dialect.bash:
            found = _EXTENDED.match(self.text, here - 1)
        else:
            found = _GROUP.match(self.text, here)
            if found and not _ALTERNATIVES.match(found[0]) and _RUNS_CODE.search(found[0]):
                found = None
        if not found:
            self.fail("a bracket within a word")
        self.at = found.end()
        return Glob(*self.span(here), self.text[here : self.at])

    def _bracket(self) -> Part:
        here = self.at
        if found := _BRACKETS.match(self.text, here):
            self.at = found.end()
            return Glob(*self.span(here), found[0])
        self.at += 1
        following = self.peek()
        lonely = not following or following in _ENDS or following == "["
        return (Literal if lonely else Glob)(*self.span(here), "[")

    def _tilde(self) -> Part:
        here = self.at
        if self.dialect.zsh and self.text[here + 1 : here + 2] == "[":
            self.fail("a directory that a function names")
        found = _TILDE.match(self.text, here)
        self.at = found.end() if found else here + 1
        return Tilde(*self.span(here), self.text[here : self.at])

    def _equals(self, found: re.Match[str]) -> Part:
        """A word of zsh's that begins with `=`: a command's path, or the file that a command's output is kept in."""
        here = self.at
        if found[0] == "=" and self.text[here + 1 : here + 2] == "(":
            return self.process()
        self.at = found.end()
        if (
            self.peek() and self.peek() not in _ENDS
        ):  # quoted, expanded, or on the next line: zsh looks at what comes out
            self.fail("a command's path in parts")
        return (Literal if found[0] == "=" else CommandPath)(*self.span(here), found[0])
