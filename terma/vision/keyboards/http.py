"""Types over HTTP: a small computer beside the machine, or `terma eyes target`, presses the keys.

`POST /keystroke {"key"}`, `/key-combo {"modifiers", "key"}` and `/text {"text"}`, with the token as a bearer. The
other end presses and releases within one request, so no key can stay down from here.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Self

from terma.config import eyes
from terma.vision.errors import EyesError, UnmappableKey
from terma.vision.keyboards._secrets import Secrets
from terma.vision.types import Combination, Keystroke, Line, Text

if TYPE_CHECKING:
    import httpx

_SECONDS = 5.0
_WRONG = 422  # what FastAPI and others say to a body that they do not take


class HttpKeyboard:
    """`address` is the URL above /keystroke. The token is the value of the variable `token_env`."""

    name = "http"

    def __init__(self, settings: eyes.Keyboard, secrets: Secrets) -> None:
        self._address, self._secrets = settings.address.rstrip("/"), secrets
        self._token = os.environ.get(settings.token_env, "") if settings.token_env else ""
        self._client: httpx.AsyncClient | None = None

    async def __aenter__(self) -> Self:
        """Raises EyesError when nobody is there, or the token is refused."""
        import httpx

        headers = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        self._client = httpx.AsyncClient(
            base_url=self._address, headers=headers, timeout=_SECONDS, trust_env=False
        )
        try:
            await self._ask("GET", "/health", None)
        except BaseException:
            await self._client.aclose()
            raise
        return self

    async def __aexit__(self, *error: object) -> None:
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    def check(self, action: Keystroke | Combination | Text | Line) -> None:
        """Which keys the other end has, it says when it is asked: a text is sent whole, so it is refused whole.
        Raises EyesError for a secret that is not there."""
        if isinstance(action, Text | Line):
            self._secrets.fill(action.text)

    async def send(self, action: Keystroke | Combination | Text | Line) -> None:
        """Type it. Raises UnmappableKey where the other end has no such key, EyesError when it does not answer."""
        if isinstance(action, Keystroke):
            await self._ask("POST", "/keystroke", {"key": action.key})
        elif isinstance(action, Combination):
            await self._ask("POST", "/key-combo", {"modifiers": action.modifiers, "key": action.key})
        elif action.text:
            await self._ask("POST", "/text", {"text": self._secrets.fill(action.text)})

    def release_all(self) -> None:
        """The other end has released everything before it answered."""

    async def _ask(self, method: str, path: str, body: dict[str, object] | None) -> None:
        import httpx

        if self._client is None:
            raise RuntimeError("the keyboard is not open")
        try:
            answer = await self._client.request(method, path, json=body)
        except httpx.HTTPError as error:
            raise EyesError(
                f"the keyboard at {self._address} does not answer ({type(error).__name__})",
                "is it running, and is the address right?",
            ) from None
        if answer.status_code == httpx.codes.UNAUTHORIZED:
            raise EyesError(
                f"the keyboard at {self._address} refuses the token",
                "[eyes.keyboard] token_env names the variable that holds it",
            )
        if answer.status_code == _WRONG:
            raise UnmappableKey(f"the keyboard at {self._address} has no such key", "nothing was typed")
        if answer.is_error:
            raise EyesError(
                f"the keyboard at {self._address} said {answer.status_code}", "its own log says why"
            )


PLUGIN = HttpKeyboard
