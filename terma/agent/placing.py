"""What a model is told of the place it writes for, within what the person allows."""

from __future__ import annotations

from terma.config import Privacy
from terma.context.place import files, near_commands, tools
from terma.suggest.prompt import Place
from terma.types import Query, WhyQuery


def place(query: Query | WhyQuery, privacy: Privacy, os_name: str) -> Place:
    """Reads names and histories: run it in a thread. Never raises."""
    words = query.words if isinstance(query, Query) else f"{query.command} {query.question}"
    return Place(
        machine=os_name,
        tools=tools(query.path),
        files=files(query.cwd, words) if privacy.files and query.cwd else (),
        past=near_commands(query.history, words) if privacy.history else (),
        aliases=query.aliases if isinstance(query, WhyQuery) else {},
    )
