"""A line as its shell reads it: the simple commands and the pipelines in it, with their places."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from terma.offline.explain.line import program_at, words_of
from terma.shell_syntax import BASH, ShellSyntaxError, parse, readings
from terma.shell_syntax import nodes as tree


@dataclass(frozen=True, slots=True)
class Command:
    """`words` as the program gets them, without assignments and redirections, sudo and the like; [start, end) in the line."""

    words: tuple[str, ...]
    start: int
    end: int

    @property
    def program(self) -> str:
        """Its name without its folder, "" for one that only assigns."""
        return self.words[0].rpartition("/")[2] if self.words else ""


def script_of(line: str, shell: str) -> tree.Script | None:
    """The tree of `line`; None where no reading of that shell takes it."""
    for dialect in (*readings(shell), BASH):
        try:
            return parse(line, dialect)
        except ShellSyntaxError:
            continue
    return None


@lru_cache(maxsize=64)
def commands_of(line: str, shell: str = "bash") -> tuple[Command, ...]:
    """The simple commands of `line` in order, those inside of groups included; where it cannot be read, its parts."""
    script = script_of(line, shell)
    if script is None:
        words = words_of(line)
        parts = sorted({word.part for word in words})
        spans = [[word for word in words if word.part == part] for part in parts]
        return tuple(_bare(line[mine[0].start : mine[-1].end], mine[0].start) for mine in spans)
    return tuple(_bare(line[one.start : one.end], one.start, one) for one in simple(script))


def simple(script: tree.Script) -> Iterator[tree.Simple]:
    """The simple commands of a script, depth first."""
    for statement in script.statements:
        for pipeline in statement.pipelines:
            for command in pipeline.commands:
                if isinstance(command, tree.Simple):
                    yield command
                else:
                    for body in command.bodies:
                        yield from simple(body)


def _bare(text: str, start: int, node: tree.Simple | None = None) -> Command:
    """`text` is one simple command; its words as the tree has them, else cut here."""
    own = words_of(text)
    index = program_at(own, own[0].part) if own else -1
    if index < 0:
        return Command((), start, start + len(text))
    if node is None:
        words = tuple(word.value for word in own[index:] if not word.after)
    else:
        words = tuple(word.text for word in node.words if word.start - start >= own[index].start)
    return Command(words, start, start + len(text))
