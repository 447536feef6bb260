"""The agent's end of the connection to the process that holds its sessions."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from terma.errors import TermaError, UsageError
from terma.sessions.held import starting
from terma.sessions.held.channel import HeldChannel
from terma.sessions.held.found import Beginning, Found
from terma.sessions.held.frames import VERSION, Broken, Head, Outbox, Reader, encode

_SECONDS = 30.0  # without a word of the holder
_TRIES = 3
_T = TypeVar("_T")


class Link:
    """One connection, made by `open`. `broke` is called when it ends without us: the holder is gone, or another agent
    has taken over (then with True)."""

    def __init__(self, connection: socket.socket, broke: Callable[[bool], None]) -> None:
        self._connection, self._broke = connection, broke
        self._loop = asyncio.get_running_loop()
        self._reader, self._outbox = Reader(), Outbox(connection)
        self._channels: dict[int, HeldChannel] = {}
        self._found: dict[int, Found] = {}
        self._answers: dict[int, asyncio.Future[Head]] = {}
        self._requests = 0
        self._heard = 0  # frames
        self._ready: asyncio.Future[None] = self._loop.create_future()
        self._writing = False
        self.pid = 0  # of the holder
        connection.setblocking(False)
        self._loop.add_reader(connection, self._readable)

    @classmethod
    async def open(
        cls, agent: Path, broke: Callable[[bool], None], start: bool
    ) -> tuple[Link, list[Found]] | None:
        """Connect to the holder of the agent that listens at `agent`, and what is found there; None where there is none
        and none is to be started. Raises TermaError."""
        for number in range(_TRIES):
            connection = await asyncio.to_thread(starting.ensure if start else starting.knock, agent)
            if connection is None:
                return None
            link = cls(connection, broke)
            try:
                await link._patiently(link._ready)
                return link, list(link._found.values())
            except TimeoutError as error:
                link.close()
                end = f"; kill -9 {link.pid} ends it, and every session with it" if link.pid else ""
                raise TermaError(
                    "the process that holds sessions does not answer", f"try again{end}"
                ) from error
            except TermaError:
                link.close()
                raise
            except ConnectionError:  # it was on its way out
                if number == _TRIES - 1:
                    raise TermaError("the process that holds sessions ends at once", "try again") from None
        return None

    @property
    def alive(self) -> bool:
        return self._connection.fileno() >= 0

    # what is asked

    async def make(self, program: Beginning, capacity: int, ttl: float) -> HeldChannel:
        """Start a program. Raises UsageError, TermaError."""
        head = asdict(program) | {"type": "make", "capacity": capacity, "ttl": ttl}
        return await self._made(head)

    async def give(self, pid: int, master: int, capacity: int, ttl: float) -> HeldChannel:
        """Let it hold a program of another parent; `master` is closed here. Raises TermaError."""
        head = {"type": "give", "process": pid, "capacity": capacity, "ttl": ttl, "terminal": True}
        return await self._made(head, master)

    async def _made(self, head: Head, file: int = -1) -> HeldChannel:
        answer = await self._ask(head, file)
        if answer.get("type") == "failed":
            raise UsageError(str(answer.get("message")), str(answer.get("hint", "")))
        return self._channels[answer["id"]]

    async def _ask(self, head: Head, file: int = -1) -> Head:
        self._requests += 1
        number = self._requests
        future: asyncio.Future[Head] = self._loop.create_future()
        self._answers[number] = future
        try:
            self.say(head | {"request": number}, file=file)
            if not self.alive:
                raise ConnectionResetError
            return await self._patiently(future)
        except (TimeoutError, ConnectionError) as error:
            raise TermaError("the process that holds sessions does not answer", "try again") from error
        finally:
            self._answers.pop(number, None)

    async def _patiently(self, answer: asyncio.Future[_T]) -> _T:
        """What `answer` gets, however long that takes while anything is heard. Raises TimeoutError after silence."""
        heard = -1
        while not answer.done():
            if heard == self._heard:
                raise TimeoutError
            heard = self._heard
            await asyncio.wait([answer], timeout=_SECONDS)
        return answer.result()

    async def sync(self, channel: int, seconds: float) -> None:
        """Until what the program has printed already was told; `seconds` at most."""
        with contextlib.suppress(TermaError, TimeoutError):
            async with asyncio.timeout(seconds):
                await self._ask({"type": "sync", "id": channel})

    def say(self, head: Head, body: bytes = b"", file: int = -1) -> None:
        """Send a frame; to one that is gone, nothing."""
        if not self.alive:
            if file >= 0:
                os.close(file)
            return
        self._outbox.put(encode(head, body), file)
        self._send()

    def _send(self) -> None:
        try:
            done = self._outbox.send()
        except OSError:
            self._gone(False)
            return
        if not done and not self._writing:
            self._loop.add_writer(self._connection, self._send)
        elif done and self._writing:
            self._loop.remove_writer(self._connection)
        self._writing = not done

    # what is told

    def _readable(self) -> None:
        try:
            there = self._reader.receive(self._connection)
            for head, body, file in self._reader.frames():
                self._heard += 1
                self._told(head, body, file)
        except BlockingIOError:
            return
        except (OSError, Broken, KeyError, TypeError, ValueError):
            there = False
        if not there and self.alive:
            self._gone(False)

    def _told(self, head: Head, body: bytes, file: int) -> None:
        match head.get("type"):
            case "hello":
                self._greet(head)
            case "held":
                channel = self._channel(head, file)
                self._found[head["id"]] = Found(channel, head["state"], head["start"], head["lost"])
            case "log":
                self._found[head["id"]].log = list(head["items"])
            case "kept":
                self._found[head["id"]].kept += body
            case "ready" if not self._ready.done():
                self._ready.set_result(None)
            case "made":
                self._channel(head, file)
                self._answered(head)
            case "failed" | "synced":
                self._answered(head)
            case "out" if head["id"] in self._channels:
                self._channels[head["id"]].came(body)
            case "gone" if head["id"] in self._channels:
                self._channels[head["id"]].went(head["status"])
            case "superseded":
                self._gone(True)

    def _greet(self, head: Head) -> None:
        self.pid = int(head.get("pid", 0))
        if VERSION not in head["versions"]:
            self._ready.set_exception(
                TermaError(
                    "the sessions are held by another version of terma",
                    f"use that one, or end them: kill {self.pid}",
                )
            )
            return
        self.say({"type": "hello", "version": VERSION})

    def _channel(self, head: Head, file: int) -> HeldChannel:
        channel = HeldChannel(self, head["id"], head["process"], file)
        self._channels[head["id"]] = channel
        return channel

    def _answered(self, head: Head) -> None:
        future = self._answers.get(head["request"])
        if future is not None and not future.done():
            future.set_result(head)

    def forget(self, number: int) -> None:
        """The program's session is deleted."""
        self._channels.pop(number, None)
        self.say({"type": "forget", "id": number})

    # its end

    def _gone(self, superseded: bool) -> None:
        if self.close():
            self._broke(superseded)

    def close(self) -> bool:
        """What is held goes on. False when it was closed before."""
        if not self.alive:
            return False
        self._loop.remove_reader(self._connection)
        self._loop.remove_writer(self._connection)
        self._connection.close()
        self._reader.close()
        self._outbox.close()
        waiting: list[asyncio.Future[Any]] = [self._ready, *self._answers.values()]
        for future in waiting:
            if not future.done():
                future.set_exception(ConnectionResetError())
        return True
