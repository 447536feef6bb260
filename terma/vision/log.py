"""What a run saw and did, for the person to look at afterwards: one JSON object a line, and the pictures.

Everything is in a directory that is the person's alone (0700). Secrets are taken out of the text and covered in the
pictures before either is written; placeholders of secrets stay placeholders, since only the keyboard resolves them.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import cv2

from terma.redact import Redactor
from terma.vision.errors import EyesError
from terma.vision.redacting import clean, cover
from terma.vision.types import Image, TerminalState

NAME = "log.jsonl"
FRAMES = "frames"
_QUALITY = 80
Level = Literal["text", "usual", "all"]  # without pictures; with them; with what a model said, too


class RunLog:
    """One run. `folder` is its directory, made anew. Every line has `at` (seconds since the start) and `what`."""

    def __init__(self, above: Path, level: Level = "usual") -> None:
        """Raises EyesError when the directory cannot be made."""
        self.redactor, self._level = Redactor(), level
        self._begun = time.monotonic()
        self._frames = 0
        try:
            self.folder = _fresh(above)
            (self.folder / FRAMES).mkdir(mode=0o700)
            file = os.open(self.folder / NAME, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise EyesError(
                f"the log cannot be written in {above}: {error.strerror}", "choose another with --log"
            ) from None
        self._lines = os.fdopen(file, "w", encoding="utf-8")

    def write(self, what: str, **fields: Any) -> None:
        """One line. Texts in `fields` are redacted, however deep."""
        line = {"at": round(time.monotonic() - self._begun, 3), "what": what} | self._redacted(fields)
        self._lines.write(json.dumps(line, ensure_ascii=False) + "\n")
        self._lines.flush()

    def debug(self, what: str, **fields: Any) -> None:
        """The same where all is to be logged, what a model said word for word."""
        if self._level == "all":
            self.write(what, **fields)

    def screen(self, state: TerminalState, picture: Image | None) -> None:
        """What was seen: the text, and the rectified picture where there is one."""
        seen = clean(state, self.redactor)
        name = ""
        if picture is not None and self._level != "text":
            name = self._picture(cover(picture, len(state.rows), seen.covered))
        rest = {
            "cursor": state.cursor.model_dump() if state.cursor else None,
            "prompt": state.prompt,
            "password": state.password,
            "reader": state.reader,
            "confidence": round(min(state.confidence), 3),
        }
        self.write("screen", rows=list(seen.rows), frame=name, covered=sorted(seen.covered), **rest)

    def close(self) -> None:
        self._lines.close()

    def _picture(self, picture: Image) -> str:
        self._frames += 1
        name = f"{FRAMES}/{self._frames:05}.jpg"
        done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
        if not done:
            return ""
        file = os.open(self.folder / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(file, "wb") as stream:
            stream.write(data.tobytes())
        return name

    def _redacted(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.redactor.redact(value).text
        if isinstance(value, Mapping):
            return {key: self._redacted(one) for key, one in value.items()}
        if isinstance(value, list | tuple):
            return [self._redacted(one) for one in value]
        return value


def read(folder: Path) -> list[dict[str, Any]]:
    """The lines of a run. Raises EyesError where there is no log, or one that is broken before its last line."""
    try:
        lines = (folder / NAME).read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise EyesError(
            f"{folder}: no run is logged there ({error.strerror})", "terma eyes run says where"
        ) from None
    found = []
    for number, line in enumerate(lines, 1):
        try:
            found.append(json.loads(line))
        except ValueError:
            if number < len(lines):
                raise EyesError(f"{folder / NAME}: line {number} is broken", "the log was changed") from None
    return found


def _fresh(above: Path) -> Path:
    above.mkdir(mode=0o700, parents=True, exist_ok=True)
    base = time.strftime("%Y%m%d-%H%M%S")
    for number in range(1000):
        folder = above / (f"{base}-{number}" if number else base)
        try:
            folder.mkdir(mode=0o700)
        except FileExistsError:
            continue
        return folder
    raise FileExistsError(17, "too many runs in one second", str(above))
