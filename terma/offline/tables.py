"""The trained tables as the engine reads them: packed into one file, from the JSON files that `make train` writes."""

from __future__ import annotations

import json
import mmap
from functools import cache
from pathlib import Path

from terma.offline.packed import Packed, Writer

try:  # hashlib brings OpenSSL: 3 MB that the agent need not hold
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

BESIDE = Path(__file__).with_name(
    "tables.bin"
)  # written into the wheel by hatch_build.py, in place of the JSON files
CACHED = "offline-tables.bin"
_HERE = Path(__file__).parent
MEMORY = _HERE / "cases" / "memory.json"
ASSOCIATION = _HERE / "trust" / "association.json"
PAIRING = _HERE / "trust" / "pairing.json"
USAGE = _HERE / "usage.json"


@cache
def opened() -> Packed:
    """The wheel's own tables, else the cached ones of these files, else new ones (cached when they can be). Raises
    OSError, ValueError or KeyError where the files are missing or broken."""
    try:
        return _mapped(BESIDE, "")
    except (OSError, ValueError):
        pass
    from terma.offline.index import cache_file, compile_apart

    key, cached = stamp(), cache_file(CACHED)
    found = _cached(cached, key) or (_cached(cached, key) if compile_apart() else None) if cached else None
    return found or Packed(packed(key, whole=False))


def holds(path: Path, key: str) -> bool:
    """Whether the tables of `key` lie there, whole."""
    return _cached(path, key) is not None


def _cached(path: Path, key: str) -> Packed | None:
    try:
        return _mapped(path, key)
    except (OSError, ValueError, TypeError, AttributeError):  # broken
        return None


def _mapped(path: Path, key: str) -> Packed:
    with path.open("rb") as file:
        return Packed(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), key)


def stamp() -> str:
    """A key of the content: it changes when a trained file or the code that packs it does."""
    digest = blake2b(digest_size=12)
    for path in (MEMORY, ASSOCIATION, PAIRING, USAGE, Path(__file__), Path(__file__).with_name("packed.py")):
        with path.open("rb", buffering=0) as file:
            while part := file.read(1 << 16):  # in parts: what a whole file takes, the agent would keep
                digest.update(part)
    return digest.hexdigest()


def packed(key: str = "", whole: bool = True) -> bytes:
    """The tables as a file holds them, made from the JSON files. Not `whole`: without what takes longer to work out for
    all of them than for those that a few questions need. Raises OSError, ValueError, KeyError."""
    from terma.offline.cases.memory import Memory
    from terma.offline.trust.association import Association
    from terma.offline.trust.pairing import Pairing
    from terma.offline.usage import Usage

    writer = Writer()
    cases = json.loads(MEMORY.read_bytes())
    Memory.of(cases["rows"], cases["grafts"], cases["flags"], cases["several"]).write(writer, whole)
    Association.write(json.loads(ASSOCIATION.read_bytes()), writer)
    Pairing.of(json.loads(PAIRING.read_bytes())).write(writer)
    Usage.of(json.loads(USAGE.read_bytes())).write(writer)
    return writer.packed(key)
