"""Frames that come in parts, put together within bounds."""

from __future__ import annotations

from terma.errors import ProtocolError
from terma.records import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one connection, in seconds and counts."""

    hello: float = 10.0  # until the first frame
    quiet: float = 600.0  # between frames, while nothing is being answered
    request: float = 120.0  # for one answer
    drain: float = 15.0  # for a reader that does not read
    asks: int = 32  # at once
    settle: float = 1.0  # for the ask of a shell that has just connected, when the agent is leaving
    connections: int = 1000
    buffer: int = 256 * 1024  # bytes written and not yet taken
    parts: int = 8 * 2**20  # characters of the fields of one ask that come ahead of it
    all_parts: int = 32 * 2**20  # of all that wait for their ask


PART = 256  # what a piece costs beyond its characters, so that tiny ones are bounded as well


class Parts:
    """Fields that are too long for a frame, in pieces ahead of their ask. Gone when the connection ends."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._waiting: dict[str, dict[str, list[str]]] = {}
        self._sizes: dict[str, int] = {}

    def add(self, fields: list[str]) -> None:
        """One `part` frame: an ask's id, a field's name, the next piece of it. Raises ProtocolError."""
        if len(fields) != 3 or not all(fields[:2]) or fields[0] == "-" or len(fields[1]) > PART:
            raise ProtocolError("a part without an id, a key and a piece")
        ask, key, piece = fields
        if ask not in self._waiting and len(self._waiting) >= self._limits.asks:
            raise ProtocolError(f"parts of more than {self._limits.asks} asks at once")
        self._sizes[ask] = self._sizes.get(ask, 0) + len(piece) + PART
        if self._sizes[ask] > self._limits.parts or sum(self._sizes.values()) > self._limits.all_parts:
            raise ProtocolError("a request that is too long", "shorten what is asked")
        self._waiting.setdefault(ask, {}).setdefault(key, []).append(piece)

    def take(self, ask: str) -> dict[str, str]:
        """The fields that came ahead of this ask."""
        self._sizes.pop(ask, None)
        return {key: "".join(pieces) for key, pieces in self._waiting.pop(ask, {}).items()}
