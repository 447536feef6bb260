"""A real zsh or bash inside a real `terma shell`, in a PTY: what the recorder's tests share."""

from __future__ import annotations

import json
import re
import shlex
import socket
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pexpect

from tests.conftest import WAIT, Home
from tests.shells.driver import PROMPT, Shell, sterile_env, wait_until

TERMA = str(Path(sys.executable).parent / "terma")
TREE = Path(__file__).parents[2]
RC = f"PS1='{PROMPT}' PS2='more> ' HISTFILE= HISTSIZE=1000\n"
LOAD = {"zsh": f"source {TREE}/zsh/terma.plugin.zsh\n", "bash": f". {TREE}/bash/terma.bash\n"}
MARK = re.compile(rb"\x1b\]133;[ACD][^\x07]*;terma=[0-9a-f]{16}[^\x07]*\x07")


class Recorded(Shell):
    """`terma shell` with this shell in it. `last()` asks its socket; `words` are for the shell."""

    def __init__(
        self,
        shell: str,
        home: Home,
        rc: str = "",
        *,
        words: Sequence[str] = (),
        env: Mapping[str, str] | None = None,
        size: tuple[int, int] = (24, 80),
        ready: str = PROMPT,
        through: str = "{terma}",
    ) -> None:
        """`through` is a line for sh in which {terma} stands for the recorder; `{shell}` leaves it out."""
        self.home, self.runtime = home.home, home.runtime
        for name in (".zshrc", ".bashrc"):
            (self.home / name).write_text(RC + rc, encoding="utf-8")
        arguments = shlex.join(["--", *words]) if words else ""
        full = sterile_env(self.home, env) | {
            "SHELL": str(Path("/bin") / shell),
            "TERMA_SOCKET": str(home.socket),
        }
        if "ZDOTDIR" not in (env or {}):
            del full["ZDOTDIR"]
        line = through.format(terma=f"{TERMA} shell {arguments}", shell=shell)
        self.raw, self._seen = b"", 0
        if through == "{terma}":
            line = f"exec {line}"
        self.child = pexpect.spawn(
            "/bin/sh", ["-c", line], env=full, cwd=str(self.home), dimensions=size, timeout=WAIT
        )
        self.child.delaybeforesend = None
        self.child.ptyproc.delayafterclose = self.child.ptyproc.delayafterterminate = 0.02
        self._await(ready)

    def run(self, line: str) -> str:
        """Type a line; what came up to the next prompt and with it, without escape sequences and echo."""
        before = len(self.raw)
        self.type(line).press("Enter")
        self._await_line(before, line)
        self.wait_for(PROMPT)
        return self.since().lstrip("\r\n")

    def collect(self, ending: bytes) -> bytes:
        """Everything up to the first read that ends a flood with `ending`. For megabytes: wait_for looks at all of
        it each time."""
        pieces, tail = [], b""
        while ending not in tail:
            pieces.append(self.child.read_nonblocking(65536, WAIT))
            tail = tail[-200:] + pieces[-1]
        return b"".join(pieces)

    def sockets(self) -> list[Path]:
        return sorted(self.runtime.glob("rec-*.sock"))

    @property
    def recorder(self) -> int:
        """The pid of the recorder, as its socket names it."""
        wait_until(self.sockets, "the recorder's socket")
        return int(self.sockets()[0].name.split("-")[1])

    def ask(self, request: bytes = b"last\n") -> bytes:
        """The whole answer to a request."""
        wait_until(self.sockets, "the recorder's socket")
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(WAIT)
            connection.connect(str(self.sockets()[0]))
            connection.sendall(request)
            return b"".join(iter(lambda: connection.recv(65536), b""))

    def last(self, count: int = 10) -> list[dict[str, Any]]:
        commands: list[dict[str, Any]] = json.loads(self.ask(b"last %d\n" % count))["commands"]
        return commands

    def ended(self) -> int:
        """Read to the end; the exit status of what was started."""
        while True:
            try:
                self.raw += self.child.read_nonblocking(65536, WAIT)
            except pexpect.EOF:
                break
        self.child.close()
        status: int | None = self.child.exitstatus
        return 128 + self.child.signalstatus if status is None else status


def lives(pid: int) -> bool:
    """Whether the process is there and no zombie."""
    try:
        return ") Z" not in Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except (FileNotFoundError, ProcessLookupError):  # the second: it ended between open and read
        return False
