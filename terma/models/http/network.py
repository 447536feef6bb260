"""httpcore's asyncio network, made to close a connection when a task is cancelled during its TLS handshake.

httpcore closes it for errors alone, and a cancel is none: the server would keep a connection nobody wants, for as long
as garbage is not collected. This module imports httpcore: only what runs a request imports it.
"""

from __future__ import annotations

import ssl
from typing import Any

import httpcore


class Network(httpcore.AnyIOBackend):
    """Opens connections whose streams close on cancel."""

    async def connect_tcp(self, *args: Any, **options: Any) -> httpcore.AsyncNetworkStream:
        """As httpcore has it."""
        return Stream(await super().connect_tcp(*args, **options))

    async def connect_unix_socket(self, *args: Any, **options: Any) -> httpcore.AsyncNetworkStream:
        """As httpcore has it."""
        return Stream(await super().connect_unix_socket(*args, **options))


class Stream(httpcore.AsyncNetworkStream):
    """A stream of httpcore, and one way to end it more."""

    def __init__(self, inner: httpcore.AsyncNetworkStream) -> None:
        self._inner = inner

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109
        """As httpcore has it."""
        return await self._inner.read(max_bytes, timeout)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109
        """As httpcore has it."""
        await self._inner.write(buffer, timeout)

    async def aclose(self) -> None:
        """As httpcore has it."""
        await self._inner.aclose()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109
    ) -> httpcore.AsyncNetworkStream:
        """The handshake; whatever ends it early ends the connection."""
        try:
            return Stream(await self._inner.start_tls(ssl_context, server_hostname, timeout))
        except BaseException:
            await self._inner.aclose()
            raise

    def get_extra_info(self, info: str) -> Any:
        """As httpcore has it."""
        return self._inner.get_extra_info(info)
