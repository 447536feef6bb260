"""Where a model's key comes from: the settings' file, a variable, a command of the person's, or the system's keyring.

Keys stay in memory, for as long as their source has not changed, and are never logged.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import signal
import sys
import time
from collections.abc import Mapping
from contextlib import suppress

from terma import starting
from terma.chat import ModelError
from terma.config import Model
from terma.installed import adding

SECONDS = 30.0  # for a command: it may ask for a passphrase in a window of its own
KEPT_SECONDS = 600.0
MAX_KEY = 8_192  # bytes
HANDED = ("_API_KEY", "_TOKEN")  # what the variables end in that a shell sends with a question


class Keys:
    """Asks each source once in ten minutes; a source that failed is asked again."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], tuple[float, str]] = {}
        self._asking: dict[tuple[str, str], asyncio.Lock] = {}

    async def of(self, name: str, model: Model, environment: Mapping[str, str]) -> str:
        """The key of the model called `name`, "" when its settings name none. Raises ModelError with what to do."""
        if model.api_key:
            return model.api_key
        if model.api_key_env:
            key = environment.get(model.api_key_env, "")
            if not key:
                handed = model.api_key_env.endswith(HANDED)
                raise ModelError(
                    "no_key",
                    f"{name}: {model.api_key_env} is not set in this shell"
                    if handed
                    else f"{name}: shells hand over no variable called {model.api_key_env}",
                    f"export {model.api_key_env}=…" if handed else "give it a name that ends in _API_KEY",
                )
            return key
        if model.api_key_command:
            return await self._once(("command", model.api_key_command), name)
        if model.api_key_keyring:
            return await self._once(("keyring", model.api_key_keyring), name)
        return ""

    async def _once(self, source: tuple[str, str], name: str) -> str:
        async with self._asking.setdefault(
            source, asyncio.Lock()
        ):  # who comes meanwhile waits for the same answer
            kept = self._kept.get(source)
            if kept is not None and time.monotonic() - kept[0] < KEPT_SECONDS:
                return kept[1]
            key = await (_from_command if source[0] == "command" else _from_keyring)(source[1], name)
            self._kept[source] = (time.monotonic(), key)
            return key


async def _from_command(command: str, name: str) -> str:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise ModelError(
            "no_key", f"{name}: api_key_command cannot be read: {error}", "terma config edit"
        ) from None
    return await _first_line(
        words, f"{name}: {words[0] if words else 'api_key_command'}", "run it by hand once"
    )


async def _from_keyring(entry: str, name: str) -> str:
    service, _, user = entry.partition("/")
    words = [sys.executable, "-I", "-m", "keyring", "get", service, user]
    return await _first_line(
        words, f"{name}: the keyring entry {entry}", f"{adding('keyring')}; keyring set {service} {user}"
    )


async def _first_line(words: list[str], what: str, hint: str) -> str:
    """The first line that a program prints, run without a shell, at a time-out killed with its children."""
    try:
        child = await starting.child(
            *words,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            cwd="/",
            start_new_session=True,
        )
    except (OSError, IndexError, ValueError) as error:
        raise ModelError(
            "no_key", f"{what} cannot be run: {getattr(error, 'strerror', '') or error}", hint
        ) from None
    try:
        async with asyncio.timeout(SECONDS):
            out, _ = await child.communicate()
    except TimeoutError:
        raise ModelError("no_key", f"{what} gave no key within {SECONDS:g} s", hint) from None
    finally:
        if child.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
    key = out[:MAX_KEY].split(b"\n", 1)[0].decode("utf-8", "replace").strip()
    if child.returncode or not key:
        raise ModelError("no_key", f"{what} gave no key (exit status {child.returncode})", hint)
    return key
