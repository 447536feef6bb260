"""The eye of `terma eyes run` and `watch`: the camera of the settings, and what calibration learned of its screen."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

from terma import paths

if TYPE_CHECKING:
    from terma.config.eyes import Eyes
    from terma.vision.parts import Eye
    from terma.vision.screen.grid import Grid
    from terma.vision.screen.state import Looks
    from terma.vision.types import Reader


def profile_path() -> Path:
    """Where `terma eyes calibrate` keeps what it learned."""
    return paths.state_dir() / "eyes-profile.npz"


@contextlib.asynccontextmanager
async def opened(settings: Eyes) -> AsyncIterator[Eye]:
    """Raises EyesError where there is no camera, or nothing was calibrated yet; UsageError or ConfigError where the
    reader of the settings is not there."""
    from terma.vision import frames
    from terma.vision.eye import ScreenEye
    from terma.vision.screen import profile
    from terma.vision.screen.state import Looks

    learned = profile.load(profile_path())
    looks = Looks(settings.prompt)
    async with contextlib.AsyncExitStack() as stack:
        reads = await reader(stack, settings.reader, learned.grid, looks)
        source = await stack.enter_async_context(frames.of(settings.camera))
        yield ScreenEye(source, learned, reads, looks)


async def reader(stack: contextlib.AsyncExitStack, kind: str, grid: Grid, looks: Looks) -> Reader | None:
    """What [eyes] reader names, closed with the stack; None for the classifier of the profile."""
    if kind == "ocr":
        from terma.vision.screen.ocr import OcrReader

        return OcrReader(grid.columns, grid.rows, looks)
    if kind == "model":
        from terma.commands._eyes import _strategies
        from terma.vision.screen.multimodal import MultimodalReader

        instead = "name one that sees: terma models; or set [eyes] reader"
        model, spec = await _strategies.chosen(None, "reads", instead)
        seeing = MultimodalReader(model, spec, grid.columns, grid.rows, looks)
        stack.push_async_callback(seeing.close)
        return seeing
    return None
