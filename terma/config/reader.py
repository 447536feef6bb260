"""Settings for a process that stays light: a child validates them, and only when something changed.

Without a file and without variables beyond the engine's name there is nothing to validate, and no child.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

from terma import backends, starting
from terma.config.settings import (
    Conversation,
    Learning,
    Limits,
    Model,
    Privacy,
    Sessions,
    Settings,
    Suggestions,
    Timeouts,
)
from terma.errors import ConfigError

SECONDS = 20.0  # for the child; it takes a quarter of a second on a quiet machine
KEPT = 8  # settings of as many different environments
_TABLES: dict[str, type] = {
    "timeouts": Timeouts,
    "limits": Limits,
    "privacy": Privacy,
    "suggestions": Suggestions,
    "learning": Learning,
    "conversation": Conversation,
    "sessions": Sessions,
}
Stamp = tuple[int, int, int]


class Reader:
    """Keeps what was read for as long as the file has not changed."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._known: dict[tuple[Stamp, tuple[tuple[str, str], ...]], Settings | ConfigError] = {}
        self._lock = asyncio.Lock()

    async def read(self, variables: Mapping[str, str]) -> Settings:
        """The settings for a shell with these TERMA_ variables. Raises ConfigError."""
        stamp = _stamp(self.file)
        if stamp == (0, 0, 0) and set(variables) <= {"TERMA_ENGINE"}:
            return _simple(variables.get("TERMA_ENGINE", ""))
        key = (stamp, tuple(sorted(variables.items())))
        async with self._lock:
            if key not in self._known:
                while len(self._known) >= KEPT:
                    del self._known[next(iter(self._known))]
                self._known[key] = await _validate(self.file, variables)
        found = self._known[key]
        if isinstance(found, ConfigError):
            raise found
        return found


async def _validate(file: Path, variables: Mapping[str, str]) -> Settings | ConfigError:
    child = await starting.child(
        sys.executable,
        "-I",
        "-m",
        "terma.config",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        cwd="/",
    )
    asked = json.dumps({"file": str(file), "variables": dict(variables)}).encode()
    try:
        async with asyncio.timeout(SECONDS):
            out, _ = await child.communicate(asked)
        said = json.loads(out)
    except TimeoutError:
        return ConfigError("the settings were not read in time", "terma config show says why")
    except ValueError:
        return ConfigError("the settings could not be read", "terma config show says why")
    finally:
        if child.returncode is None:
            child.kill()
    if "error" in said:
        return ConfigError(said["error"], said["hint"])
    return build(said["settings"])


def build(values: Mapping[str, Any]) -> Settings:
    """Settings from what `plain` made of them, in another process that had checked them."""
    given = _tuples({name: value for name, value in values.items() if name != "eyes"})  # no agent needs those
    for name, table in _TABLES.items():
        given[name] = table(**_tuples(given[name]))
    given["models"] = {name: Model(**_tuples(model)) for name, model in given["models"].items()}
    return Settings(**given)


def _tuples(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}


def plain(settings: Any) -> Any:
    """Settings as JSON can carry them; secrets included, so for a pipe alone."""
    if is_dataclass(settings):
        return {field.name: plain(getattr(settings, field.name)) for field in fields(settings)}
    if isinstance(settings, Mapping):
        return {key: plain(value) for key, value in settings.items()}
    return list(settings) if isinstance(settings, tuple) else settings


def _simple(engine: str) -> Settings:
    if engine and engine != "auto" and backends.known(engine):
        raise ConfigError(
            f"TERMA_ENGINE={engine} needs a model", "TERMA_MODEL=provider/model, or terma config init"
        )
    return replace(Settings(), engine=engine or "auto")


def _stamp(file: Path) -> Stamp:
    try:
        info = file.stat()
    except OSError:
        return (0, 0, 0)
    return (info.st_ino, info.st_mtime_ns, info.st_size)
