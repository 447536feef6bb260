"""Turns what a session printed into frames: from where, up to where, and what is said at the end."""

from __future__ import annotations

import base64
import json
import math
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any

from terma.errors import UsageError
from terma.sessions import waiting
from terma.sessions.manager import Entry
from terma.sessions.ring import Readable
from terma.sessions.waiting import End, Piece, Wait

PIECE = 32 * 1024  # bytes in one frame
_LINES = 64 * 1024  # bytes that are looked through at once for newlines
_ROW = 4096  # bytes
Frames = AsyncGenerator[tuple[str, ...], None]
Arguments = dict[str, Any]


async def told(entry: Entry, at: int, want: Wait, gap: int = 0) -> Frames:
    """Output as frames, then the result."""
    position = at
    async with aclosing(waiting.wait(entry.session, at, want)) as parts:
        async for part in parts:
            if isinstance(part, Piece):
                gap += part.gap
                position = part.position
                if part.data:
                    yield printed(part.data, position)
            elif isinstance(part, End):
                if (
                    not want.raw and part.ended_by != "timeout"
                ):  # a flood goes on: what comes later is read later
                    position = entry.session.store.end
                result = outcome(entry, part.ended_by, part.state, part.exit_status, position, gap)
                modes = entry.session.modes
                if modes.alternate and at >= modes.since:
                    result["drawn"] = True  # all of this is of the screen, and its beginning is not among it
                yield done(result)


def start_of(store: Readable, cursors: Mapping[str, int], args: Arguments, cursor: str) -> int:
    """Where reading begins: where `args` says, else where this cursor stopped."""
    if args.get("tail") is not None:
        return tail_start(store, number(args, "tail", 10))
    if args.get("since") is not None:
        return int(min(number(args, "since", 0), store.end))
    if args.get("all") or args.get("head") is not None:
        return store.start
    return cursors.get(cursor, 0)


def place(store: Readable, told: str) -> int:
    """The position that `told` names: start, end or a number. Raises UsageError."""
    if told in ("start", "end"):
        return store.start if told == "start" else store.end
    if not told.isascii() or not told.isdigit():
        raise UsageError(f"{told!r} is no position"[:200], "a number, start or end")
    return min(int(told), store.end)


def tail_start(store: Readable, lines: int) -> int:
    """Where the last `lines` lines begin."""
    length = _LINES
    while lines > 0:
        at = max(store.end - length, store.start)
        block = store.read(at, store.end - at).removesuffix(b"\n")
        if block.count(b"\n") >= lines:
            cut = len(block)
            for _ in range(lines):
                cut = block.rfind(b"\n", 0, cut)
            return int(at + cut + 1)
        if at == store.start:
            return int(at)
        length *= 2
    return int(store.end)


def row_before(store: Readable, at: int) -> bytes:
    """What stands before position `at` in its row; nothing where that is too long to be one."""
    first = max(at - _ROW, store.start)
    before = store.read(first, at - first) if at > first else b""
    cut = before.rfind(b"\n")
    return before[cut + 1 :] if cut >= 0 or first == store.start else b""


def head_end(store: Readable, lines: int) -> int:
    """Where the first `lines` lines end."""
    at = store.start
    while lines > 0 and at < store.end:
        block = store.read(at, _LINES)
        found = -1
        for _ in range(lines):
            nearest = block.find(b"\n", found + 1)
            if nearest < 0:
                break
            found, lines = nearest, lines - 1
        at += len(block) if lines else found + 1
    return int(at)


def outcome(
    entry: Entry, ended_by: str, state: str, status: int | None, position: int | None = None, gap: int = 0
) -> dict[str, Any]:
    return (
        {
            "session": entry.name,
            "position": entry.session.store.end if position is None else position,
            "exit_status": status,
            "ended_by": ended_by,
            "state": state,
            "gap_bytes": gap,
            "alternate_screen": entry.session.modes.alternate,
        }
        | ({"drawn": True} if entry.drawn else {})
        | ({"lost": lost} if (lost := entry.session.loss) else {})
    )


def printed(data: bytes, position: int) -> tuple[str, ...]:
    return ("data", str(position), base64.b64encode(data).decode("ascii"))


def done(value: Mapping[str, Any]) -> tuple[str, ...]:
    return ("done", "json", json.dumps(value))


def number(args: Arguments, key: str, default: float) -> Any:
    """A number among the arguments, of the default's type. Raises UsageError for what is none."""
    value = args.get(key)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise UsageError(f"{key} wants a number, not {value!r}"[:200])
    return type(default)(value)
