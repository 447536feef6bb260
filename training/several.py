"""Which commands take several files where they take one, as our authors wrote them: `dos2unix *.txt`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from terma.offline.cases.grafts import command_word
from terma.offline.trust.programs import SUBCOMMANDS
from terma.shell_syntax import BASH, ShellSyntaxError, parse
from terma.shell_syntax import nodes as tree

SEEN = 3  # different commands that give it several


def several(commands: Iterable[str]) -> list[str]:
    """The command words, sorted."""
    counted = Counter(name for command in sorted(set(commands)) for name in set(_given_several(command)))
    return sorted(name for name, count in counted.items() if count >= SEEN)


def _given_several(command: str) -> Iterator[str]:
    try:
        script = parse(command, BASH)
    except ShellSyntaxError:
        return
    yield from _of(script)


def _of(script: tree.Script) -> Iterator[str]:
    for statement in script.statements:
        for pipeline in statement.pipelines:
            for one in pipeline.commands:
                if isinstance(one, tree.Compound):
                    for body in one.bodies:
                        yield from _of(body)
                elif one.words and any(_is_pattern(word) for word in one.words[1:]):
                    yield command_word(one)
                elif one.words and (handed := _handed_several([word.text for word in one.words])):
                    yield handed


def _handed_several(words: list[str]) -> str:
    """What find or xargs runs on many at a time."""
    if words[0] == "find" and words[-2:] == ["{}", "+"] and "-exec" in words:
        words = words[words.index("-exec") + 1 : -2]
    elif words[0] == "xargs" and not {"-n", "-n1", "-I", "-I{}", "-i"} & set(words):
        words = [word for word in words[1:] if word[:1] != "-" and not word.isdigit()]
    else:
        return ""
    words = [word for word in words if word != "sudo"]
    name = " ".join(words[:2])
    return name if name.partition(" ")[0] in SUBCOMMANDS else "".join(words[:1])


def _is_pattern(word: tree.Word) -> bool:
    return any(isinstance(part, tree.Glob) and "*" in part.text for part in word.parts)
