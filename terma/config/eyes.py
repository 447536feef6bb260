"""The settings of `terma eyes`: the tables [eyes.…] of config.toml, with their defaults.

Plain dataclasses like all settings; the agent never reads them, the command does.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

STRICT: dict[str, Any] = {"extra": "forbid"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Keyboard:
    """What types. `kind` names a plug-in of terma/vision/keyboards. `address` is what it types on: the device of
    hid, the URL of http, the name of a session. `token_env` names the variable that holds the token of http.

    `hold` and `gap` are seconds: how long a key is down, and how long none is. `deadline` is how long a device may take
    no key."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    kind: str = "hid"
    address: str = "/dev/hidg0"
    layout: str = "us"
    token_env: str = ""
    hold: float = 0.008
    gap: float = 0.008
    deadline: float = 0.4

    def __post_init__(self) -> None:
        _check(0 <= self.hold <= 1 and 0 <= self.gap <= 1, "hold and gap are from 0 to 1 second")
        _check(0 < self.deadline <= 0.5, "deadline is above 0 and at most 0.5 seconds")


@dataclass(frozen=True, slots=True, kw_only=True)
class Camera:
    """What looks at the screen. `kind` names a plug-in of terma/vision/frames. `address` is what it looks through: the
    device of device, a file of video, a directory of images, the URL of mjpeg, the name of a session. `token_env`
    names the variable that holds the token of mjpeg. `crop` is left, top, width and height in pixels, or nothing.
    `fps` is how fast images follow each other."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    kind: str = "device"
    address: str = "/dev/video0"
    token_env: str = ""
    crop: tuple[int, ...] = ()
    fps: float = 10.0

    def __post_init__(self) -> None:
        _check(
            len(self.crop) in (0, 4) and min(self.crop, default=0) >= 0, "crop is [left, top, width, height]"
        )
        _check(not self.crop or (self.crop[2] > 0 and self.crop[3] > 0), "crop has a width and a height")
        _check(0 < self.fps <= 120, "fps is above 0 and at most 120")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Where a run ends. `seconds` is of the whole run, `cost` in US dollars; 0 tokens or cost: no limit."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    steps: int = 40
    seconds: float = 900.0
    keys: int = 4000
    tokens: int = 0
    cost: float = 0.0

    def __post_init__(self) -> None:
        _check(min(self.steps, self.keys) > 0 and self.seconds > 0, "steps, keys and seconds are above 0")
        _check(min(self.tokens, self.cost) >= 0, "tokens and cost are 0 or more")


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What may be typed. `deny` and `allow` are regular expressions: `deny` is searched in a line as it will be
    entered, and what matches is never entered; `allow` must match a whole line for --auto to enter it without asking.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    deny: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    risk: Literal["medium", "high"] = "high"  # from this level on, a line is never entered

    def __post_init__(self) -> None:
        import re

        for pattern in (*self.deny, *self.allow):
            try:
                re.compile(pattern)
            except re.error as error:
                raise ValueError(f"{pattern!r} is no regular expression: {error}") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Eyes:
    """All of them. `secrets`: a name and where its value is, "env:VARIABLE" or "command:pass show box"; a placeholder
    {{secret:NAME}} is replaced by it in the keyboard, and nowhere else. `reader`: "cells" knows the letters from the
    calibration card, "ocr" from its models, "model" is the model of the settings, which gets the picture."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    camera: Camera = field(default_factory=Camera)
    keyboard: Keyboard = field(default_factory=Keyboard)
    limits: Limits = field(default_factory=Limits)
    policy: Policy = field(default_factory=Policy)
    secrets: dict[str, str] = field(default_factory=dict)
    reader: Literal["cells", "ocr", "model"] = "cells"
    prompt: str = r"[$#%>❯»] ?$"  # what a row with a shell's prompt ends with, before anything is typed

    def __post_init__(self) -> None:
        for name, place in self.secrets.items():
            _check(
                place.startswith(("env:", "command:")), f'secrets.{name} reads "env:VARIABLE" or "command:…"'
            )


def _check(holds: bool, otherwise: str) -> None:
    if not holds:
        raise ValueError(otherwise)
