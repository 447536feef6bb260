"""A hint without a key: the one command that the embedded engine is sure of behind a failure, for a shell that shows it
dim at its empty prompt; and nothing at all in every other case."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from typing import TYPE_CHECKING

from terma import registry
from terma.agent.choosing import Choosing
from terma.agent.entered_words import were_words
from terma.agent.explaining import Explaining
from terma.errors import UnknownAnswer
from terma.suggest.translate import Frame
from terma.types import Fix, Provider, Risk

if TYPE_CHECKING:
    from terma.config import Settings

Fields = Mapping[str, str]
SECONDS = 10.0  # for a look at what failed; the first key ends it in any case


class Hinting:
    """The ask `hint`. `named` gives an engine by its name."""

    def __init__(self, choosing: Choosing, explaining: Explaining, named: Callable[[str], Provider]) -> None:
        self._choosing = choosing
        self._explaining = explaining
        self._named = named

    async def hint(self, fields: Fields) -> AsyncGenerator[Frame, None]:
        """`done hint COMMAND`, "" where there is nothing to show. What the key brings behind it is that command. Raises
        ConfigError for settings that cannot be read."""
        yield ("done", "hint", await self._command(fields))

    async def _command(self, fields: Fields) -> str:
        settings = await self._choosing.settings(fields)
        query = self._explaining.query(fields)
        if not settings.hints or not query.command or query.status == 0:
            return ""
        try:
            async with asyncio.timeout(SECONDS):
                if await were_words(query, fields):
                    return ""  # the key brings what was meant, of which nobody is sure yet
                return await self._explaining.first_fix(fields, self._engine(settings), is_shown)
        except (TimeoutError, UnknownAnswer):
            return ""

    def _engine(self, settings: Settings) -> Provider:
        """An engine of terma's own, whose confidences are measured: also where a model answers what is asked."""
        own = settings.engine in registry.names("terma.providers")
        return self._named(settings.engine if own else "offline")


def is_shown(fix: Fix, risk: Risk) -> bool:
    """Whether `fix` may be shown unasked: certain, without any danger, and on one line."""
    from terma.offline.explain import trust  # the embedded engine, which has answered by now

    mends = not fix.look and trust.band(fix.confidence) == "sure"
    return mends and risk.level == "low" and "\n" not in fix.command
