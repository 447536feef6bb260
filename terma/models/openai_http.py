"""Every server that speaks OpenAI's chat completions, over HTTP: local ones at full speed, hosted ones with a key."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from terma.chat import ChatEvent, ChatRequest, Finish, ModelError, ModelSpec
from terma.models.http.clients import Clients, begun, translate, trust, url
from terma.models.http.closing import closed
from terma.models.http.listing import listed
from terma.models.http.loading import load
from terma.models.http.reading import DONE, objects
from terma.models.policy.attempts import attempts
from terma.models.policy.pace import Pace
from terma.models.wire import body as bodies
from terma.models.wire import failures
from terma.models.wire.chunks import Answer

if TYPE_CHECKING:
    import httpx

MAX_REWRITES = 4  # of a request whose fields a server refuses, one after another
MAX_FAILURE = 64 * 1024  # bytes read of an error's body


class OpenAIHttp:
    """Streams chat completions. Connections are kept and reused; what a server refused once is not sent again."""

    name = "openai_http"

    def __init__(self) -> None:
        self._clients = Clients()
        self._pace = Pace()
        self._refused: dict[tuple[str, str], list[str]] = {}  # the refusals of a model, in their order

    def reaches(self, api_base: str) -> bool:
        """Whether a model at that address is for this backend where its settings name none."""
        return bool(api_base)

    def preload(self, spec: ModelSpec) -> None:
        """Import httpx and read the certificates now, in a thread of its own."""
        asyncio.get_running_loop().run_in_executor(None, _load, spec)

    async def chat(self, request: ChatRequest) -> AsyncGenerator[ChatEvent, None]:
        """As ChatModel.chat."""
        if not request.spec.api_base:
            raise ModelError(
                "unreachable", f"{request.spec.name} has no address", "set api_base for this model"
            )
        async with aclosing(attempts(lambda: self._once(request), request.spec)) as events:
            async for event in events:
                yield event

    async def models(self, spec: ModelSpec) -> list[str]:
        """The names of the models that the server of `spec` has, in its order. Raises ModelError."""
        load()
        import httpx

        try:
            return await listed(self._clients.get(spec), spec, headers(spec) | {"accept": "application/json"})
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, UnicodeError) as error:
            raise translate(error, spec) from error

    async def close(self) -> None:
        """Close the connections."""
        await self._clients.close()

    async def _once(self, request: ChatRequest) -> AsyncGenerator[ChatEvent, None]:
        spec = request.spec
        await self._pace.wait(spec)
        load()
        client = self._clients.get(spec)
        import httpx

        try:
            async with aclosing(self._answers(client, request)) as events:
                async for event in events:
                    yield event
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, UnicodeError) as error:
            raise translate(error, spec) from error

    async def _answers(
        self, client: httpx.AsyncClient, request: ChatRequest
    ) -> AsyncGenerator[ChatEvent, None]:
        """One answer, asked for again while the server refuses a field that the request can do without."""
        spec = request.spec
        place = (spec.api_base, spec.model)
        sent = bodies.body(request)
        for refusal in self._refused.get(place, ()):
            sent = (bodies.without_what_was_refused(sent, refusal) or (sent,))[0]
        for _ in range(MAX_REWRITES):
            request_ = client.build_request("POST", url(spec), content=_written(sent), headers=headers(spec))
            response = await begun(client, request_)
            try:
                if response.is_success:
                    async with aclosing(_read(response, spec)) as events:
                        async for event in events:
                            yield event
                    return
                said = await _failure(response)
            finally:
                await closed(response)
            refused = response.status_code in (400, 422) or (
                response.status_code == 500 and bodies.refuses_system(said)  # a template that raised
            )
            rewritten = bodies.without_what_was_refused(sent, said) if refused else None
            if rewritten is None:
                raise _error(response, said, spec)
            sent = rewritten[0]
            self._refused.setdefault(place, []).append(said)
        raise _error(response, said, spec)


def headers(spec: ModelSpec) -> dict[str, str]:
    """The headers of a request; the settings' own stand above ours."""
    made = {"accept": "text/event-stream", "content-type": "application/json"}
    if spec.api_key:
        made["authorization"] = f"Bearer {spec.api_key}"
    return made | {name.lower(): value for name, value in spec.headers.items()}


def _written(body: Mapping[str, Any]) -> bytes:
    """The body as JSON. What is no text (a file's name in another encoding) is sent as a question mark: one such name
    in a directory must not keep a model from answering."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


async def _read(response: httpx.Response, spec: ModelSpec) -> AsyncGenerator[ChatEvent, None]:
    answer, done = Answer(), False
    async with aclosing(objects(response.aiter_bytes(), spec)) as found:
        async for chunk in found:
            if chunk is DONE:
                done = True
                break
            for event in answer.feed(chunk):
                yield event
    if not done and not answer.reason:
        raise failures.bad_response("sent nothing", spec) if answer.empty else failures.broken_off(spec)
    for event in answer.close():
        if isinstance(event, Finish) and event.reason == "content_filter" and answer.empty:
            raise failures.from_status(400, '"content_filter"', {}, spec)
        yield event


async def _failure(response: httpx.Response) -> str:
    pieces: list[bytes] = []
    async for chunk in response.aiter_bytes():
        pieces.append(chunk)
        if sum(map(len, pieces)) > MAX_FAILURE:
            break
    return b"".join(pieces).decode("utf-8", "replace")


def _error(response: httpx.Response, said: str, spec: ModelSpec) -> ModelError:
    if 300 <= response.status_code < 400:
        return failures.bad_response("sends elsewhere (a redirect), and the key stays here", spec)
    lower: dict[str, Any] = {name.lower(): value for name, value in response.headers.items()}
    return failures.from_status(response.status_code, said, lower, spec)


def _load(spec: ModelSpec) -> None:
    load()
    with contextlib.suppress(OSError):  # the request will say it
        _trust(spec)


def _trust(spec: ModelSpec) -> None:
    if spec.api_base.startswith("https://"):
        trust(spec.ca_file)


PLUGIN = OpenAIHttp()
