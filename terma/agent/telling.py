"""The explanation at the prompt: what each piece of the line does, as rows for the shell to show below it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from typing import TYPE_CHECKING

from terma.agent.explaining import absolute, aliases, number
from terma.errors import TermaError, UsageError
from terma.suggest.translate import Frame

if TYPE_CHECKING:
    from terma.pieces.rows import Row

Fields = Mapping[str, str]
SECONDS = 5.0  # a manual page on a slow disk; who does not wait has pressed another key by then
LEAST = 3  # rows, however low the window is
PROMPT = 30  # cells that a prompt may take before the line
BESIDE = 3  # rows of the window that stay: the prompt's own, and one above and below
WORDS = "these are words, not a command: Ctrl+T turns them into one"


async def told(fields: Fields) -> AsyncGenerator[Frame, None]:
    """`piece LEVEL ROW` for each row, then `done explained`. LEVEL is "" where the row carries no risk. What has been
    pressed meanwhile is the shell's affair. Raises UsageError for a line without anything to explain."""
    line = fields.get("buffer", "")
    if not line.strip():
        raise UsageError("there is nothing to explain", "type a command, then press the key")
    try:
        async with asyncio.timeout(SECONDS):
            found = await asyncio.to_thread(_rows, line, fields)
    except TimeoutError as error:
        raise TermaError("it took too long to look up", "terma explain takes its time") from error
    for row in found:
        yield ("piece", row.risk, row.text)
    yield ("done", "explained")


def named(fields: Fields) -> tuple[dict[str, str], frozenset[str]]:
    """The aliases and functions of the shell that asks: `named` holds the aliases of the line's own words in full."""
    known = aliases(fields.get("aliases", "")) | aliases(fields.get("named", ""))
    return known, frozenset(fields.get("functions", "").split())


def preload(path: str) -> None:
    """Read what the first explanation would wait for."""
    _rows("rm -r build", {"path": path, "shell": "bash"})


def room(fields: Fields, line: str) -> int:
    """How many rows the window has below the line."""
    columns = max(number(fields, "columns", 80), 20)
    taken = sum(1 + len(row) // columns for row in (" " * PROMPT + line).split("\n"))
    return max(number(fields, "lines", 24) - taken - BESIDE, LEAST)


def _rows(line: str, fields: Fields) -> list[Row]:
    """What each piece of the line does, in the rows that the window of `fields` has below it. Blocks."""
    from terma.pieces import Asked, explain
    from terma.pieces.rows import Row, rows

    shell, path, cwd = fields.get("shell", "bash"), fields.get("path", ""), absolute(fields.get("cwd", ""))
    known, functions = named(fields)
    if _is_words(line, shell, path, cwd, known, functions):
        return [Row(WORDS)]
    found = explain(Asked(line, shell, path, cwd, known, functions))
    columns = max(number(fields, "columns", 80) - 1, 20)
    return list(rows(found, columns, most=room(fields, line), mark=fields.get("plain") == "1"))


def _is_words(
    line: str, shell: str, path: str, cwd: str, known: Mapping[str, str], functions: frozenset[str]
) -> bool:
    """Whether nobody would mean the line as a command."""
    from terma.routing import Known, route
    from terma.routing.decide import CERTAIN

    found = route(line, Known(path, shell, known, functions, cwd))
    return found.kind == "prompt" and found.score >= CERTAIN
