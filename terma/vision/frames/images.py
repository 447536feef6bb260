"""Pictures in a directory, in the order of their names; the last one stays, as a screen does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from terma.vision.errors import EyesError
from terma.vision.frames._latest import Threaded
from terma.vision.types import Image

_KINDS = (".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff")


class Images(Threaded):
    """`address` is a directory, or one picture; `fps` is how fast they follow each other."""

    name = "images"

    def pictures(self) -> Iterator[Image]:
        place = Path(self.settings.address)
        files = sorted(place.iterdir()) if place.is_dir() else [place]
        files = [file for file in files if file.suffix.lower() in _KINDS]
        if not files:
            raise EyesError(f"there are no pictures in {place}", "set [eyes.camera] address")
        picture: Image | None = None
        for file in files:
            read = cv2.imread(str(file))
            if read is None:
                raise EyesError(f"{file} is no picture that can be read", "take it out of the directory")
            picture = np.asarray(read, np.uint8)
            yield picture
            if not self.pause(1 / self.settings.fps):
                return
        while picture is not None:
            yield picture.copy()
            if not self.pause(min(1 / self.settings.fps, 0.1)):
                return


PLUGIN = Images
