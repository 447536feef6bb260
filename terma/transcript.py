"""Three sentences and their commands, for `terma try` where no terminal is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from terma.errors import TermaError

SENTENCES = (
    "which process listens on port 8080",
    "make a random password of 20 characters",
    "discard all my changes",
)


def play(ask: Callable[[Mapping[str, str]], Any], fields: Mapping[str, str]) -> Iterator[str]:
    """The lines of the transcript; `ask` answers a request's fields like client.ask_json("suggest", …)."""
    yield "Type a sentence, press Ctrl+T: the command takes its place. Nothing runs until you press Enter."
    for sentence in SENTENCES:
        yield ""
        yield f"  $ {sentence}        ← Ctrl+T"
        try:
            answer = ask(dict(fields) | {"words": sentence, "count": "1"})
        except TermaError as error:
            yield f"    ({error.message})"
            continue
        first = answer["candidates"][0]
        command = str(first["command"]).replace("\n", "\n    ")
        yield f"  $ {command}"
        risk = first["risk"]
        mark = f"⚠ {risk['level']}: {'; '.join(risk['reasons'])} · " if risk["reasons"] else ""
        yield f"    {mark}{answer['engine']} · {first['source']}"
