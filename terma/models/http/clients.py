"""HTTP clients that live on between requests, so that a warm request pays for no connection.

Nothing of the environment is obeyed: no proxy variable, no certificate variable, no netrc. A repository can set them,
and with them send a key elsewhere. The settings are the one way to a proxy.
"""

from __future__ import annotations

import asyncio
import os
import ssl
from collections import OrderedDict
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from terma import __version__
from terma.chat import ModelError, ModelSpec
from terma.models.wire import failures

if TYPE_CHECKING:
    import httpx

KEPT = 6  # clients; each is one place with one proxy
KEEP_ALIVE, KEEP_ALIVE_FAR = 240.0, 90.0  # seconds an idle connection is kept: networks forget those far away
UNIX = "unix:"
_Place = tuple[int, str, str, str, float]


class Clients:
    """One httpx.AsyncClient for each place, made when first wanted and reused on the same event loop."""

    def __init__(self) -> None:
        self._clients: OrderedDict[_Place, httpx.AsyncClient] = OrderedDict()

    def get(self, spec: ModelSpec) -> httpx.AsyncClient:
        """The client for the place of `spec`. Raises ModelError when its ca_file or proxy cannot be used."""
        place = (
            id(asyncio.get_running_loop()),
            spec.api_base,
            spec.proxy,
            spec.ca_file,
            spec.connect_timeout,
        )
        client = self._clients.pop(place, None)
        if client is None or client.is_closed:
            client = _client(spec)
        self._clients[place] = client
        while len(self._clients) > KEPT:
            _, oldest = self._clients.popitem(last=False)
            _closing.add(task := asyncio.ensure_future(oldest.aclose()))
            task.add_done_callback(_closing.discard)
        return client

    async def close(self) -> None:
        """Close every connection."""
        clients, self._clients = list(self._clients.values()), OrderedDict()
        for client in clients:
            await client.aclose()


_closing: set[asyncio.Future[None]] = set()  # a task without a reference may vanish


def url(spec: ModelSpec) -> str:
    """Where chat completions of `spec` are: api_base with or without /v1 and with or without the last two words."""
    base = "http://localhost" if spec.api_base.startswith(UNIX) else spec.api_base.rstrip("/")
    base = base.removesuffix("/chat/completions")
    if base.count("/") == 2:  # the bare server: every local one has it under /v1
        base += "/v1"
    return f"{base}/chat/completions"


def _client(spec: ModelSpec) -> httpx.AsyncClient:
    import httpx

    safe = spec.api_base.startswith("https://")
    kept = KEEP_ALIVE_FAR if safe or spec.proxy else KEEP_ALIVE
    limits = httpx.Limits(max_connections=16, max_keepalive_connections=4, keepalive_expiry=kept)
    try:
        transport = httpx.AsyncHTTPTransport(
            verify=trust(spec.ca_file) if safe or spec.proxy.startswith("https://") else False,
            limits=limits,
            proxy=spec.proxy or None,
            trust_env=False,
            uds=spec.api_base.removeprefix(UNIX) if spec.api_base.startswith(UNIX) else None,
        )
    except (OSError, ssl.SSLError) as error:
        raise failures.bad_tls(f"ca_file {spec.ca_file}: {error}", spec) from error
    except (ValueError, ImportError) as error:  # an address it cannot read, or socks5 without its package
        raise failures.bad_proxy(str(error), spec) from error
    from terma.models.http.network import Network

    # httpx has no argument for it; httpcore, which it builds on, does (tests/e2e/test_model_providers.py holds both)
    transport._pool._network_backend = Network()
    return httpx.AsyncClient(
        transport=transport,
        trust_env=False,
        follow_redirects=False,  # a redirect would carry the key along
        timeout=httpx.Timeout(None, connect=spec.connect_timeout),
        headers={"user-agent": f"terma/{__version__}", "accept-encoding": "identity"},
    )


async def begun(client: httpx.AsyncClient, request: httpx.Request) -> httpx.Response:
    """The response to `request`, its body yet to be read. A kept connection that the server closes just as it is used
    again says nothing of the server: the request goes out anew, on a new connection in the end."""
    import httpx

    while True:
        opened = False

        async def trace(event: str, _: object) -> None:
            nonlocal opened
            opened = opened or event.startswith("connection.connect")

        request.extensions["trace"] = trace
        try:
            return await client.send(request, stream=True)
        except httpx.RemoteProtocolError as error:
            if opened or "without sending a response" not in str(error):
                raise


@lru_cache(maxsize=4)  # reading them takes 20 ms
def trust(ca_file: str) -> ssl.SSLContext:
    """What certificates are checked against: `ca_file`, else certifi's. Raises OSError or SSLError."""
    if ca_file:
        return ssl.create_default_context(cafile=ca_file)
    import certifi

    return ssl.create_default_context(cafile=certifi.where())


def translate(error: Exception, spec: ModelSpec) -> ModelError:
    """What httpx raises, as the one line that a person reads."""
    import httpx

    reason = str(error) or type(error).__name__
    causes = list(_causes(error))
    if isinstance(error, httpx.ConnectTimeout):
        return failures.timed_out("did not take the connection", spec.connect_timeout, "connect", spec)
    if isinstance(error, httpx.ProxyError) or (spec.proxy and isinstance(error, httpx.ConnectError)):
        return failures.bad_proxy(reason, spec)
    if any(isinstance(cause, ssl.SSLError) for cause in causes):
        return failures.bad_tls(reason, spec)
    if isinstance(error, httpx.ConnectError):
        return failures.unreachable(_refusal(causes) or reason, spec)
    if isinstance(error, httpx.InvalidURL | httpx.UnsupportedProtocol):
        return failures.unreachable(f"api_base is no address: {reason}", spec)
    if isinstance(error, httpx.LocalProtocolError | UnicodeError):
        return ModelError(
            "bad_request", f"a header for {spec.name} cannot be sent", "check api_key and headers"
        )
    if isinstance(error, httpx.RemoteProtocolError) and "without sending a response" in reason:
        return failures.unreachable("it closed the connection without an answer", spec)
    if isinstance(error, httpx.TransportError):
        return failures.broken_off(spec)
    return failures.bad_response(f"sent what cannot be read: {reason}", spec)


def _refusal(causes: Sequence[BaseException]) -> str:
    """The system's own word for why nothing was connected: "connection refused"; "" where it has none."""
    numbers = [cause.errno for cause in causes if isinstance(cause, OSError) and cause.errno]
    return (
        os.strerror(numbers[-1]).lower() if numbers and numbers[-1] > 0 else ""
    )  # names not found have others


def _causes(error: BaseException | None) -> list[BaseException]:
    found: list[BaseException] = []
    while error is not None and error not in found:
        found.append(error)
        several = error.exceptions[0] if isinstance(error, BaseExceptionGroup) else None  # of addresses tried
        error = several or error.__cause__ or error.__context__
    return found
