"""A machine that starts, as pictures: what stands on its screen one after the other, in modes of several sizes."""

from __future__ import annotations

import cv2
import numpy as np

from terma.vision.types import Image
from tests.unit.vision import screens

BIOS = """AMIBIOS(C) 2024 American Systems, Inc.
Main Board Release 2.14

CPU : Virtual x86 CPU at 2400 MHz
Memory Test : 16384M OK

Press DEL to run Setup
Press F12 for Boot Menu
USB Devices: 1 Keyboard, 1 Mouse, 1 Hub
"""
MENU = """                 GNU GRUB  version 2.06

 +-----------------------------------------------+
 |\x1b[7m*Debian GNU/Linux                              \x1b[0m|
 | Advanced options for Debian GNU/Linux         |
 | Memory test                                   |
 +-----------------------------------------------+

    Use the arrow keys to select an entry.
    Press enter to boot the selected OS.
\x1b[?25l"""
LOGIN = """Debian GNU/Linux 12 box tty1

Starting network ... done.
Starting sshd ... done.

box login: """


def screen(text: str, columns: int = 80, rows: int = 25, width: int = 0, height: int = 0) -> Image:
    """Text as a picture of so many pixels; its own size without them."""
    image = screens.Monitor(text, columns, rows).image
    if width:
        image = np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    return image


def black(width: int = 720, height: int = 400) -> Image:
    return np.zeros((height, width, 3), np.uint8)


def plain(colour: tuple[int, int, int], width: int = 640, height: int = 480) -> Image:
    return np.full((height, width, 3), colour, np.uint8)


def bars(width: int = 640, height: int = 480) -> Image:
    colours = [
        (200, 200, 200),
        (0, 200, 200),
        (200, 200, 0),
        (0, 200, 0),
        (200, 0, 200),
        (0, 0, 200),
        (200, 0, 0),
    ]
    return np.repeat(
        np.array([colours[at * 7 // width] for at in range(width)], np.uint8)[None], height, axis=0
    )
