"""A person before a real terminal, in which a program (shell_program.py) runs commands in terma's persistent shell."""

from __future__ import annotations

import fcntl
import json
import os
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from terma.output import plain
from tests.conftest import WAIT, wait_until

ROOT = Path(__file__).parents[2]
COLUMNS, ROWS = 90, 30


class Person:
    """Sees everything that reaches the terminal, and types."""

    def __init__(
        self, shell: str, env: Mapping[str, str], cwd: str, timeout: float = 0.0, before: Sequence[str] = ()
    ) -> None:
        self.master, slave = os.openpty()
        self.resize(COLUMNS, ROWS)
        orders, self._orders = os.pipe()
        self._answers, answers = os.pipe()
        self.before = termios.tcgetattr(slave)
        words = (shell, cwd, timeout, orders, answers)
        self.process = subprocess.Popen(
            [*before, sys.executable, "-m", "tests.e2e.shell_program", *map(str, words)],
            env={**env, "PYTHONPATH": str(ROOT)},
            stdin=slave,
            stdout=slave,
            stderr=slave,
            pass_fds=(orders, answers),
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509
        )
        os.close(orders)
        os.close(answers)
        self.slave = slave
        os.set_blocking(self.master, False)
        self.seen = b""
        self._said = b""

    # what they do

    def type(self, keys: str) -> Person:
        os.write(self.master, keys.encode())
        return self

    def resize(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def order(self, kind: str, **values: Any) -> None:
        os.write(self._orders, json.dumps({"kind": kind, **values}).encode() + b"\n")

    def begin(self, command: str, **values: Any) -> Person:
        """Have a command run; `result` waits for its end."""
        self.seen = b""
        self.order("run", command=command, **values)
        return self

    def run(self, command: str, **values: Any) -> dict[str, Any]:
        return self.begin(command, **values).result()

    # what they see

    def look(self) -> None:
        while select.select([self.master], [], [], 0)[0]:
            try:
                data = os.read(self.master, 65536)
            except OSError:
                return
            if not data:
                return
            self.seen += data

    def sees(self, text: str) -> bool:
        self.look()
        return text in self.text()

    def text(self) -> str:
        return plain(self.seen.decode("utf-8", "replace"), COLUMNS, ROWS)

    def wait_for(self, text: str) -> Person:
        wait_until(lambda: self.sees(text), f"{text!r} on the terminal")
        return self

    def wait_for_bytes(self, data: bytes) -> Person:
        wait_until(lambda: self.look() or data in self.seen, f"{data!r} on the terminal")
        return self

    def result(self, seconds: float = 4 * WAIT) -> dict[str, Any]:
        """The next answer. The terminal is read meanwhile, as a terminal does."""
        deadline = time.monotonic() + seconds
        while b"\n" not in self._said:
            rest = deadline - time.monotonic()
            assert rest > 0, f"no answer within {seconds} s; the terminal: {self.text()[-2000:]}"
            ready = select.select([self._answers, self.master], [], [], rest)[0]
            if self.master in ready:
                self.look()
            if self._answers in ready:
                data = os.read(self._answers, 65536)
                assert data, f"it ended; the terminal: {self.text()[-2000:]}"
                self._said += data
        line, _, self._said = self._said.partition(b"\n")
        self.look()
        answer: dict[str, Any] = json.loads(line)
        return answer

    def all_read(self) -> bool:
        """Whether no key waits for a reader."""
        self.look()
        return fcntl.ioctl(self.slave, termios.FIONREAD, bytes(4)) == bytes(4)

    def modes(self) -> list[Any]:
        return termios.tcgetattr(self.slave)

    def raw(self) -> bool:
        return not self.modes()[3] & termios.ICANON

    def wait_until_raw(self) -> Person:
        wait_until(self.raw, "the command to have the terminal")
        return self

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(WAIT)

    def close(self) -> None:
        os.close(self._orders)
        try:
            deadline = time.monotonic() + WAIT
            while self.process.poll() is None and time.monotonic() < deadline:
                self.look()
                time.sleep(0.01)
        finally:
            self.process.kill()
            self.process.wait(WAIT)
            for handle in (self.master, self.slave, self._answers):
                os.close(handle)
