"""A film of a screen, at its own speed: to try a reader on what was recorded."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from terma.vision.errors import EyesError
from terma.vision.frames._latest import Threaded
from terma.vision.types import Image

_USUAL = 25.0  # frames a second, where the file does not say


class Video(Threaded):
    """`address` is the file."""

    name = "video"

    def pictures(self) -> Iterator[Image]:
        file = Path(self.settings.address)
        if not file.is_file():
            raise EyesError(f"there is no video {file}", "set [eyes.camera] address")
        capture = cv2.VideoCapture(str(file))
        try:
            if not capture.isOpened():
                raise EyesError(f"{file} is no video that can be read", "MP4, AVI and MKV usually are")
            told = capture.get(cv2.CAP_PROP_FPS)
            period = 1 / told if 0 < told <= 240 else 1 / _USUAL
            due = time.monotonic()
            while self.pause(due - time.monotonic()):
                there, picture = capture.read()
                if not there:
                    return
                yield np.asarray(picture, np.uint8)
                due += period
        finally:
            capture.release()


PLUGIN = Video
