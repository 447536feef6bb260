"""The models to fall back to, in the order of the settings, and never in silence."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace

from terma.chat import ChatEvent, ChatModel, ChatRequest, ModelError, ModelSpec
from terma.types import Note

# Another model is no way around these: the first is a decision, the others are for the asker to mend and ask again.
FINAL = {"refused", "no_tools", "context_length", "bad_request"}


async def with_fallbacks(
    request: ChatRequest, others: Sequence[ModelSpec], find: Callable[[str], ChatModel]
) -> AsyncGenerator[ChatEvent, None]:
    """The events of the first model that answers: `request.spec`, then `others`.

    `find` gives the ChatModel of a provider's name. Each change is said in a Note. A model that has begun to answer
    is not replaced. Raises the first model's ModelError when none answers: it is the one that the person chose."""
    specs = (request.spec, *others)
    first: ModelError | None = None
    others_failed: list[str] = []
    for number, spec in enumerate(specs):
        spoke = False
        try:
            async with aclosing(find(spec.provider).chat(replace(request, spec=spec))) as events:
                async for event in events:
                    spoke = spoke or not isinstance(event, Note)
                    yield event
            return
        except ModelError as error:
            first = first or error
            if spoke or error.trouble in FINAL:
                raise
            why = error.trouble.replace("_", " ")
            if number:
                others_failed.append(f"{spec.name} ({why})")
            if number + 1 == len(specs):
                if number:
                    hint = f"{first.hint}; no answer either from {', '.join(others_failed)}"
                    raise ModelError(first.trouble, first.message, hint) from None
                raise
        yield Note(f"{spec.name}: {why}; using {specs[number + 1].name}")
