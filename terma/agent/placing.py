"""What a model is told of the place it writes for, within what the person allows."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from terma.config import Privacy
from terma.context import git
from terma.context.place import files, near_commands, tools
from terma.context.system import system
from terma.suggest.prompt import Place
from terma.types import Query, WhyQuery


async def place(query: Query | WhyQuery, privacy: Privacy) -> Place:
    """Reads names, histories and the repository's state. Raises nothing but CancelledError."""
    words = query.words if isinstance(query, Query) else f"{query.command} {query.question}"
    asking = asyncio.ensure_future(_git(query, privacy))
    try:
        found = await asyncio.to_thread(_read, query, words, privacy)
        return replace(found, git=await asking)
    finally:
        asking.cancel()


def _read(query: Query | WhyQuery, words: str, privacy: Privacy) -> Place:
    return Place(
        machine=system(query.shell, query.path).line.removeprefix("system: "),
        tools=tools(query.path),
        files=files(query.cwd, words) if privacy.files and query.cwd else (),
        past=near_commands(query.history, words) if privacy.history else (),
        aliases=query.aliases,
    )


async def _git(query: Query | WhyQuery, privacy: Privacy) -> str:
    state = await git.state(query.cwd, query.path) if privacy.git and query.cwd else None
    return state.line.removeprefix("git: ") if state else ""
