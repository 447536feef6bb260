"""What a model is told of the place it writes for, within what the person allows."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from contextlib import suppress
from dataclasses import replace

from terma.config import Privacy
from terma.context import git
from terma.context.git import GitState
from terma.context.place import files, near_commands, tools
from terma.context.repository import Repository
from terma.context.system import system
from terma.suggest.prompt import Place
from terma.types import Query, WhyQuery

FRESH = 30.0  # seconds for which a repository's counted changes are told again
LATER = 1.0  # seconds until they are counted behind a question: not while its answer begins
MAX_KEPT = 16  # repositories


class Counted:
    """How many files changed in which repository, counted behind the question that wanted to know.

    `git status` takes from 3 ms to its limit of 300, which a key that is pressed does not have; the branch and what is
    under way come from files and are always told as they are."""

    def __init__(self) -> None:
        self._known: OrderedDict[str, tuple[float, GitState]] = OrderedDict()
        self._counting: dict[str, asyncio.Task[None]] = {}

    def filled(self, found: tuple[GitState, Repository] | None, path: str) -> GitState | None:
        """What `git.read` found, with counts that are at most FRESH seconds old, if there are any."""
        if found is None:
            return None
        when, known = self._known.get(found[0].root, (0.0, found[0]))
        if time.monotonic() - when < FRESH and known.commit == found[0].commit:
            return replace(known, branch=found[0].branch, operation=found[0].operation)
        self._count_later(found[1], path)
        return found[0]

    def _count_later(self, found: Repository, path: str) -> None:
        root = str(found.root)
        loop = asyncio.get_running_loop()
        under_way = self._counting.get(root)
        if under_way is not None and not under_way.done() and under_way.get_loop() is loop:
            return

        async def count() -> None:
            await asyncio.sleep(LATER)
            counted = await git.counted(found, path)
            if counted.counted:
                self._known[root] = (time.monotonic(), counted)
                while len(self._known) > MAX_KEPT:
                    self._known.popitem(last=False)

        self._counting = {name: task for name, task in self._counting.items() if not task.done()}
        self._counting[root] = loop.create_task(count())


_counted = Counted()


async def place(query: Query | WhyQuery, privacy: Privacy) -> Place:
    """Reads names, histories and the repository's state. Raises nothing but CancelledError."""
    if isinstance(query, Query):  # a key was pressed: nothing that forks stands before the model
        found, state = await asyncio.to_thread(_read_both, query, privacy)
        return replace(found, git=_line(_counted.filled(state, query.path)))
    asking = asyncio.ensure_future(_git(query, privacy))
    try:
        found = await asyncio.to_thread(_read, query, f"{query.command} {query.question}", privacy)
        return replace(found, git=_line(await asking))
    finally:
        asking.cancel()


def _read_both(query: Query, privacy: Privacy) -> tuple[Place, tuple[GitState, Repository] | None]:
    state = None
    with suppress(OSError, ValueError):
        state = git.read(query.cwd) if privacy.git and query.cwd else None
    return _read(query, query.words, privacy), state


def _read(query: Query | WhyQuery, words: str, privacy: Privacy) -> Place:
    return Place(
        machine=system(query.shell, query.path).line.removeprefix("system: "),
        tools=tools(query.path),
        files=files(query.cwd, words) if privacy.files and query.cwd else (),
        past=near_commands(query.history, words) if privacy.history else (),
        aliases=query.aliases,
    )


async def _git(query: Query | WhyQuery, privacy: Privacy) -> GitState | None:
    return await git.state(query.cwd, query.path) if privacy.git and query.cwd else None


def _line(state: GitState | None) -> str:
    return state.line.removeprefix("git: ") if state else ""
