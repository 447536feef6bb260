"""Where the logs of runs are: one directory each, in the person's state directory."""

from __future__ import annotations

from pathlib import Path

from terma import paths
from terma.errors import UsageError


def runs() -> Path:
    """The directory above all runs. Not created here."""
    return paths.state_dir() / "eyes"


def last(above: Path) -> Path:
    """The newest run. Raises UsageError where there is none."""
    found = sorted((one for one in above.glob("*") if one.is_dir()), key=lambda one: one.stat().st_mtime)
    if not found:
        raise UsageError("no run is logged yet", "terma eyes run makes one")
    return found[-1]
