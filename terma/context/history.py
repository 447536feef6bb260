"""The commands that a person typed before, read from the history file that their shell names."""

from __future__ import annotations

import os
import re
import stat
from functools import lru_cache
from pathlib import Path

MAX_BYTES = 512 * 1024  # of the newest end of the file
MAX_COMMANDS = 4_000
MAX_LENGTH = 1_000  # code points; a longer one is a pasted script and nobody asks for it by name

_ZSH_STAMP = re.compile(r"\A: \d+:\d+;")
_BASH_STAMP = re.compile(r"\A#\d+\Z")
_META = re.compile(rb"\x83(.)", re.S)  # zsh writes a byte above 0x82 as Meta and the byte with bit 5 flipped


def read(path: str) -> tuple[str, ...]:
    """The commands in the zsh or bash history file `path`, the newest last, each once where it was last used.

    () when the path is not absolute, is no regular file or cannot be read. Reads the file again when it has
    changed."""
    if not path.startswith("/"):
        return ()
    try:
        info = Path(path).stat()
    except (OSError, ValueError):
        return ()
    if not stat.S_ISREG(info.st_mode):
        return ()
    return _read(path, info.st_mtime_ns, info.st_size)


@lru_cache(maxsize=4)
def _read(path: str, _mtime: int, size: int) -> tuple[str, ...]:
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return ()
    with os.fdopen(handle, "rb") as file:
        file.seek(max(0, size - MAX_BYTES))
        data = file.read(MAX_BYTES)
    if size > MAX_BYTES:
        data = data.partition(b"\n")[2]
    return parse(data)


def parse(data: bytes) -> tuple[str, ...]:
    """The commands in `data`: plain lines, zsh's extended format, or bash's with time stamps."""
    zsh = data.startswith(b": ") or b"\n: " in data[:4096]
    if zsh:
        data = _META.sub(lambda match: bytes((match[1][0] ^ 0x20,)), data)
    lines = data.decode("utf-8", "replace").split("\n")
    seen: dict[str, None] = {}
    for command in reversed(
        _whole(lines) if zsh else [line for line in lines if not _BASH_STAMP.match(line)]
    ):
        text = command.strip()
        if text and len(text) <= MAX_LENGTH and "\ufffd" not in text:
            seen.setdefault(text)
        if len(seen) == MAX_COMMANDS:
            break
    return tuple(reversed(seen))


def _whole(lines: list[str]) -> list[str]:
    """zsh's lines joined to commands: a backslash at the end of a line says that the command goes on."""
    commands: list[str] = []
    part = ""
    for line in lines:
        part += line if part else _ZSH_STAMP.sub("", line)
        if part.endswith("\\"):
            part = part[:-1] + "\n"
        else:
            commands.append(part)
            part = ""
    return commands
