"""What a camera sees, in a browser of this machine: to point it at the screen before anything is calibrated.

Served on 127.0.0.1 alone, to whoever has the token; a page of another site gets nothing, by its Host or its cookie.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import secrets
from collections.abc import Callable
from importlib.resources import files
from urllib.parse import parse_qs, urlsplit

import cv2

from terma.errors import TermaError
from terma.vision.errors import EyesError
from terma.vision.types import FrameSource, Image

HOST = "127.0.0.1"
_SECONDS = 10.0  # for a request to be said
_MOST = 16 * 1024  # bytes of a request
_REASONS = {200: "OK", 303: "See Other", 401: "Unauthorized", 404: "Not Found", 503: "Service Unavailable"}
_QUIET = "Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nX-Content-Type-Options: nosniff\r\n"
_POLICY = (
    "Content-Security-Policy: default-src 'none'; img-src 'self' blob:; connect-src 'self'; "
    "style-src 'unsafe-inline'; script-src 'unsafe-inline'\r\n"
)
_Answer = tuple[int, str, bytes, str]  # status, type, body, more headers


def jpeg(image: Image) -> bytes:
    """A picture as JPEG. Raises EyesError."""
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 90])
    if not done:
        raise EyesError("the picture cannot be encoded", "look again")
    return data.tobytes()


async def serve(source: FrameSource, started: Callable[[str], None], port: int = 0) -> None:
    """Until cancelled; `started` gets the page's address. Raises EyesError where it cannot listen."""
    page = _Page(source)
    try:
        server = await asyncio.start_server(page.answer, HOST, port, limit=_MOST)
    except OSError as error:
        raise EyesError(f"cannot listen on port {port}: {error.strerror}", "choose another --port") from None
    page.port = server.sockets[0].getsockname()[1]
    async with server:
        started(f"http://{HOST}:{page.port}/?token={page.token}")
        await server.serve_forever()


class _Page:
    def __init__(self, source: FrameSource) -> None:
        self._source, self.token, self.port = source, secrets.token_urlsafe(24), 0
        self._one = asyncio.Lock()

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One request of one connection."""
        try:
            with contextlib.suppress(
                TimeoutError, OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError
            ):
                async with asyncio.timeout(_SECONDS):
                    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                    status, kind, body, more = await self._answered(head)
                    said = f"HTTP/1.1 {status} {_REASONS[status]}\r\nContent-Type: {kind}\r\n{_QUIET}{_POLICY}{more}"
                    writer.write(
                        f"{said}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body
                    )
                    await writer.drain()
        finally:
            writer.close()

    async def _answered(self, head: str) -> _Answer:
        first, *lines = head.split("\r\n")
        headers = {
            name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)
        }
        method, _, rest = first.partition(" ")
        place = urlsplit(rest.partition(" ")[0])
        given = parse_qs(place.query).get("token", [""])[0] if place.path == "/" else ""
        cookie = f"terma_look_{self.port}"
        kept = dict(part.strip().partition("=")[::2] for part in headers.get("cookie", "").split(";"))
        if headers.get("host") != f"{HOST}:{self.port}" or not any(
            map(self._is, (given, kept.get(cookie, "")))
        ):
            return 401, "text/plain", b"the address that was printed has a token\n", ""
        if method != "GET":
            return 404, "text/plain", b"", ""
        if given:  # the token leaves the address bar
            return (
                303,
                "text/plain",
                b"",
                f"Location: /\r\nSet-Cookie: {cookie}={given}; HttpOnly; SameSite=Strict\r\n",
            )
        if place.path == "/":
            return (
                200,
                "text/html; charset=utf-8",
                files("terma.vision").joinpath("look.html").read_bytes(),
                "",
            )
        return await self._picture() if place.path == "/picture.jpg" else (404, "text/plain", b"", "")

    async def _picture(self) -> _Answer:
        try:
            async with self._one:
                frame = await self._source.latest()
            return 200, "image/jpeg", await asyncio.to_thread(jpeg, frame.image), ""
        except TermaError as error:
            return 503, "text/plain; charset=utf-8", error.message.encode(), ""

    def _is(self, offered: str) -> bool:
        return hmac.compare_digest(offered.encode(), self.token.encode())
