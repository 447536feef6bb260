"""In a `terma shell`: the marks by which it finds what a command printed (OSC 133, from the hooks and not the prompt).

A shell in another terminal within (a tmux, say) inherits the names but is not recorded; it prints none.
"""

from __future__ import annotations

import contextlib
import os
import sys
from typing import Any
from urllib.parse import quote

MAX_TEXT = 2_048  # bytes of a command or directory in a mark
SAFE = " _./:=,@+-"


def add(session: Any) -> None:
    """Print marks until the xontrib is unloaded."""
    environ = session.environment()
    terminal = environ.get("TERMA_RECORDING_TTY", "")
    try:
        if not terminal or os.ttyname(0) != terminal:
            return
        handle = os.open(terminal, os.O_WRONLY | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        return
    session.undo(lambda: os.close(handle))
    nonce = os.path.basename(environ["TERMA_RECORDING"]).rpartition(".")[0].rpartition("-")[2]  # noqa: PTH119
    ours = f";terma={nonce};aid={os.getpid()}"
    is_open = False

    def write(*marks: str) -> None:
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.flush()
            os.write(handle, "".join(f"\x1b]133;{mark}\a" for mark in marks).encode("ascii"))

    def begins(cmd: str, **_: Any) -> None:
        nonlocal is_open
        is_open = True
        write(f"C{ours};cwd_url={_encoded(_here())};cmdline_url={_encoded(_typed(cmd))}")

    def prompts(**_: Any) -> None:
        nonlocal is_open
        marks = [f"D;{max(session.memory.status, 0)}{ours}"] if is_open else []
        is_open = False
        if "133;A" not in str(session.xsh.env.get("PROMPT")):  # the prompt may have marks of its own
            marks.append(f"A{ours}")
        write(*marks)

    session.on("on_precommand", begins)
    session.on("on_pre_prompt", prompts)


def _typed(command: str) -> str:
    return "?why" if command.startswith("_terma_why") else command.rstrip("\n")


def _here() -> str:
    try:
        return os.getcwd()  # noqa: PTH109 a string, and no import of pathlib
    except OSError:
        return ""


def _encoded(text: str) -> str:
    return quote(text.encode("utf-8", "surrogateescape")[:MAX_TEXT], safe=SAFE)
