"""What was typed at the conversation's prompt, for the arrow keys: in a file of one's own, without secrets."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from prompt_toolkit.history import History

from terma.context import history
from terma.redact import redact

KEPT = 2_000  # lines
_SLACK = 500  # lines more before the file is written anew
_LONGEST = 10_000  # code points of a line that is kept


class FileHistory(History):
    """One JSON string a line, the newest last, mode 0600. A file that cannot be written is no error: the lines of this
    conversation are there all the same. Behind them come the commands of the shell's own history `of_shell`, which is
    only read."""

    def __init__(self, file: Path, of_shell: str = "") -> None:
        super().__init__()
        self._file = file
        self._of_shell = of_shell

    def load_history_strings(self) -> Iterable[str]:
        lines = self._lines()
        if len(lines) > KEPT + _SLACK:
            lines = lines[-KEPT:]
            self._replace(lines)
        return [*reversed(lines), *reversed(history.read(self._of_shell)[-KEPT:])]

    def store_string(self, string: str) -> None:
        text = redact(string[:_LONGEST]).text
        line = json.dumps(text, ensure_ascii=False) + "\n"
        with suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
            handle = os.open(self._file, flags, 0o600)
            try:
                os.fchmod(handle, 0o600)
                os.write(handle, line.encode("utf-8", "replace"))  # at once: another conversation writes too
            finally:
                os.close(handle)

    def _lines(self) -> list[str]:
        found: list[str] = []
        with suppress(OSError):
            for line in self._file.read_text(encoding="utf-8", errors="replace").splitlines():
                with suppress(ValueError):
                    text = json.loads(line)
                    if isinstance(text, str):
                        found.append(text)
        return found

    def _replace(self, lines: list[str]) -> None:
        from terma.paths import write_atomic

        with suppress(OSError):
            text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
            write_atomic(self._file, text.encode())
