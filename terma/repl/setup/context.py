"""What a question is asked in: the place, the last command and what it printed, and what was handed over with it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from terma.errors import TermaError
from terma.output import digest, plain
from terma.redact import whole
from terma.text import sanitize

MAX_GIVEN = 8 << 20  # bytes that are read of a file or of standard input
SHOWN = 12_000  # characters that a model is told of each
_NOTHING = ("unknown", "usage")  # nothing was run, or nobody tells about it

AskJson = Callable[[str, Mapping[str, str]], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Given:
    """Text that came with a question: from a file, or from standard input (then `name` is "")."""

    name: str
    text: str

    def __str__(self) -> str:
        text = fit(self.text)
        return f"{f'File {self.name}' if self.name else 'Standard input'}:\n{text}"


def fit(raw: str) -> str:
    """As it would look on a screen, short enough to be read by a model."""
    text = whole(sanitize(plain(raw)), SHOWN)
    return digest(text, SHOWN, SHOWN // 4, SHOWN // 2) if len(text) > SHOWN else text


Shows = Callable[[], Awaitable[Mapping[str, Any] | None]]


async def captured(
    ask: AskJson,
    fields: Mapping[str, str],
    question: str,
    screen: Shows | None,
    deep: Callable[[str], None] | None = None,
    guides: set[str] | None = None,
) -> str:
    """What the agent knows of the place, and where there is a `screen`, of the last commands and what the terminal
    shows of them; `deep` is told how much that is. `guides` are the repositories' notes that were told before.

    "" where there is nothing to know. Raises TermaError when the agent fails."""
    place = await ask("place", {**fields, "question": question})
    parts = [place["facts"]]
    guide = place.get("guide")
    if guide and guide["text"] not in (known := set() if guides is None else guides):
        known.add(guide["text"])
        parts.append(guide["text"])
        if deep is not None:
            deep(f"context: {guide['name']}, told to the model as data")
    found = await screen() if screen is not None else None
    if found is not None:
        parts.append(found["text"])
        if deep is not None:
            deep(f"context: {found['said']}")
    return "\n\n".join(filter(None, parts))


async def seen(ask: AskJson, fields: Mapping[str, str]) -> Mapping[str, Any] | None:
    """What the terminal shows now, as the agent tells it; None where nothing was run. Raises TermaError when the agent
    fails."""
    try:
        found: Mapping[str, Any] = await ask("screen", fields)
    except TermaError as error:
        if error.code not in _NOTHING:
            raise
        return None
    return found


class Beginning:
    """The terminal as it was when a conversation began: later it shows what was typed and said in there.

    With another model than `model` at that time it is looked at again, since one may be told what another may not; so
    is a pane that goes on being `another`."""

    def __init__(
        self, ask: AskJson, fields: Callable[[], Mapping[str, str]], another: bool, model: Callable[[], str]
    ) -> None:
        self._ask, self._fields, self._model = ask, fields, model
        self._then = model()
        self._looking = None if another else asyncio.create_task(seen(ask, fields()))

    async def shown(self) -> Mapping[str, Any] | None:
        """What was seen. Raises TermaError when the agent fails."""
        if self._looking is None or self._model() != self._then:
            return await seen(self._ask, self._fields())
        return await asyncio.shield(self._looking)

    async def close(self) -> None:
        """Look no longer."""
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)


def joined(*parts: str | Sequence[Given]) -> str:
    """Parts of a context, with what was handed over last but one: what failed stands at the end."""
    texts = [part if isinstance(part, str) else "\n\n".join(map(str, part)) for part in parts]
    return "\n\n".join(filter(None, texts))
