"""One WebRTC connection to a box: the newest picture of its video track, and JSON-RPC over a data channel.

It lives on an event loop in a thread of its own, since whoever lets go of all keys must not wait for the loop that
types; aiortc, from the extra `jetkvm`, is loaded when a connection is made."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import threading
from collections.abc import Callable, Coroutine, Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

from terma.vision.errors import EyesError
from terma.vision.requests import Requests

if TYPE_CHECKING:
    from aiortc import MediaStreamTrack, RTCDataChannel, RTCPeerConnection
    from av import VideoFrame

    from terma.vision.types import Image

_T = TypeVar("_T")

CONNECTING = 15.0  # seconds for login, signalling, and the first packet of the channel
_LEAVING = 3.0
_CHANNEL = "rpc"


class Door(Protocol):
    """How a connection begins: `enter` exchanges offer and answer, `leave` ends what that needs meanwhile. Raises
    EyesError. `name` is the box as people are told of it."""

    @property
    def name(self) -> str: ...
    async def enter(self, connection: RTCPeerConnection) -> None: ...
    async def leave(self) -> None: ...


class Watcher(Protocol):
    """Who is told of pictures (what makes one, for when it is wanted), and why no more will come. From any thread."""

    def put(self, picture: Callable[[], Image], /) -> None: ...
    def fail(self, error: EyesError, /) -> None: ...


class Peer:
    """`door` is used on this thread's loop alone."""

    def __init__(self, door: Door) -> None:
        self.name = door.name
        self.picture: Callable[[], Image] | None = None  # makes the newest picture; None before the first
        self._door, self._requests = door, Requests(door.name, self._told)
        self._watchers: list[Watcher] = []
        self._connection: RTCPeerConnection | None = None
        self._channel: RTCDataChannel | None = None
        self._work: set[asyncio.Task[None]] = set()
        self._leaving: asyncio.Task[None] | None = None
        self._why: EyesError | None = None  # why nothing more will come
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="eyes-webrtc", daemon=True)
        self._thread.start()
        self._opened = self._submit(self._open())

    @property
    def over(self) -> bool:
        """Whether it failed or was closed: a new one is needed."""
        return self._why is not None

    @property
    def news(self) -> Mapping[str, Any]:
        """What the box told unasked, the last of each name."""
        return self._requests.news

    async def ready(self) -> None:
        """Return once requests are taken. Raises EyesError."""
        await asyncio.shield(asyncio.wrap_future(self._opened))

    async def ask(self, method: str, **parameters: object) -> Any:
        """The result of one request. Raises Refusal for the box's own no, EyesError where the connection is gone."""
        return await asyncio.wrap_future(self._submit(self._ask(method, parameters)))

    def ask_at_once(self, method: str, seconds: float, **parameters: object) -> Any:
        """The same for whoever has no event loop, within so many seconds. Raises EyesError."""
        asked = self._submit(self._ask(method, parameters))
        try:
            return asked.result(seconds)
        except concurrent.futures.TimeoutError:
            asked.cancel()
            raise EyesError(f"{self.name} does not answer", "is it on?") from None

    def watch(self, watcher: Watcher) -> Callable[[], None]:
        """Tell `watcher`, in this thread, of each picture that comes, and of the end. Returns what ends that."""
        self._watchers.append(watcher)
        if self.picture is not None:
            watcher.put(self.picture)
        if self._why is not None:
            watcher.fail(self._gone())
        return lambda: self._watchers.remove(watcher)

    def close(self) -> None:
        """It is over. Waits a moment for the box to be told, in any thread but its own."""
        self._opened.cancel()
        with contextlib.suppress(concurrent.futures.TimeoutError, concurrent.futures.CancelledError):
            self._submit(self._close()).result(_LEAVING)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_LEAVING)

    def _run(self) -> None:
        loop = self._loop
        asyncio.set_event_loop(loop)
        loop.run_forever()
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        loop.run_until_complete(asyncio.sleep(0))  # sockets that were closed are closed
        loop.close()

    def _submit(self, work: Coroutine[Any, Any, _T]) -> concurrent.futures.Future[_T]:
        if self._loop.is_closed():
            work.close()
            raise self._gone()
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def _open(self) -> None:
        try:
            import aiortc  # noqa: F401 loading it takes seconds on a busy machine, which are not the box's

            async with asyncio.timeout(CONNECTING):
                await self._connect()
        except TimeoutError:
            await self._lost("gives no WebRTC connection")
            raise self._gone() from None
        except EyesError as error:
            await self._lost("", error=error)
            raise
        except ImportError as error:
            missing = EyesError(
                f"{self.name} needs what is not installed: {error.name}",
                "pip install 'xontrib-terma[jetkvm]'",
            )
            await self._lost("", error=missing)
            raise missing from None
        except Exception as error:  # a library that stumbles over what the box sent
            await self._lost(f"speaks no WebRTC that is understood ({type(error).__name__})")
            raise self._gone() from None

    async def _connect(self) -> None:
        from aiortc import RTCConfiguration, RTCPeerConnection

        open_ = asyncio.Event()
        # No STUN server: the box is on this network, and nobody else is told of it.
        self._connection = connection = RTCPeerConnection(RTCConfiguration(iceServers=[]))
        connection.addTransceiver("video", direction="recvonly")
        self._channel = channel = connection.createDataChannel(_CHANNEL)
        channel.on("open", open_.set)
        channel.on("message", self._requests.heard)
        channel.on("close", lambda: self._begin(self._lost("closed its channel")))
        connection.on("track", lambda track: self._begin(self._see(track)))
        connection.on("connectionstatechange", self._changed)
        signalled = asyncio.ensure_future(self._door.enter(connection))
        opened = asyncio.ensure_future(open_.wait())
        try:
            await signalled
            await opened
        finally:
            signalled.cancel()
            opened.cancel()

    def _changed(self) -> None:
        if self._connection is not None and self._connection.connectionState in ("failed", "closed"):
            self._begin(self._lost("is not there any more"))

    async def _see(self, track: MediaStreamTrack) -> None:
        from aiortc.mediastreams import MediaStreamError

        with contextlib.suppress(MediaStreamError):  # it ended
            while track.kind == "video":
                self.picture = made = _making(cast("VideoFrame", await track.recv()))
                for watcher in tuple(self._watchers):
                    watcher.put(made)

    async def _ask(self, method: str, parameters: dict[str, object]) -> Any:
        channel = self._channel
        if self._why is not None or channel is None or channel.readyState != "open":
            raise self._gone()
        return await self._requests.ask(channel.send, method, parameters)

    def _told(self, method: str) -> None:
        if method == "otherSessionConnected":
            self._begin(
                self._lost("was taken over by somebody else", "it serves one at a time: close its page")
            )

    async def _lost(
        self, what: str, hint: str = "is it on, and its cable in?", error: EyesError | None = None
    ) -> None:
        if self._why is None:
            self._why = error or EyesError(f"{self.name} {what}", hint)
        await self._close()

    async def _close(self) -> None:
        if self._why is None:
            self._why = self._gone()
        for watcher in tuple(self._watchers):
            watcher.fail(self._gone())
        self._requests.fail(self._gone())
        if self._leaving is None and self._connection is not None:
            self._leaving = self._loop.create_task(self._leave(self._connection))
            self._connection = None
        if (
            self._leaving is not None
        ):  # whoever closes waits until the sockets are closed, and may be the second to
            await asyncio.shield(self._leaving)

    async def _leave(self, connection: RTCPeerConnection) -> None:
        try:
            await self._door.leave()
        finally:
            await connection.close()

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)

    def _gone(self) -> EyesError:
        why = self._why
        return (
            EyesError(why.message, why.hint)
            if why
            else EyesError(f"{self.name} is not open", "open it first")
        )


def _making(frame: VideoFrame) -> Callable[[], Image]:
    return lambda: cast("Image", frame.to_ndarray(format="bgr24"))
