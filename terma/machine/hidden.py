"""Whether a program takes a word that none of its lists has: a subcommand that it hides is still its own."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from terma import reading
from terma.machine import cargo, helps

ASKED = frozenset(
    "docker podman kubectl terraform".split()
)  # their help of a word is about it, or about all of them
# Written in C: each name that they compare a word with stands in their file, with a zero byte behind it.
STRINGS = frozenset(
    "systemctl loginctl timedatectl hostnamectl networkctl resolvectl systemd-analyze tmux openssl".split()
)
_PIECE = 8_000_000  # bytes that are looked at in one go
_MOST = 200_000_000


def hides(program: str, path: Path, words: tuple[str, ...]) -> bool:
    """Whether the last of `words` is a subcommand of `program`, the file at `path`, behind the others. May ask for
    help: half a second. Raises TimeoutError where that took too long."""
    if program in ASKED:
        return helps.is_own(program, path, words)
    if program in STRINGS:
        return _holds(path, words[-1].encode() + b"\0")
    if program == "cargo" and "-" in words[-1]:  # shorter words stand in any program's text
        return any(_holds(file, words[-1].encode()) for file in cargo.programs(path))
    return False


def _holds(path: Path, name: bytes) -> bool:
    """Whether a file has these bytes. Never raises."""
    with suppress(OSError, ValueError):
        for start in range(0, _MOST, _PIECE):
            piece = reading.head(path, _PIECE + len(name), start)
            if name in piece:
                return True
            if len(piece) < _PIECE:
                return False
    return False
