"""A stand-in PiKVM: the part of its HTTP interface that is documented, with a machine behind it that counts keys."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

# names of keys as browsers have them (W3C UI Events), to HID usages (USB HID usage tables, page 7)
_ORDER = {
    "Enter": 0x28,
    "Escape": 0x29,
    "Backspace": 0x2A,
    "Tab": 0x2B,
    "Space": 0x2C,
    "Minus": 0x2D,
    "Equal": 0x2E,
}
_MORE = {"BracketLeft": 0x2F, "BracketRight": 0x30, "Backslash": 0x31, "Semicolon": 0x33, "Quote": 0x34}
_REST = {"Backquote": 0x35, "Comma": 0x36, "Period": 0x37, "Slash": 0x38, "F12": 0x45, "ArrowUp": 0x52}
USAGES = (
    {f"Key{letter}": 4 + at for at, letter in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZ")}
    | _ORDER
    | _MORE
    | _REST
)
USAGES |= {f"Digit{digit}": 0x1E + at for at, digit in enumerate("1234567890")} | {"IntlBackslash": 0x64}
MODIFIERS = {"ControlLeft": 1, "ShiftLeft": 2, "AltLeft": 4, "MetaLeft": 8, "AltRight": 0x40}


class PiKvmBox:
    """`picture` is a JPEG, None without a signal; `reports` what a USB host would have got; `asked` each request."""

    def __init__(self, login: str = "admin:secret") -> None:
        self.picture: bytes | None = None
        self.reports = b""
        self.held: list[str] = []
        self.asked: list[tuple[str, str, dict[str, str]]] = []
        self.login, self.power, self.atx, self.lost = login, False, True, 0
        box = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                self._answer("GET")

            def do_POST(self) -> None:
                self._answer("POST")

            def log_message(self, *said: Any) -> None:
                pass

            def _answer(self, method: str) -> None:
                place = urlsplit(self.path)
                query = {name: values[0] for name, values in parse_qs(place.query).items()}
                user, password = self.headers.get("X-KVMD-User"), self.headers.get("X-KVMD-Passwd")
                if f"{user}:{password}" != box.login:
                    self._send(403 if user else 401, {"ok": False, "result": {"error": "UnauthorizedError"}})
                    return
                box.asked.append((method, place.path, query))
                status, body = box.answer(method, place.path, query)
                self._send(status, body)

            def _send(self, status: int, body: Any) -> None:
                raw = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    def __enter__(self) -> PiKvmBox:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, method: str, path: str, query: dict[str, str]) -> tuple[int, Any]:
        good: tuple[int, Any] = (200, {"ok": True, "result": {}})
        if path == "/api/streamer/snapshot":
            return (503, {"ok": False, "result": {}}) if self.picture is None else (200, self.picture)
        if path == "/api/hid/events/send_key" and method == "POST":
            if self.lost:
                self.lost -= 1
                return 500, {"ok": False, "result": {}}
            self._key(query["key"], {"true": True, "false": False}[query["state"]])
            return good
        if path == "/api/atx":
            return 200, {
                "ok": True,
                "result": {"enabled": self.atx, "leds": {"power": self.power, "hdd": False}},
            }
        if path == "/api/atx/power" and method == "POST":
            self.power = query["action"] in ("on", "reset_hard")
            return good
        known = (
            "/api/hid",
            "/api/streamer",
            "/api/hid/events/send_mouse_move",
            "/api/hid/events/send_mouse_button",
        )
        return good if path in known else (404, {"ok": False, "result": {}})

    def _key(self, key: str, pressed: bool) -> None:
        if pressed:
            self.held.append(key)
        elif key in self.held:
            self.held.remove(key)
        bits = sum(MODIFIERS[one] for one in self.held if one in MODIFIERS)
        usages = [USAGES[one] for one in self.held if one not in MODIFIERS]
        assert len(usages) < 2, self.held
        if usages and pressed:
            self.reports += bytes([bits, 0, usages[0], 0, 0, 0, 0, 0])
        elif not self.held:
            self.reports += bytes(8)
