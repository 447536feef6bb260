"""A WebSocket that sends small binary messages (RFC 6455), blocking: a KVM box takes its keys so, and whoever lets go
of all keys must not wait for an event loop."""

from __future__ import annotations

import base64
import hashlib
import os
import socket
import ssl
import threading
from urllib.parse import urlsplit

from terma.vision.errors import EyesError

_MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_BINARY, _CLOSE, _PING, _PONG = 0x2, 0x8, 0x9, 0xA
_LONGEST = 64 * 1024  # bytes of an answer's head, or of one frame that the box sends
_SHORT = 126  # a length below it stands in one byte


class Refused(EyesError):
    """The box answered with a status that is none of a WebSocket's."""


class Socket:
    """A connection to `address` (http:// or https://…/path). Any thread may send."""

    def __init__(self, address: str, cookie: str, trusted: ssl.SSLContext, seconds: float) -> None:
        """Raises EyesError where nobody answers within so many seconds, Refused where it is no WebSocket."""
        place = urlsplit(address)
        self._name, self._lock, self._unread = f"{place.scheme}://{place.netloc}", threading.Lock(), b""
        secure = place.scheme == "https"
        try:
            plain = socket.create_connection(
                (place.hostname or "", place.port or (443 if secure else 80)), timeout=seconds
            )
            self._socket = trusted.wrap_socket(plain, server_hostname=place.hostname) if secure else plain
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError as error:
            raise self._gone(error) from None
        try:
            self._shake(place.netloc, place.path, cookie)
        except BaseException:
            self._socket.close()
            raise

    def send(self, data: bytes) -> None:
        """One message, of less than 126 bytes. Raises EyesError where the box does not take it."""
        with self._lock:
            try:
                self._hear()
                self._frame(_BINARY, data)
            except OSError as error:
                raise self._gone(error) from None

    def close(self) -> None:
        """It is over; whatever goes wrong now is nobody's concern."""
        with self._lock:
            try:
                self._frame(_CLOSE, b"\x03\xe8")
            except OSError:
                pass
            finally:
                self._socket.close()

    def _shake(self, host: str, path: str, cookie: str) -> None:
        key = base64.b64encode(os.urandom(16))
        lines = [
            f"GET {path} HTTP/1.1",
            f"Host: {host}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key.decode()}",
            "Sec-WebSocket-Version: 13",
            *([f"Cookie: {cookie}"] if cookie else []),
        ]
        head = b""
        try:
            self._socket.sendall("\r\n".join([*lines, "", ""]).encode("ascii", "replace"))
            while b"\r\n\r\n" not in head:
                piece = self._socket.recv(4096)
                if not piece or len(head) > _LONGEST:
                    raise ConnectionResetError(0, "it hung up")
                head += piece
        except OSError as error:
            raise self._gone(error) from None
        head, _, self._unread = head.partition(b"\r\n\r\n")
        wanted = base64.b64encode(hashlib.sha1(key + _MAGIC, usedforsecurity=False).digest())
        if b" 101 " not in head.split(b"\r\n")[0] + b" " or wanted not in head:
            said = head.split(b"\r\n")[0].decode("ascii", "replace")[:60]
            raise Refused(f"{self._name} gives no WebSocket: {said!r}", "is the address that of the box?")

    def _hear(self) -> None:
        """What came meanwhile: a ping is answered, an end is noticed, the rest is news that nobody asked for."""
        waiting = self._socket.gettimeout()
        self._socket.settimeout(0)
        try:
            while piece := self._socket.recv(65536):
                self._unread += piece
            raise ConnectionResetError(0, "it hung up")
        except (BlockingIOError, ssl.SSLWantReadError):
            pass
        finally:
            self._socket.settimeout(waiting)
        while (found := self._next()) is not None:
            kind, data = found
            if kind == _CLOSE:
                raise ConnectionResetError(0, "it hung up")
            if kind == _PING:
                self._frame(_PONG, data)

    def _next(self) -> tuple[int, bytes] | None:
        """The next whole frame of what came; a server masks none."""
        held = self._unread
        if len(held) < 2:
            return None
        size, begin = held[1] & 0x7F, 2
        if size >= _SHORT:
            begin = 4 if size == _SHORT else 10
            if len(held) < begin:
                return None
            size = int.from_bytes(held[2:begin], "big")
        if size > _LONGEST:
            raise ConnectionResetError(0, "it sends too much")
        if len(held) < begin + size:
            return None
        self._unread = held[begin + size :]
        return held[0] & 0x0F, held[begin : begin + size]

    def _frame(self, kind: int, data: bytes) -> None:
        mask = os.urandom(4)
        masked = bytes(one ^ mask[at % 4] for at, one in enumerate(data))
        self._socket.sendall(bytes([0x80 | kind, 0x80 | len(data)]) + mask + masked)

    def _gone(self, error: OSError) -> EyesError:
        why = error.strerror or type(error).__name__
        return EyesError(f"{self._name} does not answer ({why})", "is it on, and its certificate trusted?")
