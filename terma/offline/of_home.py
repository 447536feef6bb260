"""A folder that everybody has at home is meant there, unless something is called so here: "Downloads" is
`~/Downloads`. The names are those of freedesktop.org's xdg-user-dirs, and macOS's Movies."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from terma.offline.draft import Context
from terma.offline.trust.association import Association, places
from terma.offline.trust.command import Simple, simples
from terma.offline.trust.flow import ends
from terma.shell_syntax import BASH, ShellSyntaxError, parse
from terma.shell_syntax import nodes as tree

FOLDERS = frozenset("Desktop Documents Downloads Movies Music Pictures Public Templates Videos".split())
_BY_SMALL = {name.lower(): name for name in FOLDERS}
_MAKES = frozenset(("mkdir", "touch", "ln"))  # what is called so is to be here
_SEARCHES = frozenset(("grep", "egrep", "fgrep", "rg", "ag", "ack"))  # for their first operand
_PACKED = frozenset(("tar", "bsdtar", "unzip"))  # members of an archive are no files of this machine
OF_FILES = 0.45  # share of the values at a place that are paths, from which on a word there is one


def at_home(command: str, context: Context, table: Association) -> str:
    """The command, with `~/` before such a folder. In small letters it has to be there."""
    if not any(name in command.lower() for name in _BY_SMALL):
        return command
    try:
        script = parse(command, BASH)
    except ShellSyntaxError:
        return command
    wanted = {word for simple in simples(command) for word in _paths(simple, table)}
    found = [
        (word.start, name, text)
        for one in tree.commands(script)
        if isinstance(one, tree.Simple)
        for word in one.words[1:]
        if (name := _named(text := command[word.start : word.end], context)) and word.text in wanted
    ]
    for start, name, text in sorted(found, reverse=True):
        command = f"{command[:start]}~/{name}{text[len(name) :]}{command[start + len(text) :]}"
    return command


def _paths(simple: Simple, table: Association) -> Iterator[str]:
    """The operands of a command that are paths; none of one that makes what it names, or gives it another name."""
    given = list(islice(places(simple), simple.program in _SEARCHES, None))
    renamed = simple.program == "mv" and len(given) == 2 and given[0][1].rstrip("/").lower() in _BY_SMALL
    if simple.program in _MAKES or renamed:
        return
    named = frozenset[str]().union(*ends(simple)) if simple.program in _PACKED else None
    for place, value in given:
        if named is not None and value not in named:
            continue  # what is in an archive
        option = place.rpartition(" ")[2].startswith("-")
        if "/" in value or (table.of_files(place) >= OF_FILES and not (option and simple.program == "find")):
            yield value


def _named(text: str, context: Context) -> str:
    """The folder of home that a word begins with, as it is called there; "" for any other word."""
    first = text.partition("/")[0]
    name = _BY_SMALL.get(first.lower(), "")
    if not name or first in context.names():
        return ""
    return name if first in FOLDERS or (first.islower() and (Path.home() / name).is_dir()) else ""
