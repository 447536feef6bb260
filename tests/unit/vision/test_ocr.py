"""OCR reads a screen that no card taught it, letters that look alike included, or says how to get it."""

from __future__ import annotations

import asyncio
import contextlib

import numpy as np
import pytest

from terma.commands._eyes import _camera
from terma.errors import ConfigError, UsageError
from terma.vision.errors import EyesError
from terma.vision.screen import engines, ocr
from terma.vision.screen import grid as grids
from terma.vision.screen.state import Looks
from terma.vision.types import Reader
from tests.unit.vision import screens


def test_a_tilted_noisy_screen_is_read_by_ocr() -> None:
    pytest.importorskip("onnxruntime")
    pytest.importorskip("rapidocr_onnxruntime")
    camera = screens.camera("cell=9,yaw=15,pitch=8,noise=6")
    grid = grids.find(camera.look(screens.card_monitor().image, 0.2), screens.flash(camera))
    shown = screens.monitor(screens.PROSE + "ls -l\x1b[4D")  # the cursor stands on the s
    reader = ocr.OcrReader(grid.columns, grid.rows)
    state = asyncio.run(reader.read(grid.picture(camera.look(shown.image, 0.0))))
    assert screens.reads(shown.rows, state.rows) >= 0.98
    assert screens.right(shown.rows, state.rows) >= 0.98
    assert state.rows[11] == "user@box:~/proj$ ls -l" and state.cursor is not None
    assert (state.cursor.row, state.cursor.column) == (11, len("user@box:~/proj$ l"))
    with pytest.raises(EyesError, match="does not hold"):
        asyncio.run(reader.read(np.zeros((60, 100, 3), np.uint8)))


def test_where_ocr_is_not_installed_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match="no OCR here") as told:
        ocr.OcrReader(80, 24)
    assert "xontrib-terma[ocr]" in str(told.value.hint)


def test_the_settings_choose_who_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERMA_ENGINE", "offline")
    pytest.importorskip("onnxruntime")
    pytest.importorskip("rapidocr_onnxruntime")

    async def chosen(kind: str) -> Reader | None:
        async with contextlib.AsyncExitStack() as stack:
            made = await _camera.reader(stack, kind, Looks())
            return made(100, 37) if made is not None else None

    assert asyncio.run(chosen("cells")) is None  # the classifier of the profile
    assert isinstance(asyncio.run(chosen("ocr")), ocr.OcrReader)
    with pytest.raises(ConfigError, match="no model reads here"):
        asyncio.run(chosen("model"))
