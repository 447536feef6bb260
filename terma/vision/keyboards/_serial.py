"""Frames of a CH9329, a chip that turns a serial line into a USB keyboard and mouse; each is answered by it.

A frame is 57 AB, the chip's address, a command, the length of the data, the data, and the sum of all that as a byte.
"""

from __future__ import annotations

import errno
import os
import termios
import threading
import time

from terma.vision.errors import EyesError

HEAD, ADDRESS = b"\x57\xab", 0x00
INFO, KEYS, POINTER = 0x01, 0x02, 0x04  # commands; an answer has 0x80 added, 0xC0 where it was refused
_ANSWER, _REFUSED = 0x80, 0xC0
_LONGEST = 64  # bytes of data in a frame
_PAUSE = 0.002
_SPEEDS = {9600: termios.B9600, 19200: termios.B19200, 38400: termios.B38400, 57600: termios.B57600} | {
    115200: termios.B115200
}


def frame(command: int, data: bytes = b"") -> bytes:
    """The bytes that go over the line."""
    whole = HEAD + bytes([ADDRESS, command, len(data)]) + data
    return whole + bytes([sum(whole) & 0xFF])


def answers(received: bytes) -> tuple[list[tuple[int, bytes]], bytes]:
    """The whole frames in `received`, as command and data, and what is left; what is no frame is passed over."""
    found: list[tuple[int, bytes]] = []
    while (begin := received.find(HEAD)) >= 0:
        received = received[begin:]
        if (len(received) > 2 and received[2] != ADDRESS) or (len(received) > 4 and received[4] > _LONGEST):
            received = received[2:]  # a head within something else
            continue
        if len(received) < 6 or len(received) < 6 + received[4]:
            return found, received
        end = 6 + received[4]
        one = received[:end]
        if sum(one[:-1]) & 0xFF == one[-1]:
            found.append((one[3], one[5:-1]))
            received = received[end:]
        else:
            received = received[2:]
    return found, received[-1:] if received.endswith(HEAD[:1]) else b""


class Line:
    """The serial line at `path`. From any thread; one frame at a time."""

    def __init__(self, path: str, baud: int) -> None:
        """Raises EyesError when it cannot be opened."""
        self.path = path
        self._turn = threading.RLock()
        if baud not in _SPEEDS:
            raise EyesError(
                f"{path}: {baud} baud is none that is used", f"one of {', '.join(map(str, _SPEEDS))}"
            )
        try:
            self._file = os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
        except OSError as error:
            raise EyesError(
                f"{path}: {error.strerror}", "set [eyes.keyboard] address: /dev/ttyUSB0 or so"
            ) from None
        try:
            self._raw(_SPEEDS[baud])
        except termios.error:
            os.close(self._file)
            raise EyesError(
                f"{path} is no serial line", "set [eyes.keyboard] address: /dev/ttyUSB0 or so"
            ) from None

    def ask(self, command: int, data: bytes, deadline: float) -> bytes:
        """Send a frame and wait for its answer, whose data it gives. Raises EyesError where none comes in `deadline`
        seconds, or the chip refuses it."""
        with self._turn:
            self._drop()
            end = time.monotonic() + deadline
            self._write(frame(command, data), end)
            rest = b""
            while time.monotonic() < end:
                rest += self._read()
                found, rest = answers(rest)
                for kind, said in found:
                    if kind == command | _ANSWER and not (command != INFO and said != b"\x00"):
                        return said
                    if kind in (command | _REFUSED, command | _ANSWER):
                        raise EyesError(
                            f"{self.path}: the chip refuses it ({said.hex()})", "is its cable in?"
                        )
                time.sleep(_PAUSE)
        raise EyesError(f"{self.path}: no answer", "is it a CH9329, and the baud rate right?")

    def close(self) -> None:
        os.close(self._file)

    def _raw(self, speed: int) -> None:
        mode = termios.tcgetattr(self._file)
        mode[0], mode[1], mode[3] = 0, 0, 0
        mode[2] = termios.CS8 | termios.CREAD | termios.CLOCAL
        mode[4], mode[5] = speed, speed
        termios.tcsetattr(self._file, termios.TCSANOW, mode)

    def _drop(self) -> None:
        while self._read():
            pass

    def _read(self) -> bytes:
        try:
            return os.read(self._file, 256)
        except BlockingIOError:
            return b""
        except OSError as error:
            raise EyesError(f"{self.path}: {error.strerror}", "is the cable in?") from None

    def _write(self, data: bytes, end: float) -> None:
        while data:
            try:
                data = data[os.write(self._file, data) :]
            except OSError as error:
                if error.errno != errno.EAGAIN or time.monotonic() > end:
                    raise EyesError(f"{self.path}: {error.strerror}", "is the cable in?") from None
                time.sleep(_PAUSE)
