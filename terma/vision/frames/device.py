"""A camera at this computer, through OpenCV: /dev/video0, or its number."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from terma.vision.errors import EyesError
from terma.vision.frames._latest import Threaded
from terma.vision.types import Image


class Device(Threaded):
    """`address` is the device, or a number that OpenCV knows it by."""

    name = "camera"

    def pictures(self) -> Iterator[Image]:
        address = self.settings.address
        if not address.isdecimal() and not Path(address).exists():
            raise EyesError(f"there is no camera {address}", "plug it in, or set [eyes.camera] address")
        capture = cv2.VideoCapture(int(address) if address.isdecimal() else address)
        try:
            if not capture.isOpened():
                raise EyesError(f"the camera {address} cannot be opened", "is another program using it?")
            capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)  # the driver's queue would hand out the past
            while self.pause(0):
                there, picture = capture.read()
                if not there:
                    raise EyesError(f"the camera {address} gives no more pictures", "was it unplugged?")
                yield np.asarray(picture, np.uint8)
        finally:
            capture.release()


PLUGIN = Device
