"""Folders are as large as what they hold."""

from __future__ import annotations

from itertools import pairwise

from terma.offline.draft import Context
from terma.offline.folder_options import REFUSING, not_taken
from terma.offline.trust.command import simples
from terma.offline.trust.facts import Facts

_FOLDERS = frozenset(("folders", "directories", "dirs", "subfolders", "subdirectories"))
_PLACES = frozenset("in of under from inside within below across all these those the my".split())


_ALL = frozenset(("all", "every", "only", "each", "just"))
_CONTENTS = frozenset("file everything content recursive recursively below inside".split())


def folders_alone(facts: Facts, command: str, _: Context) -> bool:
    """Whether "all directories" does not become all that is in them as well: `chmod -R` goes for files, too."""
    tokens = facts.sentence.tokens
    texts = [token.text.lower() for token in tokens]
    alone = any(
        text in _FOLDERS and not _ALL.isdisjoint(texts[max(0, i - 2) : i]) for i, text in enumerate(texts)
    )
    if not alone or not _CONTENTS.isdisjoint({token.norm for token in tokens} | set(texts)):
        return True
    return not any(
        simple.program in ("chmod", "chown", "chgrp") and {"-R", "--recursive"} & set(simple.options)
        for simple in simples(command)
    )


def taken_whole(facts: Facts, command: str, context: Context) -> bool:
    """Whether no folder is to go, or to be copied, without what is in it: `rm` and `cp` refuse that. One that is
    here is taken whole when the command is written (`offline/whole`)."""
    for simple in simples(command):
        if simple.program not in REFUSING:
            continue
        named = not_taken(simple.program, simple.options, simple.operands)
        if any(
            context.names().get(name.rstrip("/")) is None and _is_called_folder(facts, name) for name in named
        ):
            return False
    return True


# What reads a file and says no more of a folder than that it is one.
_READS_FILES = frozenset(
    "cat less more head tail nl tac wc sort uniq cut xxd hexdump strings md5sum sha1sum sha256sum".split()
)


def read_as_files(facts: Facts, command: str, context: Context) -> bool:
    """Whether no folder that is here is read as a file, and of no thing here only its name is said: "show src" is
    neither `cat src` nor `echo src`."""
    here, says = context.names(), any(token.text.lower() == "echo" for token in facts.sentence.tokens)
    for simple in simples(command):
        if simple.program in _READS_FILES and any(here.get(one.rstrip("/")) for one in simple.operands):
            return False
        if simple.program == "echo" and not (says or simple.writes) and here.keys() & {*simple.operands}:
            return False
    return True


def _is_called_folder(facts: Facts, name: str) -> bool:
    texts = [token.text.rstrip("/") for token in facts.sentence.tokens]
    return any(
        text == name.rstrip("/")
        and not _CALLED_FOLDER.isdisjoint(map(str.lower, texts[max(0, i - 1) : i] + texts[i + 1 : i + 2]))
        for i, text in enumerate(texts)
    )


_CALLED_FOLDER = frozenset(("folder", "directory", "dir"))


def weighed(facts: Facts, command: str, _: Context) -> bool:
    """How large folders are is not told by their own entries, nor by the files in them."""
    sized = [simple for simple in simples(command) if simple.program == "find" and "-size" in simple.words]
    if any(("-type", "d") in pairwise(simple.words) for simple in sized):
        return False
    tokens = facts.sentence.tokens
    asked = any(
        token.text.lower() in _FOLDERS and not (i and tokens[i - 1].text.lower() in _PLACES)
        for i, token in enumerate(tokens)
    )
    return not (asked and sized) or any(token.norm == "file" or token.kind == "ext" for token in tokens)
