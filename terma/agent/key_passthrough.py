"""Ctrl+T on a line that is a command already: what had the key before terma has it there."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from terma.config import Settings
from terma.errors import UsageError
from terma.suggest.translate import Frame
from terma.types import Query

SECONDS = 1.0  # the decision takes less than a thousandth of that once PATH was read; a hanging disk is not waited for


async def divert(query: Query, fields: Mapping[str, str], settings: Settings) -> Frame | None:
    """What to answer instead of a translation, None when the line is to be translated.

    Shells that can give the key back say so with a field `displaced`, "" when nothing had it; others see no difference.
    Where there is nothing to give it back to, a shell that shows explanations (`explain=1`) gets one: it is answered
    `done explained`. Raises UsageError, which leaves the line as it is, for a command in any other shell."""
    if "displaced" not in fields or query.attempt or not settings.suggestions.route:
        return None
    try:
        async with asyncio.timeout(
            SECONDS
        ):  # PATH may lie on a slow disk: then the thread goes on for the next time
            is_command = await asyncio.to_thread(
                _is_command, query, frozenset(fields.get("functions", "").split())
            )
    except TimeoutError:
        return None
    if not is_command:
        return None
    if not fields["displaced"] and fields.get("explain") == "1":
        return ("done", "explained")
    if not fields["displaced"]:
        raise UsageError("that is a command already", "Enter runs it")
    return ("done", "displaced")


def preload(path: str) -> None:
    """Read what the first decision would wait for: the tables, and the names on PATH `path`."""
    _is_command(Query(words="ls -l", path=path))


def _is_command(query: Query, functions: frozenset[str] = frozenset()) -> bool:
    from terma.routing import Known, is_certain_command, route

    if query.edit[0]:
        return False  # `ls # newest first` is to be changed
    known = Known(query.path, query.shell, query.aliases, functions, query.cwd)
    return is_certain_command(route(query.words, known))
