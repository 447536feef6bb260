"""Writes key reports to a device so that the last thing it hears is always "no key is down"."""

from __future__ import annotations

import errno
import os
import threading
import time

from terma.vision.errors import EyesError

SIZE = 8  # bytes of a boot-protocol report
RELEASE = bytes(SIZE)
_LATER = (errno.EAGAIN, errno.ESHUTDOWN, errno.EINTR)  # busy, or the cable is out: perhaps not for long
_PAUSE = 0.001


class Port:
    """A device that takes reports of eight bytes. `deadline`: seconds that one report may take.

    A device takes a report whole or not at all; where one was cut all the same (a pipe, a file), its rest is sent
    before anything else, so that the next report starts where it should."""

    def __init__(self, path: str, deadline: float) -> None:
        """Raises EyesError when it cannot be opened."""
        self.path, self.deadline = path, deadline
        self.down = False  # whether the last report that went out may hold a key
        self._rest = b""
        self._turn = threading.RLock()  # a guard may release from a thread of its own
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
        except OSError as error:
            raise EyesError(
                f"{path}: {error.strerror}", "terma eyes hid-setup prints how the keyboard is made"
            ) from None
        self.offer(RELEASE)  # whoever was here before may have died with a key down

    def offer(self, report: bytes) -> bool:
        """Write one report; False where the device is busy: offer the same again. Raises EyesError."""
        with self._turn:
            try:
                if not self._flush():
                    return False
                was = self.down
                self.down = True  # from before the write: an interrupt may come right after it
                self._rest = report
                done = self._flush()
                if not self._rest and not done:
                    self.down = was
            except OSError as error:
                raise self._broken(error.strerror or "") from None
            if done:
                self.down = report != RELEASE
            return done

    def _flush(self) -> bool:
        """Whether all that was begun is written."""
        while self._rest:
            try:
                written = os.write(self._file, self._rest)
            except OSError as error:
                if error.errno in _LATER:
                    if len(self._rest) == SIZE:
                        self._rest = (
                            b""  # nothing of it was taken: the caller decides whether it still wants it
                        )
                    return False
                raise
            self._rest = self._rest[written:]
        return True

    def release(self) -> None:
        """Write "no key is down" where one may be; an interrupt waits until that is done. Raises EyesError."""
        with self._turn:
            if self.down:
                self._release()

    def _release(self) -> None:
        if len(self._rest) == SIZE:
            self._rest = b""  # a key that was not sent, or was, whole: its release is what counts now
        interrupted: BaseException | None = None
        end = time.monotonic() + self.deadline
        while True:
            try:
                if self.offer(RELEASE):
                    break
                if time.monotonic() > end:
                    raise self._broken("takes no keys")
                time.sleep(_PAUSE)
            except KeyboardInterrupt as interrupt:
                interrupted = interrupt
        if interrupted is not None:
            raise interrupted

    def late(self) -> EyesError:
        """What to raise when the deadline of a report is over."""
        return self._broken("takes no keys")

    def close(self) -> None:
        os.close(self._file)

    def _broken(self, why: str) -> EyesError:
        return EyesError(
            f"{self.path} {why}" if why.startswith("takes") else f"{self.path}: {why}",
            "is the cable in, and the other machine on?",
        )
