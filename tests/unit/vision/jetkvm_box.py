"""A stand-in JetKVM, written from its firmware's source: login with a password, signalling by WebSocket (older: HTTP),
H.264 over WebRTC, JSON-RPC on the data channel "rpc", an ATX or DC extension. Its WebRTC is aiortc's other side."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import socket
import threading
from collections.abc import Callable, Coroutine
from typing import Any

import numpy as np
import uvicorn
from aiortc import (
    RTCConfiguration,
    RTCPeerConnection,
    RTCRtpSender,
    RTCSessionDescription,
    VideoStreamTrack,
)
from av import VideoFrame
from fastapi import FastAPI, Request, WebSocket
from fastapi.responses import JSONResponse

TOKEN = "0b1d-authentic"  # noqa: S105 it opens a stand-in


class _Screen(VideoStreamTrack):
    """Ten pictures a second, and three of one that stays as it is: its thirty, encoded and decoded by one busy core,
    would leave none to read them."""

    def __init__(self, box: JetKvmBox) -> None:
        super().__init__()
        self._box = box
        self._sent: np.ndarray[Any, Any] | None = None

    async def recv(self) -> VideoFrame:
        for _ in range(3):
            pts, time_base = await self.next_timestamp()
        for _ in range(7):
            if self._box.picture is None or not np.array_equal(self._box.picture, self._sent):
                break
            pts, time_base = await self.next_timestamp()
        while self._box.picture is None:  # without a signal its encoder sends nothing
            await asyncio.sleep(0.02)
            pts, time_base = await self.next_timestamp()
        self._sent = self._box.picture
        frame = VideoFrame.from_ndarray(self._sent, format="bgr24")
        frame.pts, frame.time_base = pts, time_base
        return frame


class JetKvmBox:
    """`picture` is what the machine shows, None without a signal; `reports` what a USB host would have got, `pointer`
    its mouse's; `pressed` the power buttons; `asked` each request of the channel; `sessions` the connections so far.
    `refuses` are methods that it answers with an error, `silent` makes it answer nothing. `candidates` False leaves its
    ways out of the answer, and tells them one by one. `old` is firmware without a WebSocket."""

    def __init__(self, password: str = "right horse") -> None:  # noqa: S107
        self.picture: np.ndarray[Any, Any] | None = None
        self.reports, self.pointer, self.pressed = b"", [], []
        self.asked: list[str] = []
        self.doors: list[str] = []
        self.password, self.usb, self.extension, self.on = password, "configured", "atx-power", False
        self.refuses: set[str] = set()
        self.silent, self.old, self.candidates = False, False, True
        self.answer: str | None = None  # said in place of its own
        self.news: list[str | bytes] = []  # said on the channel when it opens
        self.wrong = 0
        self.sessions: list[RTCPeerConnection] = []
        self.channels: list[Any] = []
        self.got = threading.Condition()
        self.reported: Callable[[bytes], None] = lambda report: None
        self._server = uvicorn.Server(
            uvicorn.Config(self._app(), log_level="critical", ws="websockets-sansio", lifespan="off")
        )
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> JetKvmBox:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.do(self._end())
        self._server.should_exit = True
        self._thread.join(10)
        self._socket.close()

    def do(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(90)

    def wait(self, holds: Callable[[], Any]) -> None:
        with self.got:
            assert self.got.wait_for(holds, 90), "it never came"

    def drop(self) -> None:
        """Its power is gone: nothing more is said, and nobody is told."""

        async def work() -> None:
            for session in self.sessions:
                await session.close()

        self.do(work())

    def close_channel(self) -> None:
        async def work() -> None:
            self.channels[-1].close()

        self.do(work())

    def say(self, message: str | bytes) -> None:
        async def work() -> None:
            self.channels[-1].send(message)

        self.do(work())

    def tell(self, method: str, parameters: Any = None) -> None:
        self.say(json.dumps({"jsonrpc": "2.0", "method": method, "params": parameters}))

    async def _end(self) -> None:
        for session in self.sessions:
            await session.close()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._server.serve([self._socket]))
        self._loop.close()

    def _app(self) -> FastAPI:
        app = FastAPI()

        @app.post("/auth/login-local")
        async def login(request: Request) -> JSONResponse:
            self.doors.append("/auth/login-local")
            if not self.password:
                return JSONResponse({"error": "Login is disabled in noPassword mode"}, 400)
            if self.wrong >= 3:
                return JSONResponse({"error": "Too many"}, 429, {"Retry-After": "30"})
            if (await request.json())["password"] != self.password:
                self.wrong += 1
                return JSONResponse({"error": "Invalid password"}, 401)
            answer = JSONResponse({"message": "Login successful"})
            answer.set_cookie("authToken", TOKEN, httponly=True)
            return answer

        @app.get("/device")
        async def device(request: Request) -> JSONResponse:
            return JSONResponse(*(({}, 200) if self._may(request) else ({"error": "Unauthorized"}, 401)))

        @app.post("/webrtc/session")
        async def session(request: Request) -> JSONResponse:
            self.doors.append("/webrtc/session")
            if not self._may(request):
                return JSONResponse({"error": "Unauthorized"}, 401)
            sealed = (await request.json())["sd"]
            return JSONResponse({"sd": self.answer or (await self._joined(sealed))[0]})

        @app.websocket("/webrtc/signaling/client")
        async def signalling(ws: WebSocket) -> None:
            self.doors.append("/webrtc/signaling/client")
            if self.old or not self._may(ws):
                await ws.send_denial_response(JSONResponse({}, 404 if self.old else 401))
                return
            await ws.accept()
            await ws.send_json({"type": "device-metadata", "data": {"deviceVersion": "0.5.0"}})
            with contextlib.suppress(RuntimeError):
                async for message in ws.iter_json():
                    if message["type"] != "offer":
                        continue
                    sealed, ways = await self._joined(message["data"]["sd"])
                    await ws.send_json({"type": "answer", "data": self.answer or sealed})
                    for way in ways:
                        await ws.send_json({"type": "new-ice-candidate", "data": way})

        return app

    def _may(self, asked: Any) -> bool:
        return not self.password or asked.cookies.get("authToken") == TOKEN

    async def _joined(self, sealed: str) -> tuple[str, list[dict[str, Any]]]:
        offer = json.loads(base64.b64decode(sealed))
        for channel in self.channels:
            if channel.readyState == "open":
                channel.send(json.dumps({"jsonrpc": "2.0", "method": "otherSessionConnected"}))
        connection = RTCPeerConnection(RTCConfiguration(iceServers=[]))
        self.sessions.append(connection)
        connection.on("datachannel", self._served)
        await connection.setRemoteDescription(RTCSessionDescription(**offer))
        connection.addTrack(_Screen(self))
        for transceiver in connection.getTransceivers():
            known = RTCRtpSender.getCapabilities("video").codecs
            transceiver.setCodecPreferences([one for one in known if one.mimeType == "video/H264"])
        await connection.setLocalDescription(await connection.createAnswer())
        sdp, ways = connection.localDescription.sdp, []
        if not self.candidates:
            held = [line for line in sdp.splitlines() if line.startswith("a=candidate:")]
            ways = [{"candidate": line[2:], "sdpMid": "0", "sdpMLineIndex": 0} for line in held]
            dropped = (*held, "a=end-of-candidates")
            sdp = "".join(f"{line}\r\n" for line in sdp.splitlines() if line not in dropped)
        answer = {"type": "answer", "sdp": sdp}
        return base64.b64encode(json.dumps(answer).encode()).decode(), ways

    def _served(self, channel: Any) -> None:
        assert channel.label == "rpc", channel.label
        self.channels.append(channel)
        for message in self.news:
            channel.send(message)

        @channel.on("message")
        def heard(message: str) -> None:
            request = json.loads(message)
            assert request["jsonrpc"] == "2.0" and isinstance(request["params"], dict)
            answer: dict[str, Any] = {"jsonrpc": "2.0", "id": request["id"]}
            with self.got:
                self.asked.append(request["method"])
                if request["method"] in self.refuses:
                    data = "write /dev/hidg0: \x1b[2Jfull"
                    answer["error"] = {"code": -32603, "message": "Internal error", "data": data}
                elif not self.silent and (result := self._did(**request)) is not None:
                    answer["result"] = result  # Go leaves an empty one out
                self.got.notify_all()
            if not self.silent and channel.readyState == "open":
                channel.send(json.dumps(answer))

    def _did(self, method: str, params: dict[str, Any], **_: Any) -> Any:
        if method == "keyboardReport":
            assert len(params["keys"]) == 6
            if self.usb != "not attached":
                report = bytes([params["modifier"], 0, *params["keys"]])
                self.reports += report
                self.reported(report)
        elif method == "absMouseReport":
            self.pointer.append((params["x"], params["y"], params["buttons"]))
        elif method == "setATXPowerAction":
            self.pressed.append(params["action"])
            self.on = params["action"] == "power-short" and not self.on
        elif method == "setDCPowerState":
            self.pressed.append(params["enabled"])
            self.on = params["enabled"]
        else:
            ready = self.picture is not None
            return {
                "getUSBState": self.usb,
                "getVideoState": {"ready": ready} | ({} if ready else {"error": "no_signal"}),
                "getActiveExtension": self.extension,
                "getATXState": {"power": self.on, "hdd": False},
                "getDCPowerState": {"isOn": self.on, "voltage": 12.0},
            }[method]
        return None
