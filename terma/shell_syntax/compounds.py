"""Conditions, groups and functions, with zsh's shorter forms of them; loops are beneath."""

from __future__ import annotations

from collections.abc import Callable

from terma import regex as re
from terma.shell_syntax.loops import Loops
from terma.shell_syntax.nodes import Command, Compound, Pipeline, Redirect, Script, Statement, Word

_FUNCTION_NAME = re.compile(r"[\w.:+@%,/-]+")
_BRACKETS = re.compile(r"[ \t]*\([ \t]*\)")


class Compounds(Loops):
    def compound(self) -> Compound | None:
        """The compound command that begins here with its redirections, if one does."""
        start = self.at
        char = self.peek()
        if char == "(":
            if self.follows("((") and not self.dialect.sh:
                found = self.counted()
            else:
                self.foreign = self.foreign or self.follows("((")
                found = self._subshell()
        elif word := self.keyword():
            reader = self._readers().get(word)
            if reader is None:
                if word == "nocorrect":
                    self._must_be_simple(start + len(word))
                    return None
                self.fail(f"`{word}` where a command belongs")
            found = reader()
        else:
            if char == "{" and self.dialect.zsh:
                self.fail("a brace where a command belongs")
            if (
                self.dialect.sh
                and char in "[fstc"
                and re.match(r"(?:\[\[|function|select|time|coproc)\s", self.text[self.at : self.at + 9])
            ):
                self.foreign = True
            return None
        return self._redirected(found, start)

    def _readers(self) -> dict[str, Callable[[], Compound]]:
        return {
            "if": self._if, "while": self._while, "until": self._while, "for": self._for, "select": self._for,
            "foreach": self._for, "case": self._case, "{": self._grouped, "function": self._function_word,
            "[[": self.test, "repeat": self._repeat, "coproc": self._coproc,
        }  # fmt: skip

    def _must_be_simple(self, at: int) -> None:
        """Behind `nocorrect` zsh takes no reserved word."""
        here, self.at = self.at, at
        self.blanks()
        if self.keyword():
            self.fail(f"`{self.keyword()}` behind `nocorrect`")
        self.at = here

    def _redirected(self, found: Compound, start: int) -> Compound:
        redirects: list[Redirect] = []
        while True:
            self.blanks()
            redirect = self.redirect()
            if not redirect:
                break
            redirects.append(redirect)
        if not redirects:
            return found
        return Compound(
            *self.span(start),
            found.kind,
            found.bodies,
            found.words,
            (*found.redirects, *redirects),
            found.name,
        )

    def _subshell(self) -> Compound:
        start = self.at
        self.at += 1
        self.after_operator("()")
        body = self.body()
        if self.peek() != ")":
            self.fail("a subshell that is not closed", incomplete=not self.peek())
        self.at += 1
        return Compound(*self.span(start), "subshell", (body,))

    def _grouped(self) -> Compound:
        start = self.at
        self.at += 1
        bodies = [self.body()]
        self.expect("}")
        kind = "group"
        here = self.at
        self.gap()
        if self.dialect.zsh and re.compile(r"always[ \t\n]+\{\s").match(self.text, self.at):
            self.at += len("always")
            self.newlines()
            self.expect("{")
            bodies.append(self.body())
            self.expect("}")
            kind = "always"
        else:
            self.at = here
        return Compound(*self.span(start), kind, tuple(bodies))

    def _if(self) -> Compound:
        start = self.at
        bodies: list[Script] = []
        self.at += 2
        word = "if"
        while word != "fi":
            if word != "else":
                bodies.append(self.body())
                if shorter := self._braces():
                    bodies.append(shorter)
                    self.blanks()
                    word = self.keyword()
                    if word not in ("elif", "else"):
                        if self.peek() not in ("", ";", "\n"):  # zsh takes `else` or the end alone
                            self.fail("a short `if` that goes on")
                        break
                    self.at += len(word)
                    if word == "elif":
                        continue
                    last = self._braces() or self.fail("`{` is missing")
                    bodies.append(last)
                    break
                self.expect("then")
            bodies.append(self.body())
            word = self.expect("fi") if word == "else" else self.expect("fi", "elif", "else")
        return Compound(*self.span(start), "if", tuple(bodies))

    def _case(self) -> Compound:
        start = self.at
        self.at += 4
        self.blanks()
        words = [self.word()]
        bodies: list[Script] = []
        self.newlines()
        if not words[0].parts or not re.compile(r"in(?=[ \t\n])").match(self.text, self.at):
            self.fail("an unusual case", incomplete=not self.peek())
        self.at += 2
        self.newlines()
        while self.keyword() != "esac":
            words += self._patterns()
            script = self.script()
            bodies.append(script)
            if self.peek() != ";":
                break
            if not self.follows(";;") and (self.dialect.sh or self.follows(";|") > self.dialect.zsh):
                self.fail("an unusual case")
            self.at += 2
            if self.peek() == "&" and self.dialect.bash:
                self.at += 1
            self.newlines()
        self.expect("esac")
        return Compound(*self.span(start), "case", tuple(bodies), tuple(words))

    def _patterns(self) -> list[Word]:
        if self.peek() == "(":
            self.at += 1
        words: list[Word] = []
        while True:
            self.gap()
            here = self.at
            word = self.word(head=True)
            self.gap()
            if not word.parts or "\n" in self.text[here : self.at] or self.peek() not in tuple("|)"):
                self.fail("an unusual case", incomplete=not self.peek())
            words.append(word)
            self.at += 1
            if self.text[self.at - 1] == ")":
                return words

    def _function_word(self) -> Compound:
        start = self.at
        self.at += len("function")
        self.blanks()
        found = _FUNCTION_NAME.match(self.text, self.at)
        if not found:
            self.fail("an unusual function", incomplete=not self.peek())
        self.at = found.end()
        if brackets := _BRACKETS.match(self.text, self.at):
            self.at = brackets.end()
        return self.function(found[0], start)

    def function(self, name: str, start: int) -> Compound:
        """The body of function `name`, whose definition began at `start`."""
        self.newlines()
        self.deeper()
        command = self.command() if not self.dialect.bash else self.compound()
        if command is None or (isinstance(command, Compound) and command.kind == "function"):
            self.fail("an unusual function", incomplete=not self.peek())
        self.depth -= 1
        return Compound(*self.span(start), "function", (_alone(command),), name=name)

    def _coproc(self) -> Compound:
        start, name = self.at, ""
        self.at += len("coproc")
        self.blanks()
        found = re.compile(r"([A-Za-z_]\w*)[ \t]+(?=[({])").match(self.text, self.at)
        if found and self.dialect.bash and not self.keyword():
            name, self.at = found[1], found.end()
        if self.keyword() == "coproc":
            self.fail("`coproc` behind `coproc`")
        body = _alone(self.command())
        return Compound(*self.span(start), "coproc", (body,), name=name)


def _alone(command: Command) -> Script:
    """A list of one command."""
    place = command.start, command.end
    return Script(*place, (Statement(*place, (Pipeline(*place, (command,)),), (), ""),))
