"""What an archive holds: the names in it, read without unpacking anything, and the one of them that was meant."""

from __future__ import annotations

import tarfile
import time
import zipfile
from collections.abc import Iterable
from contextlib import suppress
from itertools import islice

from terma import reading
from terma.offline.explain.near import nearest
from terma.offline.explain.surroundings import Surroundings

_MAX = 5000  # names
_BUDGET = 0.05  # seconds of this thread's own work: a compressed tar is read from its beginning
_LARGEST = 1 << 28  # bytes of an archive that is looked into


def members(here: Surroundings, path: str) -> list[str]:
    """The names in the tar or zip archive `path`, as many as are read in a moment; [] when it is none."""
    file = here.at(path)
    found: list[str] = []
    with suppress(OSError, ValueError, EOFError, tarfile.TarError, zipfile.BadZipFile, RuntimeError):
        if not reading.is_regular(file) or file.stat().st_size > _LARGEST:
            return []
        if zipfile.is_zipfile(file):
            with zipfile.ZipFile(file) as zipped:
                return zipped.namelist()[:_MAX]
        end = time.thread_time() + _BUDGET
        with tarfile.open(file) as packed:
            for one in islice(packed, _MAX):
                found.append(one.name + "/" * one.isdir())
                if time.thread_time() > end:
                    break
    return found


def meant_member(word: str, names: Iterable[str]) -> str:
    """The member that `word` was to be: the same behind another beginning, the only one of that name, a slip away."""
    known = list(dict.fromkeys(names))
    bare = word.removeprefix("./").rstrip("/")
    step = bare.rpartition("/")[2]
    plain = {name: name.removeprefix("./").rstrip("/") for name in known}
    for found in (
        [name for name in known if plain[name] == bare],
        [name for name in known if plain[name].endswith(f"/{bare}")],
        [name for name in known if plain[name].rpartition("/")[2] == step],
    ):
        if found:
            return found[0].rstrip("/") if len(found) == 1 and found[0].rstrip("/") != word else ""
    near = nearest(word, [name.rstrip("/") for name in known], 2)
    return near[0] if len(near) == 1 else ""


def ends_early(here: Surroundings, path: str) -> bool:
    """Whether `path` begins as a zip archive and lacks the list at its end: it was cut off."""
    with suppress(OSError, ValueError):
        file = here.at(path)
        size = file.stat().st_size
        tail = reading.head(file, 1 << 16, max(size - (1 << 16), 0))
        return reading.head(file, 4) == b"PK\x03\x04" and b"PK\x05\x06" not in tail
    return False
