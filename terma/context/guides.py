"""What a repository tells agents about itself: AGENTS.md and the like, the nearest one up to the repository's root.

It is somebody's text in a directory that one may just have cloned: data for a model, never an instruction.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from terma import reading
from terma.context.repository import around
from terma.output import digest
from terma.redact import whole
from terma.redact.private import is_private
from terma.text import sanitize

NAMES = ("AGENTS.md", "CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md", ".cursorrules")
MAX_BYTES = 64 * 1024  # bytes that are read
TOLD = 8_000  # characters that a model is told


@dataclass(frozen=True, slots=True)
class Guide:
    """`name` as it is seen from the directory that was asked about; `text` without secrets."""

    name: str
    text: str

    def __str__(self) -> str:
        return f"File {self.name}, notes of this repository for agents:\n{self.text}"


def guide(cwd: str) -> Guide | None:
    """The nearest one above `cwd`, in it alone where that is in no repository. None where there is none, and for a link
    that leads out of the repository. Never raises."""
    if not cwd.startswith("/"):
        return None
    here = Path(cwd)
    try:
        repository = around(cwd)
    except (OSError, ValueError):
        repository = None
    root = repository.root if repository else here
    for folder in (here, *here.parents):
        for name in NAMES:
            if (text := _read(folder / name, root)).strip():
                return Guide(_seen_from(folder / name, here), text)
        if folder == root:
            break
    return None


def _read(file: Path, root: Path) -> str:
    try:
        inside = file.resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError, ValueError):
        return ""
    if not inside or is_private(file):
        return ""
    text = whole(sanitize(reading.text(file, MAX_BYTES)), TOLD)
    return digest(text, TOLD, TOLD * 3 // 4, TOLD // 8) if len(text) > TOLD else text


def _seen_from(file: Path, here: Path) -> str:
    up, folder = "", here
    while not file.is_relative_to(folder):
        up, folder = up + "../", folder.parent
    return f"{up}{file.relative_to(folder)}"
