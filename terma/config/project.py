"""What a project's own file may say: less than the person allows, never more.

`.terma.toml` in the working directory or above it comes with a repository, so it is somebody else's word. It may keep
things on this machine and lower limits; where keys go and what is run it cannot touch.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from terma import reading
from terma.config.settings import Conversation, Limits, Privacy, Settings
from terma.errors import ConfigError

NAME = ".terma.toml"
MAX_BYTES = 64 * 1024
MAX_DEPTH = 40  # directories above the working directory
ALLOWED = 'it may set engine = "offline", privacy, limits, and less in conversation'


def tightened(settings: Settings, cwd: str) -> Settings:
    """`settings` under the nearest project file at or above `cwd`. Raises ConfigError when that file is broken or
    asks for what a project may not: silence would leave a wish for privacy unheard."""
    file = _nearest(cwd)
    if file is None:
        return settings
    import tomllib  # 15 ms, and few directories have such a file

    try:
        values = tomllib.loads(reading.whole(file, MAX_BYTES).decode("utf-8"))
    except OSError as error:
        raise ConfigError(f"{file}: {error.strerror}", ALLOWED) from None
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{file}: {error}", ALLOWED) from None
    return apply(settings, values, str(file))


def apply(settings: Settings, values: Mapping[str, Any], where: str) -> Settings:
    """The stricter of both, key by key. Raises ConfigError for anything else."""
    for key, value in values.items():
        if key == "engine" and value == "offline":
            settings = replace(settings, engine="offline", model="", fallbacks=())
        elif key == "privacy" and isinstance(value, dict):
            settings = replace(settings, privacy=_private(settings.privacy, value, where))
        elif key == "limits" and isinstance(value, dict):
            settings = replace(settings, limits=_limited(settings.limits, value, where))
        elif key == "conversation" and isinstance(value, dict):
            settings = replace(settings, conversation=_less(settings.conversation, value, where))
        else:
            raise ConfigError(f"{where}: a project may not set {key} so", ALLOWED)
    return settings


def _less(own: Conversation, values: Mapping[str, Any], where: str) -> Conversation:
    """Fewer steps, fewer commands allowed, nothing saved, nothing read unasked."""
    for key, value in values.items():
        steps = key == "max_steps" and isinstance(value, int) and value is not True and value > 0
        if not (
            steps or (key in ("save", "read_freely") and value is False) or (key, value) == ("allow", [])
        ):
            raise ConfigError(f"{where}: a project may not set conversation.{key} so", ALLOWED)
        kept = min(own.max_steps, value) if steps else () if key == "allow" else False
        own = replace(own, **{key: kept})  # type: ignore[arg-type]
    return own


def _private(privacy: Privacy, values: Mapping[str, Any], where: str) -> Privacy:
    for key, value in values.items():
        if key not in Privacy.__slots__ or value is not False:
            raise ConfigError(f"{where}: a project may not set privacy.{key} so", ALLOWED)
    return replace(privacy, **dict.fromkeys(values, False))


def _limited(limits: Limits, values: Mapping[str, Any], where: str) -> Limits:
    lowered: dict[str, float] = {}
    for key, value in values.items():
        if (
            key not in Limits.__slots__
            or isinstance(value, bool)
            or not isinstance(value, int | float)
            or value <= 0
        ):
            raise ConfigError(f"{where}: a project may not set limits.{key} so", ALLOWED)
        own = getattr(limits, key)
        lowered[key] = min(own, type(own)(value)) if own else type(own)(value)
    return replace(limits, **lowered)  # type: ignore[arg-type]


def _nearest(cwd: str) -> Path | None:
    if not cwd.startswith("/"):
        return None
    here = Path(cwd)
    for directory in (here, *list(here.parents)[:MAX_DEPTH]):
        if reading.is_regular(directory / NAME):
            return directory / NAME
    return None
