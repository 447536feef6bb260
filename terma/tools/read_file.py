"""Reads a text file, a part of a long one, so that a model need not run a command for it."""

from __future__ import annotations

import asyncio
import os
import stat
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from terma.chat import ToolSpec
from terma.dialogue import Proposal, Ran, World
from terma.errors import TermaError, UsageError
from terma.tools._places import resolved, risk

MAX_BYTES = 16 * 2**20  # that are gone through to reach the lines that are wanted
MAX_LINES = 400
MAX_TEXT = 40_000  # code points
MAX_HIDDEN = (
    8 * MAX_TEXT
)  # of the wanted lines that are searched for secrets: without them they may be shorter
AROUND = 64_000  # code points before and behind the wanted lines that are searched for secrets with them


class ReadFile:
    """Regular files of text alone. Nothing is followed that was not seen when the person decided."""

    read_only = True
    spec = ToolSpec(
        "read_file",
        "Read a text file, or lines of it.",
        {
            "type": "object",
            "properties": {
                "path": {"type": "string"},
                "start": {"type": "integer", "description": "first line, from 1"},
                "lines": {"type": "integer", "description": f"at most {MAX_LINES}"},
            },
            "required": ["path"],
            "additionalProperties": False,
        },
    )

    def propose(self, call_id: str, arguments: Mapping[str, Any], world: World) -> Proposal:
        """Raises UsageError for what is no path."""
        cwd = world.shell.cwd
        file = resolved(str(arguments["path"]), cwd)
        shown = {"path": str(file)} | {
            key: int(arguments[key]) for key in ("start", "lines") if key in arguments
        }
        return Proposal(
            id=call_id,
            tool=self.spec.name,
            description=f"read {file}",
            risk=risk(file, cwd),
            arguments=shown,
        )

    async def call(self, proposal: Proposal, world: World) -> tuple[str, Ran | None]:
        """Raises TermaError, UsageError for what is no file of text."""
        start = max(int(proposal.arguments.get("start", 1)), 1)
        count = min(max(int(proposal.arguments.get("lines", MAX_LINES)), 1), MAX_LINES)
        return await asyncio.to_thread(
            _read, Path(proposal.arguments["path"]), start, count, world.hide
        ), None


def _read(file: Path, start: int, count: int, hide: Callable[[str], str]) -> str:
    try:
        # not blocking: a pipe without a writer would hold for ever
        handle = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        raise TermaError(f"{file}: {error.strerror}") from error
    try:
        info = os.fstat(handle)
        if stat.S_ISDIR(info.st_mode):
            raise UsageError(f"{file} is a directory", "search_files lists it")
        if not stat.S_ISREG(info.st_mode):
            raise UsageError(f"{file} is no regular file")
        with open(handle, "rb", closefd=False) as opened:
            if b"\0" in opened.read(8192):
                raise UsageError(f"{file} is not text ({info.st_size} bytes)", "file or xxd can look at it")
            opened.seek(0)
            part = _part(opened, start, count)
    except OSError as error:
        raise TermaError(f"{file}: {error.strerror}") from error
    finally:
        os.close(handle)
    text = "".join(hide("".join(part.text)).splitlines(keepends=True)[part.before :][: part.count])
    shown = text[:MAX_TEXT]
    more = "" if part.whole else " or more"
    head = (
        f"{file}: lines {start} to {start + part.count - 1} of {part.total}{more}"
        if part.count
        else f"{file}: no line {start}; it has {part.total}"
    )
    cut = f"\n… cut after {len(shown)} characters" if part.cut or len(text) > MAX_TEXT else ""
    return f"{head}\n{shown}{cut}" if info.st_size else f"{file} is empty"


@dataclass(slots=True)
class _Part:
    """The wanted lines with those around them that say what they hold: a private key is known by all its lines."""

    text: list[str]
    before: int = 0  # lines before the first that is wanted
    count: int = 0  # that are wanted
    total: int = 0
    whole: bool = False  # whether the file was gone through to its end
    cut: bool = False  # whether some of the wanted lines are left out


def _part(opened: Any, start: int, count: int) -> _Part:
    earlier: deque[str] = deque()
    part = _Part([])
    seen = size = wanted = behind = 0
    while seen < MAX_BYTES:
        line = opened.readline(MAX_TEXT * 4)
        if not line:
            part.whole = True
            break
        seen += len(line)
        part.total += 1
        text = "".join(line.decode("utf-8", "replace").splitlines()) + ("\n" if line.endswith(b"\n") else "")
        if part.total < start:
            earlier.append(text)
            size += len(text)
            while size > AROUND:
                size -= len(earlier.popleft())
        elif part.total < start + count:
            part.cut = part.cut or wanted >= MAX_HIDDEN
            wanted += len(text)
            if not part.cut:
                part.text.append(text)
        elif behind < AROUND and not part.cut:
            part.text.append(text)
            behind += len(text)
    part.count = max(0, min(part.total - start + 1, count))
    part.before = len(earlier)
    part.text[:0] = earlier
    return part


PLUGIN = ReadFile()
