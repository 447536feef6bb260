"""What every part of `terma eyes` shares: frames, what is read from them, and what may be done about it.

Frames are plain dataclasses, since they are made thirty times a second. What a model or an HTTP body may fill
(actions, states) is checked by pydantic: what does not validate is an error, never a guess.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Annotated, Literal, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, field_validator, model_validator

Image = NDArray[np.uint8]  # rows, columns, 3: blue, green, red, as OpenCV has it
Modifier = Literal["ctrl", "shift", "alt", "meta", "altgr"]
NAMED_KEYS = (
    "Enter Escape Backspace Tab Space CapsLock PrintScreen ScrollLock Pause Insert Home PageUp Delete End PageDown "
    "Right Left Down Up NumLock"
).split() + [f"F{number}" for number in range(1, 25)]
MOST_TEXT = 1024  # characters in one action
MOST_CELLS = 1000  # rows or columns of a screen


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture. `at` is time.monotonic() seconds when it came; `number` counts a source's frames from 1, dropped
    ones included, so two frames are the same picture only where source and number are. `image` is read only."""

    image: Image
    at: float
    number: int
    source: str = ""


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", str_max_length=MOST_TEXT)


class Keystroke(_Model):
    """One key without modifiers: a name of NAMED_KEYS or one character."""

    kind: Literal["keystroke"] = "keystroke"
    key: str

    @field_validator("key")
    @classmethod
    def _known(cls, key: str) -> str:
        return _key(key)


class Combination(_Model):
    """A key while modifiers are held: Ctrl+C, Alt+F2."""

    kind: Literal["combination"] = "combination"
    modifiers: tuple[Modifier, ...] = Field(min_length=1, max_length=5)
    key: str

    @field_validator("key")
    @classmethod
    def _known(cls, key: str) -> str:
        return _key(key)


class Text(_Model):
    """Characters, and no Enter after them. `{{secret:NAME}}` is resolved in the keyboard alone."""

    kind: Literal["text"] = "text"
    text: str = Field(min_length=1)

    @field_validator("text")
    @classmethod
    def _printable(cls, text: str) -> str:
        return _typeable(text)


class Line(_Model):
    """A command line: typed, read back from the screen, and entered only when that is what stands there."""

    kind: Literal["line"] = "line"
    text: str

    @field_validator("text")
    @classmethod
    def _printable(cls, text: str) -> str:
        return _typeable(text)


class Click(_Model):
    """A button of the pointer, pressed at a place of the screen: `x` and `y` are parts of its width and height."""

    kind: Literal["click"] = "click"
    x: float = Field(ge=0, le=1)
    y: float = Field(ge=0, le=1)
    button: Literal["left", "right", "middle"] = "left"


class Wait(_Model):
    """Nothing is typed; the screen is looked at again after so many seconds."""

    kind: Literal["wait"] = "wait"
    seconds: float = Field(default=1.0, gt=0, le=60)


class Done(_Model):
    """The goal is reached: `evidence` is text that must stand on the screen for this to be believed."""

    kind: Literal["done"] = "done"
    evidence: str = Field(min_length=1)


class GiveUp(_Model):
    """The goal cannot be reached, in words for the person."""

    kind: Literal["give_up"] = "give_up"
    reason: str = Field(min_length=1)


Act = Keystroke | Combination | Text | Line | Click
Decision = Annotated[Act | Wait | Done | GiveUp, Field(discriminator="kind")]
DECISION: TypeAdapter[Act | Wait | Done | GiveUp] = TypeAdapter(Decision)


class Cursor(_Model):
    """Where the cursor stands, from 0."""

    row: int = Field(ge=0, lt=MOST_CELLS)
    column: int = Field(ge=0, lt=MOST_CELLS)


class TerminalState(BaseModel):
    """What a reader saw: one string a row, trailing spaces off, one character a cell.

    `prompt`: a shell waits at its prompt. `password`: something asks for a secret and will not show it. `confidence`
    is 0..1 for each row, as sure as the reader is of its worst character. `cursor` is None where none was seen."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    rows: tuple[str, ...] = Field(min_length=1, max_length=MOST_CELLS)
    columns: int = Field(default=80, ge=1, le=MOST_CELLS)
    cursor: Cursor | None = None
    prompt: bool = False
    password: bool = False
    confidence: tuple[Annotated[float, Field(ge=0, le=1)], ...]
    reader: str = ""

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if len(self.confidence) != len(self.rows):
            raise ValueError(f"{len(self.rows)} rows and {len(self.confidence)} confidences")
        if self.cursor is not None and (
            self.cursor.row >= len(self.rows) or self.cursor.column > self.columns
        ):
            raise ValueError("the cursor stands outside the screen")
        for number, row in enumerate(self.rows):
            if len(row) > self.columns:
                raise ValueError(f"row {number} is longer than {self.columns} columns")
            if not all(map(_visible, row)):
                raise ValueError(f"row {number} holds a control character")
        return self

    @property
    def text(self) -> str:
        """The rows, without empty ones at the end."""
        return "\n".join(row.rstrip() for row in self.rows).rstrip("\n")


class FrameSource(Protocol):
    """An async context manager that always knows the newest picture.

    `latest` waits for a frame whose number is above `after`, which came since it was asked for, or 150 ms before at
    most. Raises EyesError when the source is not there or stalls for 3 s, for the first picture 10 s."""

    name: str

    async def __aenter__(self) -> Self: ...
    async def __aexit__(self, *error: object) -> None: ...
    async def latest(self, after: int = 0) -> Frame: ...


class Reader(Protocol):
    """From a rectified picture of the screen to its text. Raises EyesError when it cannot say."""

    name: str

    async def read(self, image: Image) -> TerminalState: ...


@runtime_checkable
class Free(Protocol):
    """A reader that reads a picture without cells too."""

    async def freely(self, picture: Image) -> TerminalState: ...


class Keyboard(Protocol):
    """What types. An async context manager; leaving it releases all keys, whatever happened.

    `check` raises UnmappableKey, before any key is sent, for what it cannot type. `send` types one action; a Line is
    typed without its Enter, which is a Keystroke of its own once the line was read back. `release_all` is not async:
    a signal handler may call it."""

    name: str

    async def __aenter__(self) -> Self: ...
    async def __aexit__(self, *error: object) -> None: ...
    def check(self, action: Keystroke | Combination | Text | Line) -> None: ...
    async def send(self, action: Keystroke | Combination | Text | Line) -> None: ...
    def release_all(self) -> None: ...


@runtime_checkable
class Powered(Protocol):
    """A keyboard whose box is wired to the machine's buttons too: `power` takes on, off, hard-off and reset."""

    async def power(self, action: str) -> None: ...
    async def powered(self) -> bool: ...


@runtime_checkable
class Pointing(Protocol):
    """A keyboard that has a pointer too: `click` presses a button at a place, from 0 to 1 to the right and down."""

    async def click(self, x: float, y: float, button: str = "left") -> None: ...


def _key(key: str) -> str:
    if key in NAMED_KEYS or (len(key) == 1 and _visible(key) and key != " "):
        return key
    raise ValueError(f"{key[:20]!r} is neither a named key nor one printable character")


def _typeable(text: str) -> str:
    if all(map(_visible, text)):
        return text
    raise ValueError("holds a control character: Enter and Tab are keystrokes")


def _visible(character: str) -> bool:
    """Nothing that steers a terminal, hides, or turns the reading direction."""
    return unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
