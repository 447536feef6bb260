"""The settings of `terma eyes`: the tables [eyes.…] of config.toml, with their defaults.

Plain dataclasses like all settings; the agent never reads them, the command does.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any, ClassVar, Literal

from terma.config.places import FORM, is_place
from terma.config.whose import ANYONE, PERSON, TABLE, among, both, less, lower_risk, stricter
from terma.records import dataclass

STRICT: dict[str, Any] = {"extra": "forbid"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Keyboard:
    """What types. `kind` names a plug-in of terma/vision/keyboards. `address` is what it types on: the device of hid or
    ch9329, the URL of http, pikvm, nanokvm or jetkvm, the name of a session. `token_env` names the variable that holds
    the token of http, user:password of pikvm and nanokvm, or the password of jetkvm. `ca_file` is the certificate that
    a box signed itself. `baud` is of a serial line.

    `hold` and `gap` are seconds: how long a key is down, and how long none is. `deadline` is how long a device may take
    no key."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    kind: str = field(default="hid", metadata=PERSON)
    address: str = field(default="/dev/hidg0", metadata=PERSON)
    layout: str = field(default="us", metadata=ANYONE)
    token_env: str = field(default="", metadata=PERSON)
    hold: float = field(default=0.008, metadata=ANYONE)
    gap: float = field(default=0.008, metadata=ANYONE)
    deadline: float = field(default=0.4, metadata=ANYONE)
    ca_file: str = field(default="", metadata=PERSON)
    baud: int = field(default=9600, metadata=PERSON)

    def __post_init__(self) -> None:
        _check(0 <= self.hold <= 1 and 0 <= self.gap <= 1, "hold and gap are from 0 to 1 second")
        _check(0 < self.deadline <= 0.5, "deadline is above 0 and at most 0.5 seconds")


@dataclass(frozen=True, slots=True, kw_only=True)
class Camera:
    """What looks at the screen. `kind` names a plug-in of terma/vision/frames. `address` is what it looks through: the
    device of device, a file of video, a directory of images, the URL of mjpeg, pikvm, nanokvm or jetkvm, the name of a
    session. `token_env` names the variable that holds the token of mjpeg, user:password of pikvm and nanokvm, or the
    password of jetkvm. `ca_file` is the certificate that a box signed itself. `crop` is left, top, width and height in
    pixels, or nothing. `fps` is how fast images follow each other."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    kind: str = field(default="device", metadata=PERSON)
    address: str = field(default="/dev/video0", metadata=PERSON)
    token_env: str = field(default="", metadata=PERSON)
    crop: tuple[int, ...] = field(default=(), metadata=ANYONE)
    fps: float = field(default=10.0, metadata=ANYONE)
    ca_file: str = field(default="", metadata=PERSON)

    def __post_init__(self) -> None:
        _check(
            len(self.crop) in (0, 4) and min(self.crop, default=0) >= 0, "crop is [left, top, width, height]"
        )
        _check(not self.crop or (self.crop[2] > 0 and self.crop[3] > 0), "crop has a width and a height")
        _check(0 < self.fps <= 120, "fps is above 0 and at most 120")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Where a run ends. `seconds` is of the whole run, `cost` in US dollars; 0 tokens or cost: no limit. `errors` in a
    row of camera, keyboard or reader are tried again before a person is asked; `dark` is how many seconds a screen may
    show nothing, as while a machine starts."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    steps: int = field(default=40, metadata=stricter(less))
    seconds: float = field(default=900.0, metadata=stricter(less))
    keys: int = field(default=4000, metadata=stricter(less))
    tokens: int = field(default=0, metadata=stricter(less))
    cost: float = field(default=0.0, metadata=stricter(less))
    errors: int = field(default=3, metadata=stricter(less))
    dark: float = field(default=180.0, metadata=stricter(less))

    def __post_init__(self) -> None:
        _check(min(self.steps, self.keys) > 0 and self.seconds > 0, "steps, keys and seconds are above 0")
        _check(min(self.tokens, self.cost) >= 0, "tokens and cost are 0 or more")
        _check(0 <= self.errors <= 50, "errors are from 0 to 50")
        _check(0 <= self.dark <= 3600, "dark is from 0 to 3600 seconds")


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What may be typed. `deny` are regular expressions, searched in a line as it will be entered: what matches is
    never entered. `allow` is a list like that of conversations (`ls *`, `df -h`, `<Up>` for a key): what stands on it,
    --auto enters without asking."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    deny: tuple[str, ...] = field(default=(), metadata=stricter(both))
    allow: tuple[str, ...] = field(default=(), metadata=stricter(among))
    # from this level on, a line is never entered
    risk: Literal["medium", "high"] = field(default="high", metadata=stricter(lower_risk))

    def __post_init__(self) -> None:
        import re

        for pattern in self.deny:
            try:
                re.compile(pattern)
            except re.error as error:
                raise ValueError(f"{pattern!r} is no regular expression: {error}") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """Where runs are logged, and how much of them: `level` "text" keeps no pictures, "all" what a model said word for
    word too. `directory` "" is the state directory."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    level: Literal["text", "usual", "all"] = field(default="usual", metadata=PERSON)
    directory: str = field(default="", metadata=PERSON)


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """What is known of a screen that is not calibrated. `columns` and `rows` 0: the picture tells them, in each mode.
    `corners`: eight numbers, x and y of its four corners in the picture; none where the picture is the screen."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    columns: int = field(default=0, metadata=PERSON)
    rows: int = field(default=0, metadata=PERSON)
    corners: tuple[float, ...] = field(default=(), metadata=PERSON)

    def __post_init__(self) -> None:
        _check(0 <= self.columns <= 400 and 0 <= self.rows <= 200, "columns are up to 400, rows up to 200")
        _check((self.columns == 0) == (self.rows == 0), "columns and rows are given together")
        _check(len(self.corners) in (0, 8), "corners are eight numbers: x, y of each of four")


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One machine under a name of your choice, for --target NAME: its camera, keyboard, screen and reader, in place of
    those of [eyes]. It has a calibration of its own."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    camera: Camera = field(default_factory=Camera, metadata=PERSON)
    keyboard: Keyboard = field(default_factory=Keyboard, metadata=PERSON)
    screen: Screen = field(default_factory=Screen, metadata=PERSON)
    reader: Literal["cells", "ocr", "model"] = field(default="cells", metadata=PERSON)
    prompt: str = field(default=r"[$#%>❯»] ?$", metadata=PERSON)


@dataclass(frozen=True, slots=True, kw_only=True)
class Eyes:
    """All of them. `secrets`: a name and where its value is, "env:VARIABLE" or "command:pass show box"; a placeholder
    {{secret:NAME}} is replaced by it in the keyboard, and nowhere else. `reader`: "cells" knows the letters from the
    calibration card, "ocr" from its models, "model" is the model of the settings, which gets the picture."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT

    camera: Camera = field(default_factory=Camera, metadata=TABLE)
    keyboard: Keyboard = field(default_factory=Keyboard, metadata=TABLE)
    limits: Limits = field(default_factory=Limits, metadata=TABLE)
    policy: Policy = field(default_factory=Policy, metadata=TABLE)
    log: Log = field(default_factory=Log, metadata=TABLE)
    screen: Screen = field(default_factory=Screen, metadata=TABLE)
    targets: dict[str, Target] = field(default_factory=dict, metadata=PERSON)
    secrets: dict[str, str] = field(default_factory=dict, metadata=PERSON)
    reader: Literal["cells", "ocr", "model"] = field(default="cells", metadata=PERSON)
    # what a row with a shell's prompt ends with, before anything is typed
    prompt: str = field(default=r"[$#%>❯»] ?$", metadata=PERSON)

    def __post_init__(self) -> None:
        for name, place in self.secrets.items():
            _check(is_place(place), f"secrets.{name} reads {FORM}")


def _check(holds: bool, otherwise: str) -> None:
    if not holds:
        raise ValueError(otherwise)
