"""Which files may be read without a second thought: those below the working directory that are nobody's secret."""

from __future__ import annotations

import os
from pathlib import Path

from terma.errors import UsageError
from terma.redact.private import is_private
from terma.text import one_line, sanitize
from terma.types import Risk

MAX_PATH = 4096


def resolved(path: str, cwd: str) -> Path:
    """The real file behind `path`, as the shell would find it from `cwd`. Raises UsageError for what is no path."""
    if not path.strip() or len(path) > MAX_PATH or "\0" in path:
        raise UsageError("that is no path")
    if sanitize(path) != path:
        raise UsageError(f"the path {one_line(path, 80)!r} holds characters that cannot be shown")
    if path.startswith("~/") or path == "~":
        path = str(Path("~").expanduser()) + path[1:]
    try:
        return Path(os.path.realpath(Path(cwd or "/") / path))
    except (OSError, ValueError, RuntimeError) as error:
        raise UsageError(f"{one_line(path, 80)}: {error}") from error


def risk(file: Path, cwd: str) -> Risk:
    """Low below `cwd`; medium outside of it, in hidden directories, and for files that hold keys as a rule."""
    reasons = []
    here = Path(os.path.realpath(cwd)) if cwd else None
    if here is None or not file.is_relative_to(here):
        reasons.append("it is outside the working directory")
    below = file.relative_to(here).parts if here is not None and file.is_relative_to(here) else file.parts
    if any(part.startswith(".") for part in below):
        reasons.append("it is hidden")
    if is_private(file):
        reasons.append("its name says that it holds secrets")
    return Risk("medium", tuple(reasons)) if reasons else Risk()
