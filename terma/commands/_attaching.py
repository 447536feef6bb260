"""`terma session attach`: this terminal in the place of the session's, until Ctrl+] or its end."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import signal
import sys
import termios
import tty
from typing import Any

from terma import client
from terma.errors import TermaError
from terma.printing import own

DETACH = b"\x1d"  # Ctrl+]
# Modes that a program may have switched on in our terminal: alternate screen, mouse, paste, keypad, hidden cursor.
_CALM = b"\x1b[?1049l\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?2004l\x1b[?1l\x1b>\x1b[?25h\x1b[0m"


def attach(name: str, watch: bool) -> int:
    """Exit status 0 after Ctrl+], the program's own after its end. Raises TermaError."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise TermaError("attach needs a terminal", "for programs: terma session exec, send and read")
    with client.connect() as output, client.connect() as keys:
        size = shutil.get_terminal_size()
        if not watch:
            _ask(keys, "resize", {"session": name, "cols": size.columns, "rows": size.lines})
        output.begin("session_attach", {"args": json.dumps({"session": name})})
        print(f"[{name}: Ctrl+] leaves]", flush=True)
        before = termios.tcgetattr(0)
        wakeup, waker = os.pipe()
        os.set_blocking(waker, False)
        old = signal.signal(signal.SIGWINCH, lambda *_: None)
        signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
        try:
            tty.setraw(0)
            return _relay(output, keys, name, watch, wakeup)
        finally:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGWINCH, old)
            os.close(wakeup)
            os.close(waker)
            os.write(1, _CALM)
            termios.tcsetattr(0, termios.TCSADRAIN, before)
            own("\r\n")
            print(f"[left {name}]", flush=True)


def _relay(output: client.Connection, keys: client.Connection, name: str, watch: bool, wakeup: int) -> int:
    while True:
        ready, _, _ = select.select([0, output.fileno(), wakeup], [], [])
        if wakeup in ready:
            os.read(wakeup, 4096)
            if not watch:
                size = shutil.get_terminal_size()
                _ask(keys, "resize", {"session": name, "cols": size.columns, "rows": size.lines})
        if 0 in ready:
            data = os.read(0, 4096)
            before, detach, _ = data.partition(DETACH)
            if before and not watch:
                _ask(keys, "send", {"session": name, "data": base64.b64encode(before).decode()})
            if detach or not data:
                return 0
        if output.fileno() in ready:
            for frame in output.waiting_frames():
                if frame[0] == "data":
                    _write(base64.b64decode(frame[2]))
                elif frame[0] == "done":
                    return int(json.loads(frame[2]).get("exit_status") or 0)


def _write(data: bytes) -> None:
    while data:
        data = data[os.write(1, data) :]


def _ask(connection: client.Connection, name: str, args: dict[str, Any]) -> None:
    connection.ask_json(f"session_{name}", {"args": json.dumps(args)})
