"""What decides in `terma eyes run`: a file of steps, or the model that the settings name."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from terma.errors import ConfigError, UsageError

if TYPE_CHECKING:
    from terma.chat import ChatModel, ModelSpec
    from terma.vision.modelled import Modelled
    from terma.vision.strategy import Decided, Script, Step


def scripted(file: Path, *, rehearsed: bool = False, done: int = 0) -> Script:
    """The steps in `file`, one JSON object a line. Raises UsageError with the line that is wrong."""
    from pydantic import ValidationError

    from terma.vision.strategy import Script, Step
    from terma.vision.types import DECISION

    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"{file}: {getattr(error, 'strerror', '') or 'not UTF-8'}", "name a file of steps"
        ) from None
    steps: list[Decided | tuple[str, Decided] | Step] = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            given = json.loads(line)
            when, why = (
                str(given.pop(key, "")) if isinstance(given, dict) else "" for key in ("when", "why")
            )
            re.compile(when)
            decision = DECISION.validate_python(given)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            raise UsageError(
                f"{file}:{number}: {first['msg']}", "terma eyes run --help shows steps"
            ) from None
        except (ValueError, re.error) as error:
            raise UsageError(f"{file}:{number}: {error}", "terma eyes run --help shows steps") from None
        steps.append(Step(decision, when, why))
    if not steps:
        raise UsageError(f"{file} holds no step", "terma eyes run --help shows steps")
    return Script(steps, rehearsed=rehearsed, done=done)


async def modelled(name: str | None, *, images: bool) -> Modelled:
    """As `chosen` finds it. Raises ConfigError."""
    from terma.vision.modelled import Modelled

    model, spec = await chosen(
        name, "decides", "name one: --model provider/model, or --script FILE without a model"
    )
    return Modelled(model, spec, images=images)


async def chosen(name: str | None, does: str, instead: str) -> tuple[ChatModel, ModelSpec]:
    """The model called `name`, else the one that the settings choose. Raises ConfigError where only the embedded
    engine is there: it cannot see."""
    from terma import backends, paths
    from terma.agent.engines import Engines
    from terma.config.layers import load

    settings = load(paths.config_dir() / "config.toml", os.environ).settings
    if name:
        settings = replace(settings, model=name, engine="auto")
    choice = await Engines().choose(settings, os.environ)
    if choice.spec is None:
        raise ConfigError(f"no model {does} here: {choice.why}", instead)
    return backends.of(choice.spec.provider), choice.spec
