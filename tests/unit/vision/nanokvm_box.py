"""A stand-in NanoKVM, written from its server's source (application 2.3.2): login under the public key, MJPEG,
WebSocket, buttons. Its WebSocket shares no code with what types: frames are taken apart by RFC 6455 here once more."""

from __future__ import annotations

import base64
import hashlib
import json
import struct
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote, urlsplit

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

TOKEN = ".".join(("header", "claims", "signature"))


def opened(sealed: str) -> str:
    """The password as the box reads it: URL-encoded base64 of "Salted__", a salt, and AES-256-CBC."""
    raw = base64.b64decode(unquote(sealed))
    assert raw[:8] == b"Salted__"
    key = b""
    while len(key) < 48:
        key += hashlib.md5(key[-16:] + b"nanokvm-sipeed-2024" + raw[8:16], usedforsecurity=False).digest()
    reading = Cipher(algorithms.AES(key[:32]), modes.CBC(key[32:48])).decryptor()
    text = reading.update(raw[16:]) + reading.finalize()
    return text[: -text[-1]].decode()


class NanoKvmBox:
    """`picture` is a JPEG, None without a signal; `reports` what a USB host would have got; `pointer` its mouse's;
    `pressed` the buttons; `asked` each request. `hangs_up` ends the WebSocket; `news` is sent before each report."""

    def __init__(self, login: str = "admin:secret") -> None:
        self.picture: bytes | None = None
        self.reports, self.pointer, self.pressed = b"", [], []
        self.asked: list[tuple[str, str]] = []
        self.login, self.power, self.detects, self.hardware = login, False, False, "Beta"
        self.application, self.gives_token, self.news, self.pongs = "2.3.2", True, b"", []
        self.got = threading.Condition()
        self.over = threading.Event()
        box = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                self._answer("GET", {})

            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                self._answer("POST", json.loads(raw) if raw else {})

            def log_message(self, *said: Any) -> None:
                pass

            def _answer(self, method: str, body: dict[str, Any]) -> None:
                path = urlsplit(self.path).path
                box.asked.append((method, path))
                if path == "/api/auth/login":
                    self._login(body)
                elif f"nano-kvm-token={TOKEN}" not in self.headers.get("Cookie", ""):
                    self._send(401, "unauthorized")
                elif path == "/api/ws":
                    box._serve(self)
                elif path == "/api/stream/mjpeg":
                    box._stream(self)
                else:
                    self._send(*box._told(method, path, body))

            def _login(self, body: dict[str, Any]) -> None:
                if f"{body['username']}:{opened(body['password'])}" != box.login:
                    self._send(200, {"code": -2, "msg": "invalid username or password"})
                    return
                cookie = (
                    {} if box.gives_token else {"Set-Cookie": f"nano-kvm-token={TOKEN}; Path=/; HttpOnly"}
                )
                token = {"token": TOKEN} if box.gives_token else {}
                self._send(200, {"code": 0, "msg": "success", "data": token}, cookie)

            def _send(self, status: int, body: Any, more: dict[str, str] | None = None) -> None:
                raw = json.dumps(body).encode()
                self.send_response(status)
                for name, value in ({"Content-Length": str(len(raw))} | (more or {})).items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(raw)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    def __enter__(self) -> NanoKvmBox:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.over.set()
        self._server.shutdown()
        self._server.server_close()

    def wait(self, holds: Any) -> None:
        with self.got:
            assert self.got.wait_for(holds, 90), "it never came"

    def _told(self, method: str, path: str, body: dict[str, Any]) -> tuple[int, Any]:
        data: dict[str, Any] = {}
        if path == "/api/vm/gpio" and method == "POST":
            self.pressed.append((body["type"], body["duration"]))
            self.power = body["type"] == "power" and body["duration"] < 4000
        elif path == "/api/vm/gpio":
            data = {"pwr": self.power, "hdd": False}
        elif path == "/api/vm/info":
            data = {"application": self.application}
        elif path == "/api/vm/hardware":
            data = {"version": self.hardware}
        elif path == "/api/stream/mjpeg/detect":
            data = {"enabled": self.detects}
        elif path != "/api/stream/mjpeg/detect/stop":
            return 404, {"code": -1}
        return 200, {"code": 0, "msg": "success", "data": data or None}

    def _stream(self, handler: Any) -> None:
        """Heads come with the first picture, as its web framework writes them."""
        begun = False
        while not self.over.wait(0.02):
            if self.picture is None:
                continue
            if not begun:
                begun = True
                handler.send_response(200)
                handler.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
                handler.end_headers()
            head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(self.picture)}\r\n\r\n"
            try:
                handler.wfile.write(head.encode() + self.picture + b"\r\n")
            except OSError:
                break
        handler.close_connection = True

    def _serve(self, handler: Any) -> None:
        key = handler.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        handler.send_response(101)
        for name, value in (("Upgrade", "websocket"), ("Connection", "Upgrade")):
            handler.send_header(name, value)
        proof = hashlib.sha1(key.encode(), usedforsecurity=False).digest()
        handler.send_header("Sec-WebSocket-Accept", base64.b64encode(proof).decode())
        handler.end_headers()
        handler.close_connection = True
        while True:
            if self.news:
                with suppress(OSError):  # who hung up gets none
                    handler.wfile.write(self.news)
            head = handler.rfile.read(2)
            if len(head) < 2:
                return
            assert head[1] & 0x80, "a client masks what it sends"
            mask, size = handler.rfile.read(4), head[1] & 0x7F
            data = bytes(one ^ mask[at % 4] for at, one in enumerate(handler.rfile.read(size)))
            if head[0] == 0x88:
                return
            with self.got:
                self._message(head[0], data)
                self.got.notify_all()

    def _message(self, kind: int, data: bytes) -> None:
        if kind == 0x8A:
            self.pongs.append(data)
            return
        assert kind == 0x82, hex(kind)
        if data[0] == 1 and len(data) == 9:
            self.reports += data[1:]
        elif data[0] == 2 and len(data) == 7:
            self.pointer.append(struct.unpack("<BHHb", data[1:]))
        else:
            raise AssertionError(data)
