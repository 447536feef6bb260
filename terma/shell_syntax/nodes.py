"""What a line of shell text is made of: commands, words, and the parts of words, each with its place in the text.

Places are offsets in code points, [start, end). Inside backquotes that hold escapes they are those of the whole
substitution, since its text is not the line's.
"""

from __future__ import annotations

from collections.abc import Iterator

from terma.records import dataclass


@dataclass(frozen=True, slots=True)
class Node:
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Literal(Node):
    """Unquoted characters that stand for themselves."""

    text: str


@dataclass(frozen=True, slots=True)
class Escaped(Node):
    """The character behind a backslash."""

    text: str


@dataclass(frozen=True, slots=True)
class SingleQuoted(Node):
    """`'…'`, or `$'…'` with its escapes decoded."""

    text: str


@dataclass(frozen=True, slots=True)
class DoubleQuoted(Node):
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Parameter(Node):
    """`$NAME` or `${…}`: `source` as it is written; `parts` what its braces hold beside the name."""

    source: str
    name: str
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class CommandSubstitution(Node):
    source: str
    script: Script


@dataclass(frozen=True, slots=True)
class ArithmeticExpansion(Node):
    source: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class ProcessSubstitution(Node):
    """`<(…)`, `>(…)`, zsh's `=(…)`."""

    source: str
    script: Script


@dataclass(frozen=True, slots=True)
class Glob(Node):
    """An unquoted wildcard, with what belongs to it: `*`, `?`, `[a-z]`, `+(a|b)`, zsh's `(.om)` and `(a|b)`."""

    text: str


@dataclass(frozen=True, slots=True)
class Brace(Node):
    """`{a,b}` as its alternatives, `{1..3}` as one alternative with the range as it is written."""

    source: str
    alternatives: tuple[tuple[Part, ...], ...]


@dataclass(frozen=True, slots=True)
class Tilde(Node):
    text: str


@dataclass(frozen=True, slots=True)
class CommandPath(Node):
    """zsh's `=name`: the path of that command."""

    text: str


Part = (
    Literal
    | Escaped
    | SingleQuoted
    | DoubleQuoted
    | Parameter
    | CommandSubstitution
    | ArithmeticExpansion
    | ProcessSubstitution
    | Glob
    | Brace
    | Tilde
    | CommandPath
)


@dataclass(frozen=True, slots=True)
class Word(Node):
    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        """As the program gets it; what expands stands as it is written."""
        return "".join(map(plain, self.parts))

    @property
    def literal(self) -> str | None:
        """The text of a word without any quotes, escapes or expansions, else None."""
        if len(self.parts) == 1 and isinstance(part := self.parts[0], Literal):
            return part.text
        return None


def plain(part: Part) -> str:
    """One part as the program gets it; what expands stands as it is written."""
    if isinstance(part, DoubleQuoted):
        return "".join(map(plain, part.parts))
    if isinstance(part, Parameter | CommandSubstitution | ArithmeticExpansion | ProcessSubstitution | Brace):
        return part.source
    return part.text


@dataclass(frozen=True, slots=True)
class Assignment(Node):
    """`NAME=value`: `array` holds the words of `NAME=(…)`, `subscript` the parts of `NAME[…]=`."""

    name: str
    value: Word
    append: bool = False
    array: tuple[Word, ...] | None = None
    subscript: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class HereDocument(Node):
    """The text under a line with `<<`. Its place is filled when the reader gets there, before anybody sees the tree."""

    delimiter: str
    quoted: bool
    parts: tuple[Part, ...] = ()

    @property
    def text(self) -> str:
        return "".join(map(plain, self.parts))


@dataclass(frozen=True, slots=True)
class Redirect(Node):
    """`descriptor` is the number or `{name}` in front of the operator, "" without one. `target` of `<<` is the
    delimiter."""

    descriptor: str
    operator: str
    target: Word
    document: HereDocument | None = None


@dataclass(frozen=True, slots=True)
class Simple(Node):
    """`words` in order, the assignments among the arguments of `export` and its like included as plain words too."""

    assignments: tuple[Assignment, ...]
    words: tuple[Word, ...]
    redirects: tuple[Redirect, ...]


@dataclass(frozen=True, slots=True)
class Compound(Node):
    """`kind`: group, subshell, if, for, select, while, until, case, repeat, always, function, coproc, test (`[[ … ]]`),
    arithmetic (`((…))`).

    `name` is the function's or the variable's. `words` are those in its head: the list of a `for`, the subject and the
    patterns of a `case`, the operands of `[[ … ]]`. `bodies` are its lists of commands in their order."""

    kind: str
    bodies: tuple[Script, ...] = ()
    words: tuple[Word, ...] = ()
    redirects: tuple[Redirect, ...] = ()
    name: str = ""


Command = Simple | Compound


@dataclass(frozen=True, slots=True)
class Pipeline(Node):
    """Commands joined by `|` or `|&`."""

    commands: tuple[Command, ...]
    negated: bool = False
    timed: bool = False


@dataclass(frozen=True, slots=True)
class Statement(Node):
    """Pipelines joined by `operators` (`&&`, `||`), with what ends them: `;`, `&`, a newline, zsh's `&!`, or ""."""

    pipelines: tuple[Pipeline, ...]
    operators: tuple[str, ...]
    terminator: str


@dataclass(frozen=True, slots=True)
class Script(Node):
    """A list of commands. `foreign`: it holds plain words of this dialect that are other shells' own syntax."""

    statements: tuple[Statement, ...]
    foreign: bool = False


def commands(script: Script) -> Iterator[Command]:
    """The commands right in `script`, those within compound commands left to them."""
    for statement in script.statements:
        for pipeline in statement.pipelines:
            yield from pipeline.commands
