"""One request through litellm: what it is told, its chunks as events, its exceptions as one line.

Only the worker imports this, after litellm.
"""

from __future__ import annotations

import contextlib
import json
import re
import ssl
import time
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import aclosing
from dataclasses import replace
from typing import Any

import httpx
import litellm

from terma.chat import ChatEvent, ChatRequest, ModelError, ModelSpec, Usage
from terma.models.wire import body as bodies
from terma.models.wire import failures
from terma.models.wire.chunks import Answer

# "litellm.AuthenticationError: AnthropicException - {…}": the last part is what the server said
_PREFIX = re.compile(r"\A(?:litellm\.)?(?:\w*Error|Timeout): |\A\w*(?:Exception|Error)(?: -|:) ")
_NO_KEY = re.compile(
    r"api_key client option must be set|missing .{0,20}api key|no api key|environment variable", re.I
)

_MISSING = re.compile(r"No module named '([\w.]+)|Missing (\w+) to call")
_NO_SIGN_IN = re.compile(r"locate credentials|credentials (?:were|was)? ?not found|NoCredentials", re.I)
_MARKED = (
    "anthropic/",
    "claude-",
    "vertex_ai/claude",
)  # others keep a prompt without being asked, or not at all
_ADD = "install it into terma's own environment, beside litellm"
_SIGN_IN = "sign in (aws sso login, AWS_PROFILE), then: terma agent restart"


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
    answer, began = Answer(), time.monotonic()
    try:
        stream = await litellm.acompletion(**arguments(request))
        async with aclosing(_closing(stream)) as chunks:
            async for chunk in chunks:
                for event in answer.feed(chunk.model_dump()):
                    yield event
    except ModelError:
        raise
    except Exception as error:  # litellm raises its own, its providers' and whatever they forgot
        raise explain(error, spec, time.monotonic() - began) from error
    if answer.empty and answer.reason == "content_filter":
        raise failures.from_status(400, '"content_filter"', {}, spec)
    closing = answer.close()
    if answer.empty and not any(isinstance(event, Usage) and event.completion_tokens for event in closing):
        raise failures.bad_response("sent no answer", spec)  # litellm makes an empty answer of what is none
    for event in closing:
        if isinstance(event, Usage):
            yield replace(event, cost=price(event, spec), model=spec.model)
        else:
            yield event


def arguments(request: ChatRequest) -> dict[str, Any]:
    """litellm's arguments. Every place a key could go is named here, so that no default decides it."""
    spec = request.spec
    made = bodies.body(request)
    if spec.model.startswith(_MARKED) or "anthropic.claude" in spec.model:
        made["messages"] = bodies.marked(made["messages"])
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


def explain(error: Exception, spec: ModelSpec, seconds: float) -> ModelError:
    """litellm's exception in one line; it came after `seconds`. What litellm wraps says more than what it says."""
    chain, said = list(_chain(error)), words(error)
    headers = next((found for link in chain if (found := _headers(link))), {})
    status = next((code for link in chain if (code := _status(link))), 0)
    if isinstance(error, litellm.exceptions.ContextWindowExceededError):
        return failures.from_status(413, said, headers, spec)
    if isinstance(error, litellm.exceptions.ContentPolicyViolationError):
        return failures.from_status(400, f"content policy: {said}", headers, spec)
    if missing := _MISSING.search(said):
        return ModelError(
            "not_installed", f"{spec.name} needs the Python package {missing[1] or missing[2]}", _ADD
        )
    if not spec.api_key and _NO_SIGN_IN.search(said):
        return ModelError("no_key", f"{spec.name} finds nobody signed in to AWS", _SIGN_IN)
    if not spec.api_key and _NO_KEY.search(said):
        return failures.from_status(401, said, headers, spec)
    if any(isinstance(link, httpx.HTTPStatusError) for link in chain):
        return failures.from_status(status, said, headers, spec)
    if any(isinstance(link, httpx.ConnectTimeout) for link in chain):
        return failures.timed_out("did not take the connection", round(seconds, 1), "connect", spec)
    if isinstance(error, litellm.exceptions.Timeout):
        return failures.timed_out("did not answer", round(seconds, 1), "first_token", spec)
    for link in chain:
        if isinstance(link, ssl.SSLError):
            return failures.bad_tls(str(link), spec)
    for link in reversed(chain):
        if isinstance(link, OSError | httpx.TransportError) and not isinstance(link, TimeoutError):
            return failures.unreachable(failures.hidden(str(link), spec), spec)
    if not status or isinstance(error, litellm.exceptions.APIConnectionError):
        return failures.bad_response(f"cannot be asked by litellm: {failures.server_words(said, spec)}", spec)
    return failures.from_status(status, said, headers, spec)


def words(error: Exception) -> str:
    """What the server said, as its JSON where that can be found in what litellm says."""
    said = str(getattr(error, "message", "") or error).partition("\nTraceback")[0]
    for at in (match.start() for match in re.finditer(r'\{["\\]', said)):
        with contextlib.suppress(ValueError):
            return json.dumps(json.JSONDecoder().raw_decode(said[at:])[0])
    while (shorter := _PREFIX.sub("", said, count=1)) != said:
        said = shorter
    return said


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _status(error: BaseException) -> int:
    status = getattr(error, "status_code", None)
    return status if isinstance(status, int) else 0


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


def _headers(error: BaseException) -> Mapping[str, str]:
    response = getattr(error, "response", None)
    for found in (getattr(error, "headers", None), getattr(response, "headers", None)):
        if isinstance(found, Mapping) and "retry-after" in {str(name).lower() for name in found}:
            return {str(name).lower(): str(value) for name, value in found.items()}
    return {}
