"""Pictures over HTTP, one JPEG after the other: a camera in the network, or `terma eyes target`."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import socket
from typing import Any, Self

from terma.config import eyes
from terma.vision.errors import EyesError
from terma.vision.frames._latest import OPENING, Latest
from terma.vision.types import Frame

_LENGTH = re.compile(rb"^content-length:\s*(\d+)\s*$", re.IGNORECASE | re.MULTILINE)
_MOST = 32 * 1024 * 1024  # bytes of one picture
_UNREAD = (socket.SOL_SOCKET, socket.SO_RCVBUF, 256 * 1024)  # what waits to be read are pictures of the past
_AGAIN = 0.3  # seconds until it is tried again after a break
_START, _END = b"\xff\xd8", b"\xff\xd9"  # of a JPEG


class Mjpeg:
    """`address` is the stream's URL; `token` is sent as a bearer. `given` is what a box's client needs besides."""

    name = "mjpeg"

    def __init__(
        self, settings: eyes.Camera, token: str | None = None, given: dict[str, Any] | None = None
    ) -> None:
        self._settings, self._given = settings, given or {}
        named = os.environ.get(settings.token_env, "") if settings.token_env else ""
        self._token = named if token is None else token
        self._latest: Latest | None = None
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._latest = Latest(f"the stream at {self._settings.address}", self._settings.crop)
        self._task = asyncio.create_task(self._follow(self._latest))
        return self

    async def __aexit__(self, *error: object) -> None:
        task, self._task, self._latest = self._task, None, None
        if task is not None:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    async def latest(self, after: int = 0) -> Frame:
        """Raises EyesError when the stream is not there, stalls, or wants another token."""
        if self._latest is None:
            raise RuntimeError("the source is not open")
        return await self._latest.get(after)

    async def _follow(self, latest: Latest) -> None:
        """Read until the end, and begin again after a break: a camera may restart."""
        import httpx

        headers = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        given = {"headers": headers} | self._given
        verify = given.pop("verify", True)
        while True:
            try:
                transport = httpx.AsyncHTTPTransport(socket_options=[_UNREAD], verify=verify)
                async with (
                    httpx.AsyncClient(timeout=OPENING, transport=transport, **given) as client,
                    client.stream("GET", self._settings.address) as answer,
                ):
                    if answer.status_code in (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN):
                        hint = "[eyes.camera] token_env names the variable that holds it"
                        latest.fail(EyesError(f"{latest.name} refuses the token", hint))
                        return
                    answer.raise_for_status()
                    cut = Cutter()
                    async for piece in answer.aiter_raw():
                        for picture in cut.feed(piece):
                            latest.put(picture)
            except (httpx.HTTPError, OverflowError):
                pass
            except (httpx.InvalidURL, UnicodeError) as error:
                latest.fail(EyesError(f"{latest.name}: {error}", "[eyes.camera] address is http://…"))
                return
            latest.missing()  # whoever asks for a picture is told in time that there is none
            await asyncio.sleep(_AGAIN)


class Cutter:
    """Cuts pictures out of a multipart stream: by the length that a part tells, else by the JPEG's own marks."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, piece: bytes) -> list[bytes]:
        """The pictures that are whole now. Raises OverflowError where one does not end."""
        self._rest += piece
        if len(self._rest) > _MOST:
            raise OverflowError("a picture without end")
        found = []
        while (picture := self._next()) is not None:
            found.append(picture)
        return found

    def _next(self) -> bytes | None:
        begin = self._rest.find(_START)
        if begin < 0:
            return None
        lengths = _LENGTH.findall(self._rest[:begin].replace(b"\r", b""))
        if lengths:
            end = begin + int(lengths[-1])
            if end > len(self._rest):
                return None
        else:
            end = self._rest.find(_END, begin) + len(_END)
            if end < len(_END):
                return None
        picture, self._rest = self._rest[begin:end], self._rest[end:]
        return picture


PLUGIN = Mjpeg
