"""An archive is packed as its name says: `tar -czf a.tar.xz` makes a file that is not what it is called."""

from __future__ import annotations

from terma import regex as re
from terma.offline.draft import Context
from terma.offline.trust.command import simples
from terma.offline.trust.facts import Facts

_BY_SUFFIX = {".gz": "-z", ".tgz": "-z", ".bz2": "-j", ".tbz2": "-j", ".xz": "-J", ".txz": "-J"}


def as_named(_: Facts, command: str, __: Context) -> bool:
    """Whether the letter that chooses how `tar` packs goes with the suffix of every archive that is named."""
    for simple in simples(command):
        chosen = (
            frozenset(_BY_SUFFIX.values()) & set(simple.options) if simple.program == "tar" else frozenset()
        )
        for word in simple.operands if chosen and "-c" in simple.options else ():
            wanted = _BY_SUFFIX.get("." + word.lower().rpartition(".")[2])
            if ".t" in word and wanted and wanted not in chosen:
                return False
    return True


_PACKED = re.compile(r"\.(?:gz|bz2|xz|zst|lz4|lzma)\Z", re.IGNORECASE)
_OF_TAR = re.compile(r"\.(?:tar(?:\.\w+)?|t\w{1,3})\Z", re.IGNORECASE)


def is_one(_: Facts, command: str, __: Context) -> bool:
    """Whether what `tar` is to read may be an archive of its: `old.gz` is one packed file."""
    return not any(
        _PACKED.search(word) and not _OF_TAR.search(word)
        for simple in simples(command)
        if simple.program == "tar" and not {"-t", "-x"}.isdisjoint(simple.options)
        for word in simple.words
    )
