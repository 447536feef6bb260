"""Reads a text file, a part of a long one, so that a model need not run a command for it."""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from terma.chat import ToolSpec
from terma.dialogue import Proposal, Ran, World
from terma.errors import TermaError, UsageError
from terma.tools._places import resolved, risk

MAX_BYTES = 16 * 2**20  # that are gone through to reach the lines that are wanted
MAX_LINES = 400
MAX_TEXT = 40_000  # code points


class ReadFile:
    """Regular files of text alone. Nothing is followed that was not seen when the person decided."""

    read_only = True
    spec = ToolSpec(
        "read_file",
        "Read a text file, or lines of it.",
        {
            "type": "object",
            "properties": {
                "path": {"type": "string", "description": "the file, relative to the working directory"},
                "start": {"type": "integer", "description": "the first line wanted, from 1"},
                "lines": {"type": "integer", "description": f"how many lines, at most {MAX_LINES}"},
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
        return await asyncio.to_thread(_read, Path(proposal.arguments["path"]), start, count), None


def _read(file: Path, start: int, count: int) -> str:
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
            lines, total, whole = _lines(opened, start, count)
    except OSError as error:
        raise TermaError(f"{file}: {error.strerror}") from error
    finally:
        os.close(handle)
    text = "".join(lines)
    shown = text[:MAX_TEXT]
    last = start + len(lines) - 1
    more = "" if whole else " or more"
    head = (
        f"{file}: lines {start} to {last} of {total}{more}"
        if lines
        else f"{file}: no line {start}; it has {total}"
    )
    cut = f"\n… cut after {MAX_TEXT} characters" if len(text) > MAX_TEXT else ""
    return f"{head}\n{shown}{cut}" if info.st_size else f"{file} is empty"


def _lines(opened: Any, start: int, count: int) -> tuple[list[str], int, bool]:
    """The wanted lines, how many there are, and whether the file was gone through to its end."""
    lines: list[str] = []
    number = seen = 0
    while seen < MAX_BYTES:
        line = opened.readline(MAX_TEXT * 4)
        if not line:
            return lines, number, True
        seen += len(line)
        number += 1
        if start <= number < start + count:
            lines.append(line.decode("utf-8", "replace"))
    return lines, number, False


PLUGIN = ReadFile()
