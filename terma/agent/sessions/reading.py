"""Reads a session: what it printed, whole or in part, as it comes or for a person who looks on; and its screen."""

from __future__ import annotations

import base64
import json
import sys
from contextlib import aclosing
from typing import Any

from terma.agent.sessions.output import (
    PIECE,
    Arguments,
    Frames,
    done,
    head_end,
    number,
    outcome,
    printed,
    row_before,
    start_of,
    tail_start,
    told,
)
from terma.agent.sessions.typing import LONGEST
from terma.sessions.manager import Entry
from terma.sessions.modes import ENTERED
from terma.sessions.questions import Unasking
from terma.sessions.ring import Readable
from terma.sessions.saved import Saved
from terma.sessions.seen import Pictures
from terma.sessions.session import EXITED
from terma.sessions.waiting import Wait
from terma.text import one_line


async def read(entry: Entry, args: Arguments) -> Frames:
    """Output from where `args` says up to its `before`; a reader without a place of its own goes on where it was."""
    session = entry.session
    name = str(args.get("cursor") or "")
    fresh = not _placed(args)
    asked = start_of(session.store, entry.cursors, args, name)
    at = max(asked, session.store.start)
    gap = at - asked if fresh or args.get("since") else 0
    settle = args.get("settle")
    seconds = None if settle is None else number(args, "settle", 0) / 1000
    watching = args.get("follow") or args.get("wait")
    timeout = LONGEST if args.get("follow") else number(args, "timeout", 30.0)
    timeout = timeout if seconds is not None or watching else 0.0
    want = Wait(timeout, settle=seconds, waits=False, raw=True, before=_end(session.store, args))
    if row := ENTERED if session.modes.drawn_at(at) else row_before(session.store, at):
        yield ("row", base64.b64encode(row).decode("ascii"))
    async with aclosing(told(entry, at, want, gap)) as frames:
        async for frame in frames:
            if frame[0] != "done":
                yield frame
                continue
            result = json.loads(frame[2])
            if fresh:
                entry.cursors[name] = result["position"]
            result["last_status"] = (
                session.status
            )  # of the last command that ended, when its exec no longer waited
            if seconds is None and not watching:
                result["ended_by"] = None  # nothing was waited for
            yield done(result)


async def read_saved(saved: Saved, args: Arguments) -> Frames:
    """The same of what an agent before this one left; nothing is waited for, since nothing comes."""
    asked = start_of(saved.store, saved.cursors, args, "")
    at = max(asked, saved.store.start)
    gap = at - asked if not _placed(args) or args.get("since") else 0
    end = min(saved.store.end, _end(saved.store, args))
    while at < end and (data := saved.store.read(at, min(PIECE, end - at))):
        at += len(data)
        yield printed(data, at)
    yield done(ended(saved, at) | {"gap_bytes": gap})


def ended(saved: Saved, position: int) -> dict[str, Any]:
    """A result about a session of which only the output is left."""
    known = {"exit_status": saved.about["exit_status"], "ended_by": None, "state": EXITED, "gap_bytes": 0}
    return {"session": saved.name, "position": position} | known


def _end(store: Readable, args: Arguments) -> int:
    """Where `args` says that reading ends: behind so many lines, or before a position."""
    if args.get("head") is not None:
        return head_end(store, number(args, "head", 0))
    return int(number(args, "before", sys.maxsize))


def _placed(args: Arguments) -> bool:
    """Whether `args` says itself where to read."""
    return bool(args.get("all")) or any(args.get(key) is not None for key in ("head", "tail", "since"))


async def attach(entry: Entry) -> Frames:
    """What a person's terminal shows in the place of the session's: its screen or last lines, then all that comes.

    Questions to the terminal are answered by the session alone: the person's terminal must not answer as well."""
    store = entry.session.store
    unasking = Unasking()
    entry.watchers += 1
    try:
        if entry.screen is not None:
            yield printed(entry.screen.redraw(), store.end)
            at = store.end
        else:
            at = tail_start(store, entry.rows)
        async with aclosing(told(entry, at, Wait(LONGEST, waits=False, raw=True))) as frames:
            async for frame in frames:
                if frame[0] == "data":
                    if shown := unasking.filter(base64.b64decode(frame[2])):
                        yield printed(shown, int(frame[1]))
                else:
                    yield frame
    finally:
        entry.watchers -= 1


async def snapshot(entry: Entry, args: Arguments) -> Frames:
    """The screen when it rests, with its title; to a reader with a cursor which rows have changed since its last call,
    which began with `first`. Raises UsageError where no terminal emulator is installed."""
    screen = entry.shown()
    if not args.get("at_once"):
        await screen.settled(entry.session)
    shown = screen.picture(cells=True)
    shown["title"] = one_line(entry.session.modes.title)
    ansi = shown.pop("ansi")
    if args.get("cursor") is not None:
        pictures = entry.pictures.setdefault(str(args["cursor"]), Pictures())
        shown["changed"] = pictures.changed(ansi.split("\n"), bool(args.get("first")))
    if args.get("form") not in (None, "plain"):
        shown["above"] = screen.just_above()  # a secret may begin there
    if args.get("form") not in (None, "plain"):  # more than one frame may hold
        data = ansi.encode("utf-8", "replace")
        for at in range(0, len(data), PIECE):
            yield printed(data[at : at + PIECE], entry.session.store.end)
    yield done(outcome(entry, "settle", entry.session.state(), None) | shown)
