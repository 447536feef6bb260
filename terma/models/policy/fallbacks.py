"""The models to fall back to, in the order of the settings, and never in silence."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace

from terma.chat import ChatEvent, ChatModel, ChatRequest, ModelError, ModelSpec, Trouble
from terma.types import Note

# Another model is no way around these: the first is a decision, the others are for the asker to mend and ask again.
FINAL = {"refused", "no_tools", "context_length", "bad_request"}

# What failed, in words for whoever reads which model answers instead.
_WHY: dict[Trouble, str] = {
    "no_key": "no key is set",
    "auth": "its key is not taken",
    "no_model": "its server has no such model",
    "quota": "its account has nothing left",
    "rate": "too many requests",
    "server": "its server failed",
    "unreachable": "no connection",
    "tls": "no safe connection",
    "proxy": "its proxy does not work",
    "timeout": "no answer in time",
    "bad_response": "what came back is no answer",
    "not_installed": "litellm is not installed",
    "worker": "litellm's process ended",
}


async def with_fallbacks(
    request: ChatRequest, others: Sequence[ModelSpec], find: Callable[[str], ChatModel]
) -> AsyncGenerator[ChatEvent, None]:
    """The events of the first model that answers: `request.spec`, then `others`.

    `find` gives the ChatModel of a provider's name. Each change is said in a Note. A model that has begun to answer
    is not replaced. Raises the first model's ModelError when none answers: it is the one that the person chose. With
    `others`, an error names its model: several may share one server."""
    specs = (request.spec, *others)
    failed: list[tuple[ModelSpec, ModelError]] = []
    for number, spec in enumerate(specs):
        spoke = False
        try:
            async with aclosing(find(spec.provider).chat(replace(request, spec=spec))) as events:
                async for event in events:
                    spoke = spoke or not isinstance(event, Note)
                    yield event
            return
        except ModelError as error:
            if not others:
                raise
            if spoke or error.trouble in FINAL:
                raise _named(spec, error, failed) from None
            failed.append((spec, error))
        if number + 1 == len(specs):
            raise _named(*failed[0], failed[1:]) from None
        yield Note(f"{_in_short(spec, failed[-1][1])}; using {specs[number + 1].name}")


def _in_short(spec: ModelSpec, error: ModelError) -> str:
    return f"{spec.name}: {_WHY[error.trouble]}"


def _named(spec: ModelSpec, error: ModelError, beside: Sequence[tuple[ModelSpec, ModelError]]) -> ModelError:
    """The error with the name of its model, and in the hint what the models `beside` it failed with."""
    names = f" {spec.name} " in f" {error.message} "
    message = error.message if names else f"{spec.name}: {error.message}"
    no_answer = ", ".join(_in_short(*one) for one in beside)
    hint = "; ".join(filter(None, [error.hint, f"no answer either from {no_answer}" if beside else ""]))
    return ModelError(error.trouble, message, hint, retry_after=error.retry_after)
