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


def profile_path() -> Path:
    """Where `terma eyes calibrate` keeps what it learned."""
    return paths.state_dir() / "eyes-profile.npz"


@contextlib.asynccontextmanager
async def opened(settings: Eyes) -> AsyncIterator[Eye]:
    """Raises EyesError where there is no camera, or nothing was calibrated yet."""
    from terma.vision import frames
    from terma.vision.eye import ScreenEye
    from terma.vision.screen import profile
    from terma.vision.screen.state import Looks

    learned = profile.load(profile_path())
    async with frames.of(settings.camera) as source:
        yield ScreenEye(source, learned, looks=Looks(settings.prompt))
