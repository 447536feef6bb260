"""What stands in the file system already decides what a link or a folder may be called."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from terma.offline.draft import Context
from terma.offline.trust.command import simples
from terma.offline.trust.facts import Facts


def points(facts: Facts, command: str, context: Context) -> bool:
    """A link is not made to nothing, under a name that something has already. "A link from A to B" says for some that A
    is there, for others that B is: so A is, or nothing is sure."""
    starts = {"from", "to"} <= {token.text.lower() for token in facts.sentence.tokens}
    known = bool(context.cwd)
    for simple in simples(command):
        if simple.program != "ln" or len(simple.operands) != 2:
            continue
        name = _path(context.cwd, simple.operands[1])
        source = _path(str(name.parent) if "-s" in simple.options else context.cwd, simple.operands[0])
        taken = known and _is(name) and not _is(name, folder=True)
        if (starts or taken) and not (known and _is(source)):
            return False
    return True


def made(_: Facts, command: str, context: Context) -> bool:
    """A folder is not made in one that is not there."""
    for simple in simples(command):
        if simple.program == "mkdir" and not {"-p", "--parents"} & set(simple.options):
            for word in simple.operands:
                above = _path(context.cwd, word).parent
                if "/" in word.strip("/") and not (above.is_absolute() and _is(above, folder=True)):
                    return False
    return True


def _path(folder: str, word: str) -> Path:
    with suppress(RuntimeError):  # a home that nobody has
        return Path(folder, Path(word).expanduser())
    return Path(folder, word)


def _is(path: Path, folder: bool = False) -> bool:
    with suppress(OSError, ValueError):
        return path.is_dir() if folder else path.exists()
    return False
