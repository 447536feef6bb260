"""Whether a line is nothing but simple commands with plain words, and which: what may be compared with a list."""

from __future__ import annotations

from dataclasses import dataclass

from terma.shell_syntax import Dialect, ShellSyntaxError, parse, readings
from terma.shell_syntax import nodes as tree

_LONGEST = 4000  # code points


@dataclass(frozen=True, slots=True)
class SimpleWord:
    """A word as the program gets it, but for what the shell would still expand: that stands in `text` as it is
    written, and a mark says so. Each mark is about what is not quoted: `glob` (`*`, `?`, `[`), `brace` (`{a,b}`,
    `{1..3}`), `tilde` (`~`, `~name`), `expansion` (zsh's `=name`)."""

    text: str
    glob: bool = False
    brace: bool = False
    tilde: bool = False
    expansion: bool = False

    @property
    def expands(self) -> bool:
        """Whether the program may get other words than `text`."""
        return self.glob or self.brace or self.tilde or self.expansion


Commands = list[tuple[SimpleWord, ...]]


def simple_commands(source: str, shell: str = "") -> Commands | None:
    """The words of each simple command of `source`; None for a line that is more than that, or that the shells which
    may run it read differently, or that `shell` (its name; "" when nobody knows it) reads in its own way.

    `2>&1` and what goes to /dev/null is left out."""
    return agreed(source, readings(shell))


def agreed(source: str, dialects: tuple[Dialect, ...]) -> Commands | None:
    """What all of `dialects` read alike; None where there are none, or one of them reads it otherwise."""
    if not source.strip() or len(source) > _LONGEST or not dialects:
        return None
    found: Commands | None = None
    for dialect in dialects:
        try:
            script = parse(source, dialect)
        except ShellSyntaxError:
            return None
        commands: Commands = []
        if not _collect(script, commands, dialect) or not commands:
            return None
        if found is None:
            found = commands
        elif [[word.text for word in one] for one in found] != [
            [word.text for word in one] for one in commands
        ]:
            return None
        else:
            found = [tuple(map(_either, one, two)) for one, two in zip(found, commands, strict=True)]
    return found


def _either(one: SimpleWord, other: SimpleWord) -> SimpleWord:
    """A word that expands in one of two shells."""
    return SimpleWord(
        one.text,
        one.glob or other.glob,
        one.brace or other.brace,
        one.tilde or other.tilde,
        one.expansion or other.expansion,
    )


def _collect(script: tree.Script, commands: Commands, dialect: Dialect) -> bool:
    for statement in script.statements:
        if statement.terminator.startswith("&"):
            return False
        for pipeline in statement.pipelines:
            if pipeline.negated or pipeline.timed:
                return False
            for command in pipeline.commands:
                if not isinstance(command, tree.Simple) or command.assignments or not command.words:
                    return False
                if not all(map(_harmless, command.redirects)):
                    return False
                words = [_simple(word, dialect) for word in command.words]
                if None in words:
                    return False
                commands.append(tuple(word for word in words if word))
    return True


def _simple(word: tree.Word, dialect: Dialect) -> SimpleWord | None:
    """None for a word that holds a variable, arithmetic, or a command."""
    parts = word.parts
    inside = [
        one for part in parts for one in (part.parts if isinstance(part, tree.DoubleQuoted) else (part,))
    ]
    if any(
        isinstance(
            part,
            tree.Parameter | tree.CommandSubstitution | tree.ProcessSubstitution | tree.ArithmeticExpansion,
        )
        or (isinstance(part, tree.Brace) and not _still(part))
        for part in inside
    ):
        return None
    extended = dialect.zsh and any(
        isinstance(part, tree.Literal) and part.text.startswith("^") for part in parts
    )
    return SimpleWord(
        word.text,
        extended or any(isinstance(part, tree.Glob) for part in parts),
        any(isinstance(part, tree.Brace) for part in parts),
        any(isinstance(part, tree.Tilde) for part in parts),
        any(isinstance(part, tree.CommandPath) for part in parts),
    )


def _still(part: tree.Brace) -> bool:
    """Whether nothing in a brace's alternatives runs a command."""
    return all(
        isinstance(one, tree.Literal | tree.Escaped | tree.SingleQuoted | tree.Glob)
        or (isinstance(one, tree.Brace) and _still(one))
        for alternative in part.alternatives
        for one in alternative
    )


def _harmless(redirect: tree.Redirect) -> bool:
    target = redirect.target
    if redirect.document is not None or any(
        not isinstance(part, tree.Literal | tree.SingleQuoted | tree.Escaped) for part in target.parts
    ):
        return False
    if redirect.descriptor.startswith("{"):
        return False
    return (redirect.operator == ">&" and target.text.isdigit()) or (
        redirect.operator in (">", ">>", "&>") and target.text == "/dev/null"
    )
