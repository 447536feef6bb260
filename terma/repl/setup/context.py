"""What a question is asked in: the place, the last command and what it printed, and what was handed over with it."""

from __future__ import annotations

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


async def captured(
    ask: AskJson,
    fields: Mapping[str, str],
    question: str,
    last: bool,
    deep: Callable[[str], None] | None = None,
    guides: set[str] | None = None,
) -> str:
    """What the agent knows of the place, and where `last` wants that, of the last commands and what the terminal shows
    of them; `deep` is told how much that is. `guides` are the repositories' notes that were told before.

    "" where there is nothing to know. Raises TermaError when the agent fails."""
    place = await ask("place", {**fields, "question": question})
    parts = [place["facts"]]
    guide = place.get("guide")
    if guide and guide["text"] not in (known := set() if guides is None else guides):
        known.add(guide["text"])
        parts.append(guide["text"])
        if deep is not None:
            deep(f"context: {guide['name']}, told to the model as data")
    if last:
        try:
            found = await ask("screen", fields)
            parts.append(found["text"])
            if deep is not None:
                deep(f"context: {found['said']}")
        except TermaError as error:
            if error.code not in _NOTHING:
                raise
    return "\n\n".join(filter(None, parts))


def joined(*parts: str | Sequence[Given]) -> str:
    """Parts of a context, with what was handed over last but one: what failed stands at the end."""
    texts = [part if isinstance(part, str) else "\n\n".join(map(str, part)) for part in parts]
    return "\n\n".join(filter(None, texts))
