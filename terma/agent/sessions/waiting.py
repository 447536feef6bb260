"""Waits for several sessions at once, or tells each time that one comes to rest: for who has work in more than one."""

from __future__ import annotations

import asyncio
import base64
import json
import time
from collections.abc import Mapping, Sequence

from terma.agent.sessions.output import PIECE, Arguments, Frames, done, number
from terma.agent.sessions.typing import LONGEST
from terma.errors import UsageError
from terma.sessions.manager import Entry
from terma.sessions.session import EXITED, IDLE, Typed
from terma.sessions.waiting import Eyes

_SHORTEST, _LONGEST = 0.02, 60.0  # seconds between two looks


async def several(entries: Sequence[Entry], args: Arguments) -> Frames:
    """What is printed by any of `entries` (with `stream`: items of session, position and base64), then why it ended:
    idle, exit or timeout, and in which. Raises UsageError for none."""
    if not entries:
        raise UsageError("wait wants a session")
    deadline = time.monotonic() + min(float(number(args, "timeout", 30.0)), LONGEST)
    places = {entry.name: entry.cursors.get("", 0) for entry in entries}
    eyes = {entry.name: _eyes(entry) for entry in entries}
    unsure = {entry.name: entry.session.store.end for entry in entries if entry.session.state() == "unsure"}
    while True:
        ended = [(entry, _ended(entry, eyes[entry.name], args, unsure)) for entry in entries]
        for entry in entries if args.get("stream") else ():
            for item, behind in _printed(entry, places[entry.name]):
                places[entry.name] = behind
                yield item
        over = [(entry.name, how) for entry, how in ended if how]
        left = deadline - time.monotonic()
        if over or left <= 0:
            break
        looks = [max(one.due(), _SHORTEST) for one in eyes.values()] if args.get("until") == "idle" else []
        await _any_change(entries, min([left, *looks]))
    name, how = over[0] if over else (entries[0].name, "timeout")
    yield done({"session": name, "ended_by": how, "sessions": [_brief(entry) for entry in entries]})


async def watched(entries: Sequence[Entry], args: Arguments) -> Frames:
    """An item about no session when it has begun, then one about a session each time that its command has ended, or it
    waits for somebody, or has exited; until all have exited."""
    rests = {entry.name: _Rests(entry) for entry in entries}
    yield ("item", json.dumps({"session": None}))  # from here on nothing is missed
    while True:
        for entry in entries:
            if rests[entry.name].came():
                yield ("item", json.dumps(_brief(entry)))
        live = [entry for entry in entries if entry.session.phase != EXITED]
        if not live:
            break
        await _any_change(live, min(rests[entry.name].due() for entry in live))
    yield done({"sessions": [_brief(entry) for entry in entries]})


class _Rests:
    """Sees one session come to rest, once each time."""

    def __init__(self, entry: Entry) -> None:
        self._session = entry.session
        self._eyes = _eyes(entry)
        self._ends, self._since = entry.session.ends, self._active()
        self._resting = entry.session.state() != "running"

    def due(self) -> float:
        """Seconds until it is to be looked at, if nothing is printed before."""
        return _LONGEST if self._resting else max(self._eyes.due(), _SHORTEST)

    def came(self) -> bool:
        session, before = self._session, self._resting
        ended = session.ends > self._ends
        self._ends = session.ends
        if self._active() > self._since:
            self._since, self._resting = self._active(), False
        if session.phase in (IDLE, EXITED):
            self._resting = True
            return ended or not before
        if not self._resting:
            self._resting = self._eyes.waiting()
        return self._resting and not before

    def _active(self) -> float:
        return max(self._session.last_output, self._session.last_input)


def _eyes(entry: Entry) -> Eyes:
    session = entry.session
    return Eyes(session, Typed(session.ends, session.store.end) if session.kind.marked else None)


def _ended(entry: Entry, eyes: Eyes, args: Arguments, unsure: Mapping[str, int]) -> str:
    """`unsure`: where a line stood already of which nobody can tell whether the program waits: who asks knows it."""
    session = entry.session
    if session.phase == EXITED:
        return "exit"
    if args.get("until") != "idle":
        return ""
    seen = "idle" if session.phase == IDLE else eyes.sees()
    return "idle" if seen and (seen != "unsure" or unsure.get(entry.name) != session.store.end) else ""


def _printed(entry: Entry, at: int) -> list[tuple[tuple[str, ...], int]]:
    """What has come since `at`, as items, each with the position behind it."""
    store = entry.session.store
    pieces: list[tuple[tuple[str, ...], int]] = []
    until = store.end
    at = max(at, store.start)
    while at < until:
        data = store.read(at, min(PIECE, until - at))
        at += len(data)
        told = {"session": entry.name, "position": at, "data": base64.b64encode(data).decode("ascii")}
        pieces.append((("item", json.dumps(told)), at))
    return pieces


async def _any_change(entries: Sequence[Entry], seconds: float) -> None:
    """Until one of them prints or exits, `seconds` at most."""
    tasks = [asyncio.ensure_future(entry.session.change(seconds)) for entry in entries]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _brief(entry: Entry) -> dict[str, object]:
    session = entry.session
    told = {"session": entry.name, "state": session.state(), "position": session.store.end}
    return told | {"last_status": session.status, "exit_status": session.exit_status}
