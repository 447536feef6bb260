"""One request through litellm: what it is told, its chunks as events, its exceptions as one line.

Only the worker imports this, after litellm.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import replace
from typing import Any

import httpx
import litellm

from terma.chat import ChatEvent, ChatRequest, Finish, ModelError, ModelSpec, Usage
from terma.models.wire import body as bodies
from terma.models.wire import failures
from terma.models.wire.chunks import Answer

# "litellm.AuthenticationError: AnthropicException - {…}": the last part is what the server said
_PREFIX = re.compile(r"\A(?:litellm\.)?(?:\w*Error|Timeout): |\A\w*(?:Exception|Error)(?: -|:) ")
_NO_WAY = re.compile(
    r"connect|name or service|nodename|resolve|network|unreachable|refused|disconnected|reset", re.I
)
_TLS = re.compile(r"\bssl\b|certificate|\btls\b", re.I)
_NO_KEY = re.compile(
    r"api_key client option must be set|missing .{0,20}api key|no api key|environment variable", re.I
)


def quiet() -> None:
    """Turn off what litellm does beyond asking: telemetry, callbacks, logging, its own retries."""
    litellm.telemetry = False
    litellm.suppress_debug_info = True
    litellm.drop_params = True  # what a model does not know is left out, not refused
    litellm.disable_streaming_logging = True
    litellm.num_retries = 0


async def events(request: ChatRequest) -> AsyncGenerator[ChatEvent, None]:
    """The events of one answer. Raises ModelError."""
    spec = request.spec
    answer = Answer()
    try:
        stream = await litellm.acompletion(**arguments(request))
        async with aclosing(_closing(stream)) as chunks:
            async for chunk in chunks:
                for event in answer.feed(chunk.model_dump()):
                    yield event
    except ModelError:
        raise
    except Exception as error:  # litellm raises its own, its providers' and whatever they forgot
        raise explain(error, spec) from error
    if answer.empty and answer.reason == "content_filter":
        raise failures.from_status(400, '"content_filter"', {}, spec)
    if answer.empty and not answer.reason:
        raise failures.bad_response("sent nothing", spec)
    for event in answer.close():
        if isinstance(event, Usage):
            yield replace(event, cost=price(event, spec), model=spec.model)
        else:
            yield event if not isinstance(event, Finish) else Finish(event.reason)


def arguments(request: ChatRequest) -> dict[str, Any]:
    """litellm's arguments. Every place a key could go is named here, so that no default decides it."""
    spec = request.spec
    made = bodies.body(request)
    made.update(
        timeout=httpx.Timeout(spec.first_token_timeout, connect=spec.connect_timeout),
        max_retries=0,
        num_retries=0,
        _skip_mcp_handler=True,  # else any tool makes litellm import a package that it does not bring along
    )
    if spec.api_key:
        made["api_key"] = spec.api_key
    elif spec.api_base and spec.model.startswith("openai/"):
        made["api_key"] = "none"  # a local server without a key; the client wants one all the same
    if spec.api_base:
        made["api_base"] = spec.api_base
    if spec.headers:
        made["extra_headers"] = dict(spec.headers)
    return made


def price(usage: Usage, spec: ModelSpec) -> float | None:
    """US dollars by litellm's local table; None for a model that is not in it, or for a server of one's own."""
    if usage.cost is not None:
        return usage.cost
    if spec.api_base and spec.model.startswith("openai/"):
        return None
    try:
        prompt, completion = litellm.cost_per_token(
            model=spec.model,
            prompt_tokens=usage.prompt_tokens,
            completion_tokens=usage.completion_tokens,
            cache_read_input_tokens=usage.cached_tokens,
        )
    except Exception:  # an unknown model is told by an exception of no certain type
        return None
    total = float(prompt + completion)
    return total if total > 0 else None


def explain(error: Exception, spec: ModelSpec) -> ModelError:
    """litellm's exception in one line."""
    said = words(error)
    headers = _headers(error)
    kind = type(error).__name__
    status = int(getattr(error, "status_code", 0) or 0)
    if isinstance(error, litellm.exceptions.ContextWindowExceededError):
        return failures.from_status(413, said, headers, spec)
    if isinstance(error, litellm.exceptions.ContentPolicyViolationError):
        return failures.from_status(400, f"content policy: {said}", headers, spec)
    if not spec.api_key and _NO_KEY.search(said):
        return failures.from_status(401, said, headers, spec)
    if kind in ("Timeout", "APITimeoutError"):
        return failures.timed_out("did not answer", spec.first_token_timeout, "first_token", spec)
    if not headers and (status >= 500 or not status):
        if _TLS.search(said):
            return failures.bad_tls(said, spec)
        if _NO_WAY.search(said):
            return failures.unreachable(failures.hidden(said, spec), spec)
    if not status:
        return failures.bad_response(f"and litellm disagree: {failures.server_words(said, spec)}", spec)
    return failures.from_status(status, said, headers, spec)


def words(error: Exception) -> str:
    """What the server said, without the names that litellm puts before it."""
    said = str(getattr(error, "message", "") or error)
    while (shorter := _PREFIX.sub("", said, count=1)) != said:
        said = shorter
    if len(said) > 3 and said[:2] in ("b'", 'b"'):  # bytes, written by repr
        said = said[2:-1]
    return said.partition("\nTraceback")[0]


async def _closing(stream: Any) -> AsyncGenerator[Any, None]:
    """The chunks of a litellm stream; its connection is closed with this iterator."""
    try:
        async for chunk in stream:
            yield chunk
    finally:
        close = getattr(stream, "aclose", None)
        if close is not None:
            with contextlib.suppress(Exception):
                await close()


def _headers(error: Exception) -> Mapping[str, str]:
    response = getattr(error, "response", None)
    for found in (getattr(error, "litellm_response_headers", None), getattr(response, "headers", None)):
        if found:
            return {str(name).lower(): str(value) for name, value in dict(found).items()}
    return {}
