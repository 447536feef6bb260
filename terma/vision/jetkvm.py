"""What a JetKVM is asked: the login of its page, the signalling of its WebRTC, and requests over its data channel.

Camera and keyboard share one connection: older firmware serves one at a time, and ends the first for the second."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import threading
from typing import TYPE_CHECKING, Any, Self

from terma.vision.errors import EyesError
from terma.vision.peer import Peer
from terma.vision.pikvm import trusted

if TYPE_CHECKING:
    import ssl

    import httpx
    from aiortc import RTCPeerConnection
    from websockets.asyncio.client import ClientConnection

_SECONDS = 10.0
_MOST = 256 * 1024  # bytes of one message of the signalling
_COOKIE = "authToken"
_Where = tuple[str, str, str]  # address, login_env, ca_file

_open: dict[_Where, Peer] = {}
_users: dict[Peer, int] = {}
_lock = threading.Lock()


class Box:
    """The JetKVM at `address` (http://… or https://…). `login_env` names the variable that holds its password, "" where
    it asks for none; `ca_file` is the certificate that it signed itself, "" where a known authority did."""

    def __init__(self, address: str, login_env: str, ca_file: str = "") -> None:
        self.address = address.rstrip("/")
        self._where: _Where = (self.address, login_env, ca_file)
        self._peer: Peer | None = None

    async def __aenter__(self) -> Self:
        """Raises EyesError where nobody is there, or the login is refused."""
        self._peer = _taken(self._where)
        try:
            await self._peer.ready()
        except BaseException:
            await self.__aexit__()
            raise
        return self

    async def __aexit__(self, *error: object) -> None:
        peer, self._peer = self._peer, None
        if peer is not None and _left(self._where, peer):
            await asyncio.shield(asyncio.to_thread(peer.close))

    @property
    def peer(self) -> Peer:
        """The open connection."""
        if self._peer is None:
            raise RuntimeError("the box is not open")
        return self._peer


def _taken(where: _Where) -> Peer:
    """The connection to that box, which is one for all who use it at a time."""
    with _lock:
        peer = _open.get(where)
        if peer is None or peer.over:
            address, login_env, ca_file = where
            door = _Door(address, os.environ.get(login_env, ""), ca_file)
            peer = _open[where] = Peer(door)
        _users[peer] = _users.get(peer, 0) + 1
        return peer


def _left(where: _Where, peer: Peer) -> bool:
    """Whether nobody uses it any more, so that it has to be closed."""
    with _lock:
        _users[peer] -= 1
        if _users[peer]:
            return False
        del _users[peer]
        if _open.get(where) is peer:
            del _open[where]
        return True


class _Door:
    """Lets a WebRTC connection in: HTTP login, then offer and answer over a WebSocket, or HTTP in older firmware."""

    def __init__(self, address: str, password: str, ca_file: str) -> None:
        self.name = f"the JetKVM at {address}"
        self._address, self._ca_file = address, ca_file
        self._password = password
        self._listening: asyncio.Task[None] | None = None

    async def enter(self, connection: RTCPeerConnection) -> None:
        """Exchange offer and answer. Raises EyesError."""
        import httpx

        verify = trusted(self._ca_file)
        async with httpx.AsyncClient(
            base_url=self._address, timeout=_SECONDS, trust_env=False, verify=verify
        ) as client:
            cookie = await self._enter(client)
            await connection.setLocalDescription(await connection.createOffer())
            if not await self._by_socket(connection, cookie, verify):
                await self._by_http(connection, client)

    async def leave(self) -> None:
        """End the signalling."""
        listening, self._listening = self._listening, None
        if listening is not None and listening is not asyncio.current_task():
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)

    async def _enter(self, client: httpx.AsyncClient) -> str:
        """The cookie of a session. A box without a password wants none."""
        if self._password:
            answer = await self._ask(client, "POST", "/auth/login-local", {"password": self._password})
            if answer.status_code == 429:
                wait = answer.headers.get("Retry-After", "")
                after = f"in {wait} seconds" if wait.isdigit() else "later"
                raise EyesError(f"{self.name} refuses the login: too many wrong ones", f"try again {after}")
            if answer.status_code in (401, 403):
                raise self._refused()
        if (await self._ask(client, "GET", "/device")).status_code in (401, 403):
            raise self._refused()
        token = client.cookies.get(_COOKIE)
        return f"{_COOKIE}={token}" if token and token.isascii() and token.isprintable() else ""

    async def _ask(
        self, client: httpx.AsyncClient, method: str, path: str, body: dict[str, str] | None = None
    ) -> httpx.Response:
        import httpx

        try:
            return await client.request(method, path, json=body)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise EyesError(
                f"{self.name} does not answer ({type(error).__name__})",
                "is it on, the address right, and its certificate trusted (ca_file)?",
            ) from None

    async def _by_socket(self, connection: RTCPeerConnection, cookie: str, verify: ssl.SSLContext) -> bool:
        """Whether the box has signalling over a WebSocket, which then stays open for what else it says of its ways."""
        from websockets.asyncio.client import connect
        from websockets.exceptions import InvalidStatus, WebSocketException

        scheme, _, rest = self._address.partition("://")
        secure = scheme == "https"
        try:
            socket = await connect(
                f"{'wss' if secure else 'ws'}://{rest}/webrtc/signaling/client",
                additional_headers={"Cookie": cookie} if cookie else {},
                ssl=verify if secure else None,
                open_timeout=_SECONDS,
                close_timeout=1,
                max_size=_MOST,
                proxy=None,
            )
        except InvalidStatus as error:
            if error.response.status_code == 404:
                return False
            raise self._no(f"said {error.response.status_code} to its signalling") from None
        except (OSError, WebSocketException) as error:
            raise self._no(f"takes no signalling ({type(error).__name__})") from None
        answered: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._listening = asyncio.create_task(self._listen(socket, connection, answered))
        await socket.send(json.dumps({"type": "offer", "data": {"sd": _sealed(connection)}}))
        await answered
        return True

    async def _listen(
        self, socket: ClientConnection, connection: RTCPeerConnection, answered: asyncio.Future[None]
    ) -> None:
        """Take the answer, and the ways to the box that it tells by and by."""
        from websockets.exceptions import ConnectionClosed

        try:
            async with socket:
                async for message in socket:
                    await self._said(message, connection, answered)
            raise self._no("ended its signalling")
        except ConnectionClosed:
            self._fail(answered, self._no("broke its signalling off"))
        except EyesError as error:
            self._fail(answered, error)

    def _fail(self, answered: asyncio.Future[None], error: EyesError) -> None:
        if not answered.done():
            answered.set_exception(error)

    async def _said(
        self, message: str | bytes, connection: RTCPeerConnection, answered: asyncio.Future[None]
    ) -> None:
        from aiortc.sdp import candidate_from_sdp

        try:
            said = json.loads(message)
            kind, data = said.get("type"), said.get("data")
            if said.get("error"):
                raise self._no("refuses a connection")
            if kind == "answer" and not answered.done():
                await connection.setRemoteDescription(_opened(data))
                answered.set_result(None)
            elif kind == "new-ice-candidate" and data.get("candidate"):
                way = candidate_from_sdp(data["candidate"].removeprefix("candidate:"))
                way.sdpMid, way.sdpMLineIndex = data.get("sdpMid"), data.get("sdpMLineIndex")
                await connection.addIceCandidate(way)
        except EyesError:
            raise
        except (
            Exception
        ) as error:  # whatever else it says: a connection that cannot be made is an error of its own
            if not answered.done():
                raise self._no(f"says what is not understood ({type(error).__name__})") from None

    async def _by_http(self, connection: RTCPeerConnection, client: httpx.AsyncClient) -> None:
        answer = await self._ask(client, "POST", "/webrtc/session", {"sd": _sealed(connection)})
        try:
            await connection.setRemoteDescription(_opened(answer.json()["sd"]))
        except (ValueError, KeyError, TypeError, AssertionError):
            raise self._no(f"has no WebRTC ({answer.status_code})") from None

    def _refused(self) -> EyesError:
        return EyesError(f"{self.name} refuses the login", "token_env names the variable with its password")

    def _no(self, what: str) -> EyesError:
        return EyesError(f"{self.name} {what}", "is the address that of the box, and its firmware new?")


def _sealed(connection: RTCPeerConnection) -> str:
    """The offer as the box wants it: base64 of JSON."""
    offer = connection.localDescription
    return base64.b64encode(json.dumps({"type": offer.type, "sdp": offer.sdp}).encode()).decode()


def _opened(answer: str) -> Any:
    """The answer as aiortc wants it. Raises ValueError, KeyError, TypeError."""
    from aiortc import RTCSessionDescription

    held = json.loads(base64.b64decode(answer))
    return RTCSessionDescription(sdp=held["sdp"], type=held["type"])
