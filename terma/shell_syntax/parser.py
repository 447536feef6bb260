"""The way in: a text and a dialect become a tree, or a ShellSyntaxError."""

from __future__ import annotations

from functools import lru_cache

from terma import regex as re
from terma.shell_syntax.compounds import Compounds
from terma.shell_syntax.dialects import Dialect
from terma.shell_syntax.errors import ShellSyntaxError
from terma.shell_syntax.nodes import Part, Script

_QUICK = re.compile(r"^[ \t]*\^", re.MULTILINE)  # `^old^new` stands for the line before


class Parser(Compounds):
    def whole(self) -> Script:
        """All of the text as a script."""
        if self.dialect.prompt and not self.depth and _QUICK.search(self.text):
            self.fail("`^` takes text from the history")
        script = self.script()
        if self.at < len(self.text):
            self.fail(f"{self.text[self.at : self.at + 8]!r} where a command ends")
        if self.pending:
            self.fail("a here-document without its end", incomplete=True)
        return script

    def nested(self, text: str, start: int) -> Script:
        place = self.span(start)
        flat = self.until >= 0 or "\\" in self.text[start : self.at]
        base, until = (place[0], place[1]) if flat else (place[0] + 1, -1)
        inner = Parser(text, self.dialect, base=base, depth=self.depth + 1, until=until)
        inner.substitutions = self.substitutions + 1
        script = inner.whole()
        self.foreign = self.foreign or inner.foreign
        return script

    def document_parts(self, body: str, start: int) -> tuple[Part, ...]:
        inner = Parser(body, self.dialect, base=self.base + start, depth=self.depth + 1)
        inner.substitutions = self.substitutions
        return inner.document()


@lru_cache(64)
def parse(source: str, dialect: Dialect) -> Script:
    """`source` as `dialect` reads it. Raises ShellSyntaxError for all that is not fully understood."""
    try:
        return Parser(source, dialect).whole()
    except RecursionError as error:  # the caller's own stack was nearly full
        raise ShellSyntaxError("it is nested too deeply") from error
