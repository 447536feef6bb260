"""Where the logs of runs are: one directory each, in the person's state directory."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from terma import paths
from terma.errors import UsageError

if TYPE_CHECKING:
    from terma.config.eyes import Log


def runs() -> Path:
    """The directory above all runs. Not created here."""
    return paths.state_dir() / "eyes"


def above(settings: Log) -> Path:
    """The directory that the settings name, else that of the state."""
    return Path(settings.directory).expanduser() if settings.directory else runs()


def last(above: Path) -> Path:
    """The newest run. Raises UsageError where there is none."""
    found = sorted((one for one in above.glob("*") if one.is_dir()), key=lambda one: one.stat().st_mtime)
    if not found:
        raise UsageError("no run is logged yet", "terma eyes run makes one")
    return found[-1]
