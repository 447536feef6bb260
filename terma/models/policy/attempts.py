"""One answer, as often tried as the settings say: patience with what passes, none with what does not."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace

from terma.chat import ChatEvent, ModelError, ModelSpec, ReasoningDelta, TextDelta, ToolCallDelta, Usage
from terma.models.wire.failures import bad_response, timed_out
from terma.types import Note

Attempt = Callable[[], AsyncGenerator[ChatEvent, None]]
FIRST_WAIT, LONGEST_WAIT = 0.5, 8.0  # seconds before the first retry, doubled for each that follows
MAX_ANSWER = 2**21  # code points of an answer: a hundred times what a person reads
MAX_RETRY_AFTER = 20.0  # seconds: nobody sits before a prompt for longer
_WHY: dict[str, str] = {
    "rate": "too many requests",
    "server": "the server failed",
    "unreachable": "no connection",
}  # what passes by itself, in the state line's words


async def attempts(once: Attempt, spec: ModelSpec) -> AsyncGenerator[ChatEvent, None]:
    """The events of `once()`, called again after a passing failure as long as nothing of an answer has come.

    Raises ModelError: the last one, or "timeout" for a silence that is longer than `spec` allows."""
    for number in range(spec.retries + 1):
        spoke, said = False, 0
        try:
            async with aclosing(_in_time(once(), spec)) as events:
                async for event in events:
                    spoke = spoke or not isinstance(event, Note)
                    said += _size(event)
                    if said > MAX_ANSWER:
                        raise bad_response("does not stop talking", spec)
                    yield priced(event, spec.price) if isinstance(event, Usage) else event
            return
        except ModelError as error:
            wait = delay(number, error.retry_after)
            if spoke or error.trouble not in _WHY or number == spec.retries or wait is None:
                raise
            why = _WHY[error.trouble]
        yield Note(f"{spec.name}: {why}, trying again")
        await asyncio.sleep(wait)


def delay(number: int, retry_after: float | None) -> float | None:
    """Seconds before retry `number` (from 0); None when the server asks for more patience than a prompt has.

    Full jitter on the upper half, so that many clients do not come back at once."""
    backoff: float = min(FIRST_WAIT * 2**number, LONGEST_WAIT) * random.uniform(0.5, 1.0)
    if retry_after is None:
        return backoff
    return None if retry_after > MAX_RETRY_AFTER else max(retry_after, backoff if retry_after else 0.0)


async def _in_time(
    events: AsyncGenerator[ChatEvent, None], spec: ModelSpec
) -> AsyncGenerator[ChatEvent, None]:
    loop = asyncio.get_running_loop()
    spoke = False
    deadline = loop.time() + spec.first_token_timeout
    async with aclosing(events):
        while True:
            try:
                async with asyncio.timeout_at(deadline) as bound:
                    event = await anext(events)
            except StopAsyncIteration:
                return
            except TimeoutError:
                if not bound.expired():
                    raise
                raise _silence(spec, spoke) from None
            if not isinstance(event, Note):
                spoke = True
            yield event
            if spoke:
                deadline = loop.time() + spec.between_tokens_timeout


def priced(usage: Usage, price: Sequence[float]) -> Usage:
    """With the cost at the person's own price, which is right where a server's or a list's is not."""
    if not price:
        return usage
    fresh = max(usage.prompt_tokens - usage.cached_tokens, 0)
    cached = price[2] if len(price) > 2 else price[0]
    dollars = fresh * price[0] + usage.cached_tokens * cached + usage.completion_tokens * price[1]
    return replace(usage, cost=dollars / 1_000_000)


def _size(event: ChatEvent) -> int:
    if isinstance(event, TextDelta | ReasoningDelta):
        return len(event.text)
    return len(event.arguments) + 1 if isinstance(event, ToolCallDelta) else 0


def _silence(spec: ModelSpec, spoke: bool) -> ModelError:
    if spoke:
        return timed_out(
            "fell silent and said nothing more", spec.between_tokens_timeout, "between_tokens", spec
        )
    return timed_out("said nothing", spec.first_token_timeout, "first_token", spec)
