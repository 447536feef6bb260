"""What the person said to who may answer without being set: asked once about each, and kept.

A server that merely listens here, or a service for which some other program's key is in the environment, gets nothing
before the person has said yes. An answer is about one address and who is behind it: the account and the program that
listen, or the very key. Another one is another question.
"""

from __future__ import annotations

import json
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from terma import paths, reading

MAX_BYTES = 256 * 1024  # bytes of the file


class Permitted:
    """Reads its file anew for each question: a program may have written it meanwhile."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file

    def said(self, key: str) -> bool | None:
        """Whether the person allowed `key`; None when nobody asked yet."""
        entry = self._read().get(key)
        return entry.get("allowed") is True if isinstance(entry, dict) else None

    def say(self, key: str, allowed: bool, what: str) -> None:
        """Keep the person's answer about `key`, which was asked in the words `what`. Raises OSError."""
        when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        known = self._read() | {key: {"allowed": allowed, "asked": what, "when": when}}
        paths.write_atomic(self._path(), json.dumps(known, ensure_ascii=False, indent=1).encode())

    def _path(self) -> Path:
        return self._file or paths.state_dir() / "permitted.json"

    def _read(self) -> dict[str, Any]:
        with suppress(OSError, ValueError, RecursionError):
            found = json.loads(reading.whole(self._path(), MAX_BYTES))
            if isinstance(found, dict):
                return found
        return {}
