"""What stands before the colon of a far place is a host: `/mnt/b:photos` is none."""

from __future__ import annotations

from terma.offline.draft import Context
from terma.offline.trust.command import simples
from terma.offline.trust.facts import Facts

_COPIES = frozenset(("scp", "rsync", "sftp"))


def on_hosts(_: Facts, command: str, __: Context) -> bool:
    """Whether no path stands where a host belongs."""
    return not any(
        colon and place and "/" in host and "://" not in word
        for simple in simples(command)
        if simple.program in _COPIES
        for word in simple.operands
        for host, colon, place in (word.partition(":"),)
    )
