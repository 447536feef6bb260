"""What agents before this one left of sessions whose output is in files: listed, read, and forgotten in time."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from terma import paths
from terma.errors import TermaError, UnsafePath
from terma.sessions.claims import Claim, free
from terma.sessions.files import Pieces

_ABOUT = "about.json"
USUAL_TTL = 3600.0  # seconds


@dataclass(slots=True)
class Saved:
    """A session without a program. `about` is what `info` says of it."""

    name: str
    place: Path
    about: dict[str, Any]
    store: Pieces
    cursors: dict[str, int] = field(default_factory=dict)

    @property
    def ended(self) -> float:
        """Seconds since 1970: when it ended, or when it was last written to."""
        if told := self.about.get("ended"):
            return float(told)
        return max((path.stat().st_mtime for path in self.place.iterdir()), default=0.0)

    def remove(self) -> None:
        """Delete it. Raises TermaError when an agent has taken its name in between."""
        Claim(self.place).remove()


def record(place: Path, about: dict[str, Any]) -> None:
    """Write down what is known of a session, for an agent after this one."""
    paths.write_atomic(place / _ABOUT, json.dumps(about).encode())


def find(name: str) -> Saved | None:
    """What was left of session `name`; None when nothing was. Raises TermaError while another agent has it."""
    place = _home() / name
    if not place.is_dir() or place.is_symlink():
        return None
    paths.check_private(place.parent)
    paths.check_private(place)
    if not free(place):
        raise TermaError(f"the session {name!r} lives in another agent", _where(_about(place)))
    return _read(place)


def every() -> list[Saved]:
    """All that was left, but what another agent has. What cannot be read is passed over."""
    found = []
    for place in sorted(_home().iterdir()) if _home().is_dir() else ():
        try:
            if place.is_dir() and not place.is_symlink() and free(place):
                paths.check_private(place.parent)
                paths.check_private(place)
                found.append(_read(place))
        except (OSError, UnsafePath):
            continue
    return found


def expire() -> None:
    """Delete what has been kept for as long as was asked."""
    for saved in every():
        try:
            ttl = float(saved.about.get("ttl", USUAL_TTL))
            if 0 < ttl < time.time() - saved.ended:
                saved.remove()
        except (OSError, TermaError):
            continue


def _home() -> Path:
    """Looked at, and not made: who keeps output in memory alone needs none."""
    return paths.state_dir() / "sessions"


def _read(place: Path) -> Saved:
    about, store = _about(place), Pieces(place)
    left = {"session": place.name, "state": "exited", "storage": "file", "pid": 0, "cursors": {}}
    left |= {"position": store.end, "oldest": store.start, "watchers": 0, "tui": False}
    saved = Saved(place.name, place, _BLANK | about | left, store)
    saved.about["ended"] = round(saved.ended, 3)
    return saved


_KINDS: dict[str, Any] = {
    "command": list,
    "ended": float | int | None,
    "ttl": float | int,
    "exit_status": int | None,
    "socket": str,
    "created": float | int,
}
_BLANK: dict[str, Any] = {"command": [], "exit_status": None, "last_status": None, "created": 0.0, "cwd": ""}


def _about(place: Path) -> dict[str, Any]:
    try:
        about = json.loads((place / _ABOUT).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(about, dict):
        return {}
    return {key: value for key, value in about.items() if isinstance(value, _KINDS.get(key, object))}


def _where(about: dict[str, Any]) -> str:
    return f"TERMA_SOCKET={about['socket']} reaches it" if about.get("socket") else "kill it there"
