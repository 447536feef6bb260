"""What is said of a program where it is to be started, and where an agent before this one left it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from terma.sessions.held.channel import HeldChannel


@dataclass(frozen=True, slots=True)
class Beginning:
    """A program to start, and the size of its terminal."""

    command: tuple[str, ...]
    environment: Mapping[str, str]
    cwd: str
    columns: int
    rows: int


@dataclass(slots=True)
class Found:
    """A program that an agent before this one left in the holder: what that agent knew of it (`state`, `log`), and
    what of its output is kept, from offset `start` on. `lost`: bytes that were printed since and are gone."""

    channel: HeldChannel
    state: Any
    start: int
    lost: int
    log: list[Any] = field(default_factory=list)
    kept: bytearray = field(default_factory=bytearray)
