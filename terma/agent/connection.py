"""One shell at the other end: frames in, a task for each ask, frames out; every wait has a bound."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import Callable, Mapping
from contextlib import aclosing

from terma import __version__, levels, wire
from terma.agent.handlers import SESSION, Handlers
from terma.agent.log import Log
from terma.agent.parts import Limits, Parts
from terma.agent.sentences import Replies
from terma.errors import ProtocolError, TermaError
from terma.text import one_line
from terma.types import Raw

MAX_LOGGED = 1_000  # code points of a text in the log


class Connection:
    """Serves until the peer leaves, breaks the grammar, stops reading, or stays quiet for too long."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        handlers: Handlers,
        limits: Limits,
        log: Log,
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._handlers = handlers
        self._limits = limits
        self._log = log
        self._asks: dict[str, asyncio.Task[None]] = {}
        self._parts = Parts(limits)
        self.on_ask: Callable[[str], None] = lambda kind: None
        self.asked = asyncio.Event()  # once the first ask is there, or none will come
        writer.transport.set_write_buffer_limits(high=limits.buffer)

    @property
    def busy(self) -> bool:
        """Whether an ask is being answered."""
        return bool(self._asks)

    @property
    def hurried(self) -> bool:
        """Whether one is that is no wait in a session, which may take for ever."""
        return any(not task.get_name().startswith(SESSION) for task in self._asks.values())

    def asks(self) -> list[asyncio.Task[None]]:
        """The tasks that answer now."""
        return list(self._asks.values())

    async def serve(self) -> None:
        """Return when the connection is closed and none of its tasks is left. Raises nothing but
        CancelledError."""
        try:
            self._write("hello", str(wire.VERSION), "terma", __version__)
            await self._converse()
        except ProtocolError as error:
            self._log.write("protocol", what=error.message)
            self._write("error", "-", error.code, one_line(error.message), one_line(error.hint))
            await self._hear_out()
        except (ConnectionError, TimeoutError):
            pass
        finally:
            await self._end()

    def end_asks(self, code: str, message: str) -> None:
        """Cancel what is being answered, saying why."""
        for ask, task in self._asks.items():
            if _stopped(task):
                self._write("error", ask, code, message, "press the key again")

    async def refuse(self, code: str, message: str) -> None:
        """Say one error and close."""
        self._write("error", "-", code, message, "")
        await self._hear_out()
        await self._end()

    async def _converse(self) -> None:
        greeted = False
        peer = ""
        while (line := await self._line(greeted)) is not None:
            verb, *fields = wire.decode(line)
            if not greeted:
                _check_hello(verb, fields)
                greeted = True
                peer = " ".join(fields[1:3])
            elif verb == "ask":
                self._start(fields, peer)
            elif verb == "part":
                self._parts.add(fields)
            elif verb == "cancel" and fields:
                self._parts.take(fields[0])
                self._cancel(fields[0])
            elif verb != "hello":
                raise ProtocolError("a frame of unknown kind", "update terma on both sides")

    async def _line(self, greeted: bool) -> bytes | None:
        """The next frame, or None when the peer left or stayed quiet. Raises ProtocolError when it is
        oversized."""
        while True:
            try:
                async with asyncio.timeout(self._limits.quiet if greeted else self._limits.hello):
                    return await self._reader.readuntil(b"\n")
            except TimeoutError:
                if not self.busy:
                    return None
            except asyncio.IncompleteReadError as error:
                if error.partial:
                    raise ProtocolError("the connection ended inside a frame") from error
                return None
            except asyncio.LimitOverrunError as error:
                raise ProtocolError(f"a frame of over {wire.MAX_FRAME} bytes", "shorten the line") from error

    def _start(self, fields: list[str], peer: str) -> None:
        if len(fields) < 2 or not fields[0] or fields[0] == "-":
            raise ProtocolError("an ask without an id and a kind")
        ask, kind, *rest = fields
        if ask in self._asks:
            raise ProtocolError("an ask with the id of one that is being answered")
        if len(self._asks) >= self._limits.asks:
            raise ProtocolError(f"more than {self._limits.asks} asks at once")
        pairs = self._parts.take(ask) | wire.keyed(rest) | {"client": peer}
        self.on_ask(kind)
        log = self._log.at(levels.of_lines(pairs.get("settings", "")))
        log.info("ask", kind=kind, peer=peer)
        log.user_text("asked", words=_words(pairs))
        self.asked.set()
        task = asyncio.create_task(self._answer(ask, kind, pairs, log), name=kind)
        self._asks[ask] = task
        task.add_done_callback(lambda _: self._asks.pop(ask, None))

    def _cancel(self, ask: str) -> None:
        if ask in self._asks:
            _stopped(self._asks[ask])
            self._write("error", ask, "cancelled", "cancelled", "")

    async def _answer(self, ask: str, kind: str, fields: dict[str, str], log: Log) -> None:
        limit, began = self._limits.request, time.monotonic()
        try:
            limit = self._handlers.seconds(kind, fields, limit)
            async with asyncio.timeout(limit):
                await self._relay(ask, self._handlers.answer(kind, fields), log)
            log.info("answered", kind=kind, seconds=f"{time.monotonic() - began:.3f}")
        except TimeoutError:
            self._write(
                "error",
                ask,
                "timeout",
                f"no answer within {limit:g} seconds",
                "try again, or another engine",
            )
        except ConnectionError:
            self._writer.transport.abort()
        except TermaError as error:
            log.info("refused", kind=kind, code=error.code, message=one_line(error.message))
            self._write("error", ask, error.code, one_line(error.message), one_line(error.hint))
        except Exception as error:
            log.crash("request", error)
            self._write("error", ask, "internal", "terma met an internal error", "terma agent logs")

    async def _relay(self, ask: str, replies: Replies, log: Log) -> None:
        async with aclosing(replies) as frames:
            async for frame in frames:
                if isinstance(frame, Raw):
                    self._writer.write(frame.data)
                else:
                    if log.debug or (log.deps and _notes(frame)):
                        log.write("answer", frame=_hidden(" ".join(frame)))
                    self._write(frame[0], ask, *frame[1:])
                await self._drain()

    def _write(self, *fields: str) -> None:
        if not self._writer.is_closing():
            self._writer.write(wire.encode(*fields))

    async def _drain(self) -> None:
        """Wait for a reader that is behind. Raises ConnectionError when it stays behind for too long."""
        try:
            async with asyncio.timeout(self._limits.drain):
                await self._writer.drain()
        except TimeoutError:
            self._log.write("slow reader dropped")
            raise ConnectionAbortedError from None

    async def _hear_out(self) -> None:
        """Say that this was all and drop what the peer still sends: closing on unread bytes would break its
        pipe before it has read the error."""
        with contextlib.suppress(TimeoutError, ConnectionError):
            async with asyncio.timeout(self._limits.settle):
                self._writer.write_eof()
                while await self._reader.read(wire.MAX_FRAME):
                    pass

    async def _end(self) -> None:
        self.asked.set()
        tasks = self.asks()
        for task in tasks:
            _stopped(task)
        await asyncio.gather(*tasks, return_exceptions=True)
        self._writer.close()
        try:
            async with asyncio.timeout(self._limits.drain):
                await self._writer.wait_closed()
        except (ConnectionError, TimeoutError, OSError):
            self._writer.transport.abort()


def _notes(frame: tuple[str, ...]) -> bool:
    """Whether it tells what went on, as the libraries beneath a model do: no words of anybody's."""
    return frame[0] == "note" or (frame[0] == "event" and frame[1].startswith('["Note"'))


def _words(fields: Mapping[str, str]) -> str:
    """What a person said, without the secrets in it."""
    said = next((fields[key] for key in ("buffer", "words", "question") if fields.get(key)), "")
    with contextlib.suppress(ValueError, TypeError, LookupError):
        said = said or str(json.loads(fields.get("messages", "[]"))[-1]["content"])
    return _hidden(said)


def _hidden(text: str) -> str:
    from terma.redact import redact

    return redact(text[:MAX_LOGGED]).text


def _stopped(task: asyncio.Task[None]) -> bool:
    """Cancel an answer, once: a second time would break off the clean-up that the first one began."""
    return not task.cancelling() and task.cancel()


def _check_hello(verb: str, fields: list[str]) -> None:
    if verb != "hello" or not fields:
        raise ProtocolError("the first frame is not a hello", "update terma on both sides")
    if fields[0] != str(wire.VERSION):
        theirs = one_line(fields[0], 20)
        raise ProtocolError(
            f"the agent speaks wire version {wire.VERSION}, the shell {theirs}",
            "restart the shell or: terma agent restart",
        )
