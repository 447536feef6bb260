"""Options that were found, kept on disk by program and subcommand until the program's file is another."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

from terma import paths
from terma.machine.notation import Options

try:  # hashlib brings OpenSSL: 3 MB that the agent need not hold
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

FORMAT = 1  # one more whenever the reading of texts changes
_WORDS = ("long", "dashed", "letters", "takes", "joins")


def read(words: tuple[str, ...], version: str) -> Options | None:
    """What was kept for `words` (program, path, subcommand), unless it is of another version or damaged."""
    with suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
        kept = json.loads(_file(words).read_text(encoding="utf-8"))
        if kept["version"] == f"{FORMAT} {version}":
            found = {name: frozenset(kept[name].split()) for name in _WORDS}
            return Options(**found, commands=bool(kept["commands"]), sure=bool(kept["sure"]))
    return None


def write(words: tuple[str, ...], version: str, found: Options) -> None:
    """Keep `found`, over what was kept of an earlier version; a disk that cannot be written is no trouble."""
    kept = {name: " ".join(sorted(getattr(found, name))) for name in _WORDS}
    more = {"version": f"{FORMAT} {version}", "commands": found.commands, "sure": found.sure}
    with suppress(OSError):
        paths.write_atomic(_file(words), json.dumps(kept | more).encode())


def _file(words: tuple[str, ...]) -> Path:
    name = blake2b("\0".join(words).encode("utf-8", "replace"), digest_size=12).hexdigest()
    return paths.cache_dir() / "options" / f"{name}.json"
