"""Types into a session of the agent (`terma session create NAME`), where the machine is a program on this one."""

from __future__ import annotations

import asyncio
import base64
from typing import Self

from terma import client
from terma.config import eyes
from terma.sessions import remote
from terma.vision.keyboards import _terminal
from terma.vision.keyboards._secrets import Secrets
from terma.vision.types import Combination, Keystroke, Line, Text


class SessionKeyboard:
    """`address` is the session's name. A terminal has no key that stays down: there is nothing to release."""

    name = "session"

    def __init__(self, settings: eyes.Keyboard, secrets: Secrets) -> None:
        self._session, self._secrets = settings.address, secrets
        self._connection: client.Connection | None = None

    async def __aenter__(self) -> Self:
        """Raises TermaError when there is no such session."""
        self._connection = await asyncio.to_thread(client.connect)
        try:
            await self._call("info", {"session": self._session})
        except BaseException:
            self._connection.close()
            raise
        return self

    async def __aexit__(self, *error: object) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def check(self, action: Keystroke | Combination | Text | Line) -> None:
        """Raises UnmappableKey for what a terminal does not know, EyesError for a secret that is not there."""
        self._bytes(action)

    async def send(self, action: Keystroke | Combination | Text | Line) -> None:
        """Type it. Raises TermaError when the session does not take it."""
        keys = base64.b64encode(self._bytes(action)).decode("ascii")
        await self._call("send", {"session": self._session, "text": [keys], "base64": True})

    def release_all(self) -> None:
        """Nothing can be down."""

    def _bytes(self, action: Keystroke | Combination | Text | Line) -> bytes:
        if isinstance(action, Text | Line):
            return self._secrets.fill(action.text).encode()
        return _terminal.encode(action)

    async def _call(self, name: str, arguments: dict[str, object]) -> None:
        connection = self._connection
        if connection is None:
            raise RuntimeError("the keyboard is not open")
        await asyncio.to_thread(remote.call, connection, name, arguments)


PLUGIN = SessionKeyboard
