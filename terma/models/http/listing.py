"""Which models a server has: its own list, for `terma models` and for finding local servers."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from terma.chat import ModelSpec
from terma.models.http.clients import url
from terma.models.wire import failures

if TYPE_CHECKING:
    import httpx

MAX_LIST = 4 * 2**20  # bytes
MAX_MODELS = 1000


async def listed(client: httpx.AsyncClient, spec: ModelSpec, headers: dict[str, str]) -> list[str]:
    """The names, in the server's order. Raises ModelError, and what httpx raises."""
    address = url(spec).removesuffix("/chat/completions") + "/models"
    try:
        async with (
            asyncio.timeout(spec.first_token_timeout),
            client.stream("GET", address, headers=headers) as response,
        ):
            pieces: list[bytes] = []
            async for chunk in response.aiter_bytes():
                pieces.append(chunk)
                if sum(map(len, pieces)) > MAX_LIST:
                    raise failures.bad_response("sent a list without end", spec)
    except TimeoutError:
        raise failures.timed_out("named no models", spec.first_token_timeout, "first_token", spec) from None
    said = b"".join(pieces).decode("utf-8", "replace")
    if response.status_code != 200:
        raise failures.from_status(response.status_code, said, {}, spec)
    try:
        return _names(json.loads(said))
    except (ValueError, TypeError, AttributeError):
        raise failures.bad_response("sent no list of models", spec) from None


def _names(parsed: Any) -> list[str]:
    """OpenAI has `data` with `id`; some servers give the list itself, or `models` with `name`."""
    found = parsed if isinstance(parsed, list) else parsed.get("data", parsed.get("models"))
    names = [item if isinstance(item, str) else item.get("id") or item.get("name") for item in found]
    return [name for name in names if isinstance(name, str) and name][:MAX_MODELS]
