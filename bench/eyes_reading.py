"""How well a screen is found and read through a simulated camera: nine scenes, near and far, tilted, noisy, dark."""

from __future__ import annotations

import asyncio
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy: see terma/commands/_eyes/_extras.py

Figure = tuple[str, float, str, str]  # name, value, unit, note
SCENES = {
    "straight, 11 px": "cell=11",
    "21 px": "cell=21,yaw=8,pitch=4",
    "tilted by 30°": "cell=9,yaw=30,pitch=15",
    "rolled": "cell=10,yaw=-20,pitch=-8,roll=4",
    "7 px": "cell=7,yaw=8,pitch=4",
    "5 px (found, not read)": "cell=5,yaw=8",
    "noise": "cell=11,yaw=8,noise=15",
    "glare": "cell=11,yaw=8,glare=0.5",
    "dark": "cell=11,yaw=8,dark=0.7,noise=4",
}


def measure() -> list[Figure]:
    """Overlap of the found screen with the true one, and characters read right, plain and in colours."""
    from terma.vision.screen.rectify import overlap
    from tests.unit.vision import screens

    figures: list[Figure] = []
    for name, look in SCENES.items():
        camera = screens.camera(look)
        found = screens.flash(camera)
        figures.append((f"found, {name}", overlap(found, screens.truth(camera), *camera.size), "IoU", look))
        if "not read" in name:
            continue
        scene = screens.scene(look)
        for kind, text in (("plain", screens.PROSE), ("colours", screens.COLOURFUL)):
            read = scene.classifier.read(scene.grid.picture(scene.see("\x1b[?25l" + text))).characters
            rows = ["".join(row) for row in read.reshape(scene.grid.rows, scene.grid.columns)]
            share = 100 * screens.right(screens.monitor("\x1b[?25l" + text).rows, rows)
            figures.append((f"read, {name}, {kind}", share, "%", "characters at their places"))
    return figures + _ocr()


def _ocr() -> list[Figure]:
    """Characters that OCR reads, which no card taught: by edit distance, and at their places."""
    from terma.vision.screen.ocr import OcrReader
    from tests.unit.vision import screens

    figures: list[Figure] = []
    for look, text in (
        ("cell=11,yaw=8,pitch=4,noise=4", screens.PROSE),
        ("cell=9,yaw=15,pitch=8,noise=6", screens.PROSE),
        ("cell=9,yaw=8,noise=4", screens.COLOURFUL),
    ):
        scene, shown = screens.scene(look), "\x1b[?25l" + text
        reader = OcrReader(scene.grid.columns, scene.grid.rows)
        read = asyncio.run(reader.read(scene.grid.picture(scene.see(shown)))).rows
        rows = screens.monitor(shown).rows
        kind = "plain" if text is screens.PROSE else "colours"
        figures.append((f"OCR, {kind}, {look}", 100 * screens.reads(rows, read), "%", "by edit distance"))
        figures.append(
            (f"OCR placed, {kind}, {look}", 100 * screens.right(rows, read), "%", "at their places")
        )
    return figures
