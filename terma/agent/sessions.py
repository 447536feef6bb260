"""What is asked about sessions: each kind `session_NAME` of terma.sessions.operations, as frames.

A request carries one field, `args`, a JSON object. Output comes as `data` frames (the position behind it, base64),
then `done json` with session, position, exit_status, ended_by, state, gap_bytes.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping
from contextlib import aclosing
from pathlib import Path

from terma.agent.session_output import (
    PIECE,
    Arguments,
    Frames,
    done,
    head_end,
    number,
    outcome,
    printed,
    start_of,
    tail_start,
    told,
)
from terma.errors import ProtocolError, TermaError, UsageError
from terma.sessions import shells, waiting
from terma.sessions.manager import Entry, Manager, Wanted
from terma.sessions.session import EXITED, IDLE, INTERRUPT, MORE, Typed
from terma.sessions.waiting import Wait

PREFIX = "session_"
LONGEST = 7 * 24 * 3600.0  # seconds that somebody may follow a session
_RECOVER = 3.0  # seconds for a prompt to come back after Ctrl+C
_CALM = 0.08  # seconds


class Sessions:
    """Answers for `manager`, which is made when first needed."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self._manager: Manager | None = None

    @property
    def manager(self) -> Manager:
        if self._manager is None:
            self._manager = Manager(self._place)
        return self._manager

    @property
    def live(self) -> int:
        """How many programs run: the agent stays while there are."""
        return self._manager.live if self._manager is not None else 0

    def reap(self) -> int:
        return self.manager.reap()

    async def close(self) -> None:
        if self._manager is not None:
            await self._manager.close()

    def answer(self, kind: str, fields: Mapping[str, str]) -> Frames:
        """The frames that answer `kind`. Raises UsageError for one that does not exist."""
        kinds: dict[str, Callable[[Arguments], Frames]] = {
            "create": self._create,
            "exec": self._exec,
            "send": self._send,
            "read": self._read,
            "list": self._list,
            "info": self._info,
            "resize": self._resize,
            "clear": self._clear,
            "stop": self._stop,
            "kill": self._kill,
            "attach": self._attach,
            "snapshot": self._snapshot,
            "moved": self._moved,
        }
        name = kind.removeprefix(PREFIX)
        if name not in kinds:
            raise UsageError(
                f"the agent does not know the request {kind!r}", "terma agent restart, after an upgrade"
            )
        return kinds[name](arguments(fields))

    async def _create(self, args: Arguments) -> Frames:
        known = {entry.name: entry for entry in self.manager.entries()}
        if args.get("if_not_exists") and args["session"] in known:
            yield done(known[args["session"]].about() | {"created_now": False})
            return
        environment = dict(args.get("environment") or {})
        for pair in args.get("env") or ():
            key, equals, value = str(pair).partition("=")
            if not equals or not key:
                raise UsageError(f"{pair!r} is no NAME=VALUE", "--env NAME=VALUE")
            environment[key] = value
        wanted = Wanted(
            name=str(args["session"]),
            command=[str(word) for word in args.get("command") or ()],
            environment=environment,
            cwd=str(args.get("cwd") or "/"),
            columns=number(args, "cols", 120),
            rows=number(args, "rows", 32),
            kind=str(args.get("kind") or "auto"),
            storage=str(args.get("storage") or "memory"),
            ttl=float(args.get("ttl") or 3600),
            tui=bool(args.get("tui")),
        )
        if wanted.kind != "auto" and wanted.kind not in shells.KINDS:
            raise UsageError(f"there is no kind {wanted.kind!r}", f"auto, {', '.join(shells.KINDS)}")
        yield done((await self.manager.create(wanted)).about() | {"created_now": True})

    async def _exec(self, args: Arguments) -> Frames:
        entry = self._entry(args)
        text = str(args.get("input", ""))
        want, at = await _enter(entry, text, args)
        async with aclosing(told(entry, at, want)) as frames:
            async for frame in frames:
                if frame[0] == "done":
                    entry.cursors[""] = entry.session.store.end
                yield frame

    async def _send(self, args: Arguments) -> Frames:
        entry = self._entry(args)
        data = base64.b64decode(str(args.get("data", "")))
        if args.get("paste"):
            data = shells.as_typed(data.decode("utf-8", "surrogateescape"), entry.session.kind.pastes)
        entry.session.type(data)
        yield done({"session": entry.name, "sent": len(data), "position": entry.session.store.end})

    async def _read(self, args: Arguments) -> Frames:
        saved = self.manager.saved(str(args.get("session", "")))
        if saved is not None:
            at = max(number(args, "since", 0), saved.start)
            while data := saved.read(at, PIECE):
                at += len(data)
                yield printed(data, at)
            left = {"ended_by": None, "state": EXITED, "exit_status": None, "gap_bytes": 0}
            yield done({"session": args["session"], "position": at} | left)
            return
        entry = self._entry(args)
        store = entry.session.store
        name = str(args.get("cursor") or "")
        fresh = not any(args.get(key) is not None for key in ("head", "tail", "since")) and not args.get(
            "all"
        )
        asked = start_of(entry, args, name)
        at, gap = max(asked, store.start), max(store.start - asked, 0) if fresh or args.get("since") else 0
        settle = args.get("settle")
        watching = args.get("follow") or args.get("wait")
        timeout = LONGEST if args.get("follow") else number(args, "timeout", 30.0)
        limit = head_end(entry, number(args, "head", 0)) if args.get("head") is not None else None
        if settle is not None or watching:
            want = Wait(
                timeout, settle=None if settle is None else float(settle) / 1000, waits=False, raw=True
            )
        else:
            want = Wait(0.0, waits=False, raw=True)
        async with aclosing(told(entry, at, want, gap, limit)) as frames:
            async for frame in frames:
                if frame[0] == "done":
                    result = json.loads(frame[2])
                    if fresh:
                        entry.cursors[name] = result["position"]
                    if not want.timeout:
                        result["ended_by"] = None  # nothing was waited for
                    yield done(result)
                else:
                    yield frame

    async def _moved(self, args: Arguments) -> Frames:
        """A client that found its pattern says how far it has read."""
        entry = self._entry(args)
        entry.cursors[str(args.get("cursor") or "")] = number(args, "position", 0)
        yield done(outcome(entry, "pattern", entry.session.state(), None, number(args, "position", 0), 0))

    async def _attach(self, args: Arguments) -> Frames:
        entry = self._entry(args)
        store = entry.session.store
        entry.watchers += 1
        try:
            if entry.screen is not None:
                yield printed(entry.screen.redraw(), store.end)
                at = store.end
            else:
                at = tail_start(entry, entry.rows)
            async with aclosing(told(entry, at, Wait(LONGEST, waits=False, raw=True))) as frames:
                async for frame in frames:
                    yield frame
        finally:
            entry.watchers -= 1

    async def _snapshot(self, args: Arguments) -> Frames:
        entry = self._entry(args)
        if entry.screen is None:
            raise UsageError(f"{entry.name} keeps no screen", "terma session create NAME --tui -- PROGRAM")
        await entry.screen.settled(entry.session)
        yield done(outcome(entry, "settle", entry.session.state(), None) | entry.screen.picture())

    async def _list(self, args: Arguments) -> Frames:
        for entry in self.manager.entries():
            yield ("item", json.dumps(entry.about()))
        yield done({"sessions": self.manager.live})

    async def _info(self, args: Arguments) -> Frames:
        yield done(self._entry(args).about())

    async def _resize(self, args: Arguments) -> Frames:
        entry = self._entry(args)
        columns, rows = number(args, "cols", 0), number(args, "rows", 0)
        entry.session.resize(columns, rows)
        entry.columns, entry.rows = columns, rows
        if entry.screen is not None:
            entry.screen.resize(columns, rows)
        yield done({"session": entry.name, "columns": columns, "rows": rows})

    async def _clear(self, args: Arguments) -> Frames:
        entry = self._entry(args)
        entry.session.store.clear()
        entry.cursors.clear()
        yield done({"session": entry.name, "position": entry.session.store.end})

    async def _stop(self, args: Arguments) -> Frames:
        entry = self._entry(args)
        grace = min(max(float(args.get("grace", 2.0)), 0.0), 30.0)
        count = await self.manager.stop(entry, grace)
        yield done(
            outcome(entry, "exit", entry.session.state(), entry.session.exit_status) | {"processes": count}
        )

    async def _kill(self, args: Arguments) -> Frames:
        saved = self.manager.saved(str(args.get("session", "")))
        if saved is not None:
            saved.remove()
            yield done({"session": args["session"], "processes": 0, "state": EXITED})
            return
        entry = self._entry(args)
        yield done({"session": entry.name, "processes": await self.manager.kill(entry), "state": EXITED})

    def _entry(self, args: Arguments) -> Entry:
        return self.manager.get(str(args.get("session", "")))


async def _enter(entry: Entry, text: str, args: Arguments) -> tuple[Wait, int]:
    """Type `text` in the way that fits what the session does; what to wait for, and from which position."""
    session = entry.session
    timeout = min(float(number(args, "timeout", 30.0)), LONGEST)
    settle = args.get("settle")
    seconds = None if settle is None else float(settle) / 1000
    pattern = bool(args.get("wait"))
    if session.phase == MORE or session.draft or session.state() == "continuation":
        await _recover(entry)
    state = session.state()
    if session.phase == IDLE:
        typed: Typed | None = session.enter(text)
        assert typed is not None
        background = pattern and text.rstrip().endswith("&")
        return Wait(timeout, None if background else typed, seconds, waits=not pattern), typed.position
    if state == "password":
        raise TermaError("the program asks for a password", "session send answers it (it is not echoed)")
    if state == "running" and not pattern and seconds is None and session.kind.marked:
        raise TermaError(
            "a command is running",
            "session read --wait …, session send --keys '\\x03' to stop it, or exec --settle MS",
        )
    shells.check(text)
    note = session.type(shells.as_typed(text.rstrip("\n") + "\n", paste=False))
    home = note if session.kind.marked else None
    return Wait(timeout, home, seconds, waits=not pattern, echo=text), note.position


async def _recover(entry: Entry) -> None:
    """Leave an unfinished command with Ctrl+C, as a person would, so that it swallows nothing."""
    session = entry.session
    note = session.type(INTERRUPT)
    async with aclosing(waiting.wait(session, note.position, Wait(_RECOVER, note, waits=False))) as parts:
        async for _ in parts:
            pass
    while session.quiet() < _CALM:  # a line editor that was interrupted may throw away what comes too early
        await session.change(_CALM)


def arguments(fields: Mapping[str, str]) -> Arguments:
    """What a request asks. Raises ProtocolError when it is no JSON object."""
    try:
        args = json.loads(fields.get("args", "{}"))
    except ValueError as error:
        raise ProtocolError("the arguments are not JSON") from error
    if not isinstance(args, dict):
        raise ProtocolError("the arguments are no JSON object")
    return args


def seconds(kind: str, fields: Mapping[str, str], usual: float) -> float:
    """How long a request may take: as long as it asks to wait."""
    if not kind.startswith(PREFIX):
        return usual
    args = arguments(fields)
    if kind == f"{PREFIX}attach" or args.get("follow"):
        return LONGEST + usual
    return usual + min(max(float(number(args, "timeout", 30.0)), 0.0), LONGEST)
