"""A folder that everybody has at home is meant there, unless something is called so here: "Downloads" is
`~/Downloads`. The names are those of freedesktop.org's xdg-user-dirs, and macOS's Movies."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, pairwise
from pathlib import Path

from terma.offline.draft import Context
from terma.offline.sentence import Sentence
from terma.offline.trust.association import Association, places
from terma.offline.trust.command import Simple, simples
from terma.offline.trust.flow import ends
from terma.shell_syntax import BASH, ShellSyntaxError, parse
from terma.shell_syntax import nodes as tree

FOLDERS = frozenset("Desktop Documents Downloads Movies Music Pictures Public Templates Videos".split())
_BY_SMALL = {name.lower(): name for name in FOLDERS}
# What is called so is to be here; and no folder of home goes as a whole because none is here.
_HERE = frozenset(("mkdir", "touch", "ln", "rm", "rmdir", "shred"))
_SEARCHES = frozenset(("grep", "egrep", "fgrep", "rg", "ag", "ack"))  # for their first operand
_PACKED = frozenset(("tar", "bsdtar", "unzip"))  # members of an archive are no files of this machine
OF_FILES = 0.45  # share of the values at a place that are paths, from which on a word there is one


def ones_own(sentence: Sentence) -> frozenset[str]:
    """Those of which the sentence says that they are one's own: "my pictures"."""
    said = pairwise(token.text.lower() for token in sentence.tokens)
    return frozenset(word for before, word in said if before == "my" and word in _BY_SMALL)


def at_home(command: str, context: Context, table: Association, own: frozenset[str] = frozenset()) -> str:
    """The command, with `~/` before such a folder. In small letters it has to be there, or be called one's `own`."""
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
        if (name := _named(text := command[word.start : word.end], context, own)) and word.text in wanted
    ]
    for start, name, text in sorted(found, reverse=True):
        rest = text.removeprefix("~/")[len(name) :]
        command = f"{command[:start]}~/{name}{rest}{command[start + len(text) :]}"
    return command


def _paths(simple: Simple, table: Association) -> Iterator[str]:
    """The operands of a command that are paths; none of one that makes what it names, takes it away
    as a whole, or gives it another name."""
    given = list(islice(places(simple), simple.program in _SEARCHES, None))
    renamed = simple.program == "mv" and len(given) == 2 and given[0][1].rstrip("/").lower() in _BY_SMALL
    if renamed:
        return
    if simple.program in _HERE:
        given = [one for one in given if simple.program == "rm" and "/" in one[1].rstrip("/")]
    named = frozenset[str]().union(*ends(simple)) if simple.program in _PACKED else None
    for place, value in given:
        if named is not None and value not in named:
            continue  # what is in an archive
        program, _, option = place.rpartition(" ")
        behind = option.startswith("-")
        share = max(table.of_files(place), table.of_files(program) if behind else 0.0)  # `-r` takes no value
        if "/" in value or (share >= OF_FILES and not (behind and simple.program == "find")):
            yield value


def _named(text: str, context: Context, own: frozenset[str]) -> str:
    """The folder of home that a word begins with, as it is called there; "" for any other word."""
    first = text.removeprefix("~/").partition("/")[0]
    name = _BY_SMALL.get(first.lower(), "")
    if not name or (first in context.names() and not text.startswith("~/")):
        return ""
    if first in FOLDERS:
        return name
    meant = first in own or (first.islower() and (Path.home() / name).is_dir())
    return name if meant and not (Path.home() / first).is_dir() else ""
