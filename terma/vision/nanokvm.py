"""What a NanoKVM is asked over HTTP: the login that its page makes, its stream, its WebSocket for keys, its buttons."""

from __future__ import annotations

import asyncio
import os
import re
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import quote

from terma.vision.aes import salted
from terma.vision.errors import EyesError
from terma.vision.pikvm import trusted
from terma.vision.websocket import Refused, Socket

if TYPE_CHECKING:
    import ssl

    import httpx

COOKIE = "nano-kvm-token"
_PUBLIC = "nanokvm-sipeed-2024"  # the key in the page that every box serves
_SECONDS = 10.0  # a power button is held for five of them
_VERSION = re.compile(r"v?(\d+)\.(\d+)\.(\d+)")
_LEAST = {
    True: (1, 2, 6),
    False: (2, 3, 2),
}  # a Pro's, and others': the first whose WebSocket takes HID reports


class Box:
    """The NanoKVM at `address` (http://… or https://…). `login_env` names the variable that holds user:password;
    `ca_file` is the certificate that the box signed itself, "" where a known authority did."""

    def __init__(self, address: str, login_env: str, ca_file: str = "") -> None:
        self.address = address.rstrip("/")
        self._ca_file, self._login_env = ca_file, login_env
        self._client: httpx.AsyncClient | None = None
        self._trusted: ssl.SSLContext | None = None

    async def __aenter__(self) -> Self:
        """Log in. Raises EyesError where nobody is there, or the login is refused."""
        import httpx

        self._trusted = trusted(self._ca_file)
        self._client = httpx.AsyncClient(
            base_url=self.address, timeout=_SECONDS, trust_env=False, verify=self._trusted
        )
        try:
            await self._enter()
        except BaseException:
            await self.__aexit__()
            raise
        return self

    async def __aexit__(self, *error: object) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    @property
    def given(self) -> dict[str, Any]:
        """What an httpx client needs to be let in, too."""
        return {"headers": {"Cookie": self._cookie}, "verify": self._trusted, "trust_env": False}

    async def told(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """The `data` of an answer. Raises EyesError."""
        import httpx

        if self._client is None:
            raise RuntimeError("the box is not open")
        try:
            answer = await self._client.request(method, path, json=body)
            said = answer.json()
        except httpx.HTTPError as error:
            raise EyesError(
                f"the NanoKVM at {self.address} does not answer ({type(error).__name__})",
                "is it on, the address right, and its certificate trusted (ca_file)?",
            ) from None
        except ValueError:
            said = None
        if answer.status_code in (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN):
            raise self._refused()
        if answer.is_error or not isinstance(said, dict) or said.get("code") != 0:
            raise EyesError(
                f"the NanoKVM at {self.address} did not take {path} ({answer.status_code})",
                "its own log says why",
            )
        data = said.get("data")
        return data if isinstance(data, dict) else {}

    async def keys(self) -> Socket:
        """The way for HID reports. Raises EyesError where the box is too old for them."""
        pro = "pro" in str((await self.told("GET", "/api/vm/hardware")).get("version", "")).lower()
        version = str((await self.told("GET", "/api/vm/info")).get("application", ""))
        found = _VERSION.match(version)
        if found and tuple(map(int, found.groups())) < _LEAST[pro]:
            least = ".".join(map(str, _LEAST[pro]))
            raise EyesError(
                f"the NanoKVM at {self.address} has application {found[0]}", f"update it to {least} or later"
            )
        if self._trusted is None:
            raise RuntimeError("the box is not open")
        address = f"{self.address}/api/ws"
        try:
            return await asyncio.to_thread(Socket, address, self._cookie, self._trusted, _SECONDS)
        except Refused as error:
            raise EyesError(error.message, "its own log says why") from None

    async def _enter(self) -> None:
        user, _, password = os.environ.get(self._login_env, "").partition(":")
        body = {"username": user, "password": quote(salted(password, _PUBLIC), safe="")}
        assert self._client is not None
        try:
            token = (await self.told("POST", "/api/auth/login", body)).get("token")
        except EyesError as error:
            raise self._refused() if "did not take" in error.message else error from None
        if isinstance(token, str) and token.isascii() and token.isprintable():
            self._client.cookies.set(COOKIE, token)
        await self.told("GET", "/api/vm/info")

    @property
    def _cookie(self) -> str:
        token = self._client.cookies.get(COOKIE) if self._client is not None else None
        return f"{COOKIE}={token}" if token else ""

    def _refused(self) -> EyesError:
        return EyesError(
            f"the NanoKVM at {self.address} refuses the login",
            "token_env names the variable with user:password",
        )
