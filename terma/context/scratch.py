"""A private folder for programs that hand over text in a file alone: in memory where there is such a place."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

_PLAIN = re.compile(
    r"/[\w./+-]*\Z", re.ASCII
)  # no program reads anything else into such a path than the path


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    """An empty folder of mode 0700, removed afterwards with what is in it. On Linux it lies in memory: scrollback
    may hold secrets. Raises OSError when none can be made."""
    for base in (os.environ.get("XDG_RUNTIME_DIR", ""), "/dev/shm", tempfile.gettempdir(), "/tmp"):  # noqa: S108
        if _PLAIN.match(base) and os.access(base, os.W_OK | os.X_OK):
            break
    made = tempfile.mkdtemp(prefix="terma-", dir=base)
    try:
        yield Path(made)
    finally:
        shutil.rmtree(made, ignore_errors=True)
