"""What PiKVM's HTTP interface is asked, for its picture, its keyboard and its power: one client, one way to fail."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from terma.vision.errors import EyesError

if TYPE_CHECKING:
    import ssl

    import httpx

_SECONDS, _AT_ONCE = 5.0, 0.5
_MOST = 32 * 1024 * 1024  # bytes of an answer


def trusted(ca_file: str) -> ssl.SSLContext:
    """What a box's certificate is held against: the known authorities, or `ca_file` alone. Raises EyesError."""
    import ssl

    file = str(Path(ca_file).expanduser()) if ca_file else None
    try:
        return ssl.create_default_context(cafile=file)
    except OSError as error:
        raise EyesError(f"{file}: {error.strerror}", "ca_file is the box's certificate") from None


class Box:
    """The PiKVM at `address` (https://…). `login_env` names the variable that holds user:password; `ca_file` is the
    certificate that the box signed itself, "" where a known authority did."""

    def __init__(self, address: str, login_env: str, ca_file: str = "") -> None:
        self.address = address.rstrip("/")
        self._ca_file = ca_file
        self._login_env = login_env
        self._client: httpx.AsyncClient | None = None
        self._given: dict[str, Any] = {}

    async def __aenter__(self) -> Self:
        """Raises EyesError where the login or the certificate is not there. Nothing is asked yet."""
        import httpx

        user, _, password = os.environ.get(self._login_env, "").partition(":")
        headers = {"X-KVMD-User": user, "X-KVMD-Passwd": password} if user else {}
        verify = trusted(self._ca_file)
        self._given = {"base_url": self.address, "headers": headers, "trust_env": False, "verify": verify}
        self._client = httpx.AsyncClient(timeout=_SECONDS, **self._given)
        return self

    async def __aexit__(self, *error: object) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    async def ask(self, method: str, path: str, **query: str | int) -> httpx.Response:
        """One request. Raises EyesError where nobody answers, or the login is refused; a status of 500 and above is
        the caller's to judge."""
        import httpx

        if self._client is None:
            raise RuntimeError("the box is not open")
        try:
            answer = await self._client.request(method, path, params=query)
        except httpx.HTTPError as error:
            raise EyesError(
                f"the PiKVM at {self.address} does not answer ({type(error).__name__})",
                "is it on, the address right, and its certificate trusted (ca_file)?",
            ) from None
        if answer.status_code in (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN):
            raise EyesError(
                f"the PiKVM at {self.address} refuses the login",
                "token_env names the variable with user:password",
            )
        if answer.is_client_error or len(answer.content) > _MOST:
            raise EyesError(
                f"the PiKVM at {self.address} said {answer.status_code} to {path}", "its own log says why"
            )
        return answer

    async def told(self, path: str, method: str = "GET", **query: str | int) -> dict[str, Any]:
        """The `result` of an answer. Raises EyesError."""
        answer = await self.ask(method, path, **query)
        try:
            result = answer.json()["result"]
        except (ValueError, KeyError, TypeError):
            result = None
        if answer.is_error or not isinstance(result, dict):
            raise EyesError(
                f"the PiKVM at {self.address} said {answer.status_code} to {path}", "its own log says why"
            )
        return result

    def at_once(self, path: str, queries: Sequence[Mapping[str, str]]) -> None:
        """Requests without an event loop, for whoever must not wait for one. Raises EyesError."""
        import httpx

        try:
            with httpx.Client(timeout=_AT_ONCE, **self._given) as client:
                for query in queries:
                    client.post(path, params=query).raise_for_status()
        except httpx.HTTPError as error:
            raise EyesError(
                f"the PiKVM at {self.address} does not answer ({type(error).__name__})", "is it on?"
            ) from None
