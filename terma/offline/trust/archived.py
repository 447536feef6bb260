"""An archive is packed as its name says: `tar -czf a.tar.xz` makes a file that is not what it is called."""

from __future__ import annotations

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
