"""What is asked about sessions: each kind `session_NAME` of terma.sessions.operations, as frames.

A request carries one field, `args`, a JSON object. Output comes as `data` frames (the position behind it, base64),
then `done json` with session, position, exit_status, ended_by, state, gap_bytes.
"""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Awaitable, Callable, Mapping
from contextlib import aclosing
from pathlib import Path

from terma.agent.endpoint import is_ours
from terma.agent.sessions.creating import wanted
from terma.agent.sessions.output import Arguments, Frames, done, number, outcome, place, told
from terma.agent.sessions.reading import attach, ended, read, read_saved, snapshot
from terma.agent.sessions.typing import LONGEST, about_line, as_asked, enter, expected, unchanged
from terma.agent.sessions.waiting import several, watched
from terma.config.settings import Sessions as Usual
from terma.errors import ProtocolError, UsageError
from terma.sessions import handing, shells
from terma.sessions.clearing import taken
from terma.sessions.manager import Entry, Manager
from terma.sessions.session import EXITED

PREFIX = "session_"


class Sessions:
    """Answers for `manager`, which is made when first needed. `socket` is the agent's; `people_wait` says whether
    somebody waits before a prompt; `usual` what the person's settings say of sessions."""

    def __init__(
        self,
        socket: Path,
        people_wait: Callable[[], bool] = lambda: False,
        usual: Callable[[], Awaitable[Usual]] | None = None,
    ) -> None:
        self._socket, self._people_wait, self._usual = socket, people_wait, usual
        self._manager: Manager | None = None
        self._answering = 0

    @property
    def manager(self) -> Manager:
        if self._manager is None:
            self._manager = Manager(self._socket, self._people_wait)
        return self._manager

    @property
    def live(self) -> int:
        """How many programs run: the agent stays while there are."""
        return self._manager.live if self._manager is not None else 0

    @property
    def answering(self) -> int:
        """How many answers go on."""
        return self._answering

    async def open(self) -> None:
        """Go on with the sessions that an agent before this one left. Raises TermaError."""
        await self.manager.open()

    def leave(self) -> None:
        """Leave the sessions to the agent after this one."""
        if self._manager is not None:
            self._manager.leave()

    async def close(self) -> None:
        """End the sessions, but for those that were left."""
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
            "cursor": self._cursor,
            "wait": self._wait,
            "watch": self._watch,
            "line": self._line,
            "adopt": self._adopt,
        }
        name = kind.removeprefix(PREFIX)
        if name not in kinds:
            raise UsageError(
                f"the agent does not know the request {kind!r}", "terma agent restart, after an upgrade"
            )
        return self._kept(kinds[name], arguments(fields))

    async def _kept(self, answer: Callable[[Arguments], Frames], args: Arguments) -> Frames:
        """What is told is known to the holder before: an agent after this one says the same."""
        self._answering += 1
        try:
            await self.manager.open()
            async with aclosing(answer(args)) as frames:
                async for frame in frames:
                    if frame[0] == "done":
                        self.manager.keep(str(args.get("session", "")))
                    yield frame
        finally:
            self._answering -= 1

    async def _create(self, args: Arguments) -> Frames:
        known = {entry.name: entry for entry in self.manager.entries()}
        ended = known.get(str(args["session"]))
        if args.get("if_not_exists") and ended is not None and ended.session.phase == EXITED:
            await self.manager.kill(ended)  # its program is gone: who wants one gets one
        elif args.get("if_not_exists") and args["session"] in known:
            yield done(known[args["session"]].about() | {"created_now": False})
            return
        elif args.get("if_not_exists") and (saved := self.manager.saved(str(args["session"]))) is not None:
            saved.remove()  # the same: an agent before this one had it
        usual = await self._usual() if self._usual is not None else Usual()
        yield done((await self.manager.create(wanted(args, usual))).about() | {"created_now": True})

    async def _adopt(self, args: Arguments) -> Frames:
        """Take over a program that a conversation started, with its terminal. No operation: nobody else has one."""
        given = await asyncio.to_thread(handing.take, str(args.get("path", "")), is_ours)
        yield done((await self.manager.adopt(str(args.get("session", "")), *given)).about())

    async def _exec(self, args: Arguments) -> Frames:
        entry = self._entry(args)
        text = str(args.get("input", ""))
        want, at = await enter(entry, text, args)
        async with aclosing(told(entry, at, want)) as frames:
            async for frame in frames:
                if frame[0] == "done":
                    entry.cursors[""] = json.loads(frame[2])["position"]
                yield frame

    async def _send(self, args: Arguments) -> Frames:
        entry = self._entry(args)
        data = base64.b64decode(str(args.get("data", "")))
        await taken(entry.session)
        unchanged(entry, args)
        expected(entry, args)
        if args.get("paste"):
            data = shells.as_typed(data.decode("utf-8", "surrogateescape"), entry.session.kind.pastes)
        if args.get("keys"):
            data = as_asked(data, entry.session.modes)
        entry.session.type(data)
        yield done({"session": entry.name, "sent": len(data), "position": entry.session.store.end})

    def _read(self, args: Arguments) -> Frames:
        saved = self.manager.saved(str(args.get("session", "")))
        return read(self._entry(args), args) if saved is None else read_saved(saved, args)

    async def _moved(self, args: Arguments) -> Frames:
        """A client that found its pattern says how far it has read."""
        entry = self._entry(args)
        entry.cursors[str(args.get("cursor") or "")] = number(args, "position", 0)
        yield done(outcome(entry, "pattern", entry.session.state(), None, number(args, "position", 0), 0))

    async def _cursor(self, args: Arguments) -> Frames:
        """The readers' places, after one was moved or dropped."""
        entry, name = self._entry(args), str(args.get("cursor") or "")
        if args.get("drop"):
            entry.cursors.pop(name, None)
            entry.pictures.pop(name, None)
        elif args.get("to") is not None:
            entry.cursors[name] = place(entry.session.store, str(args["to"]))
        store = entry.session.store
        told = {"session": entry.name, "start": store.start, "position": store.end}
        yield done(told | {"cursors": dict(entry.cursors), "screens": sorted(entry.pictures)})

    def _wait(self, args: Arguments) -> Frames:
        return several([self.manager.get(str(name)) for name in args.get("sessions") or ()], args)

    def _watch(self, args: Arguments) -> Frames:
        """For who is to be told when something has ended. No operation: it goes on as long as the sessions."""
        return watched([self.manager.get(str(name)) for name in args.get("sessions") or ()], args)

    async def _line(self, args: Arguments) -> Frames:
        """Where keys would go, for whoever is asked about them. No operation: what stands there may be a secret."""
        yield done(about_line(self._entry(args)))

    def _attach(self, args: Arguments) -> Frames:
        return attach(self._entry(args))

    def _snapshot(self, args: Arguments) -> Frames:
        return snapshot(self._entry(args), args)

    async def _list(self, args: Arguments) -> Frames:
        for entry in self.manager.entries():
            yield ("item", json.dumps(entry.about()))
        for saved in self.manager.all_saved():
            yield ("item", json.dumps(saved.about))
        yield done({"sessions": self.manager.live})

    async def _info(self, args: Arguments) -> Frames:
        saved = self.manager.saved(str(args.get("session", "")))
        if saved is not None:
            yield done(saved.about)
        elif args.get("size"):
            yield done(self._entry(args).size())
        else:
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
        saved = self.manager.saved(str(args.get("session", "")))
        if saved is not None:
            yield done(ended(saved, saved.store.end) | {"ended_by": "exit", "processes": 0})
            return
        entry = self._entry(args)
        grace = min(max(number(args, "grace", 2.0), 0.0), 30.0)
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
