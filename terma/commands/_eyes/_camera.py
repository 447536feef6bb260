"""The eye of `terma eyes run` and `watch`: the camera of the settings, and what is known of its screen."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING

from terma.commands._eyes._target import profile_path

if TYPE_CHECKING:
    from terma.config.eyes import Eyes, Screen
    from terma.vision.eye import ScreenEye
    from terma.vision.plain_eye import PlainEye
    from terma.vision.screen.ocr import OcrReader
    from terma.vision.screen.rectify import Corners
    from terma.vision.screen.state import Looks
    from terma.vision.types import FrameSource, Reader

    Sized = Callable[[int, int], Reader]


@contextlib.asynccontextmanager
async def opened(settings: Eyes, target: str | None = None) -> AsyncIterator[ScreenEye | PlainEye]:
    """Raises EyesError where there is no camera, or nothing was calibrated and the reader needs that; UsageError or
    ConfigError where the reader of the settings is not there."""
    from terma.vision import frames

    async with contextlib.AsyncExitStack() as stack:
        source = frames.of(settings.camera)
        eye = await of(stack, source, settings, target)
        await stack.enter_async_context(source)
        yield eye


async def of(
    stack: contextlib.AsyncExitStack, source: FrameSource, settings: Eyes, target: str | None = None
) -> ScreenEye | PlainEye:
    """The eye behind a source. OCR and a model need no calibration: what they read of a screen that has none, they
    read straight, or between the corners of the settings."""
    from terma.vision.eye import ScreenEye
    from terma.vision.plain_eye import PlainEye
    from terma.vision.screen import profile
    from terma.vision.screen.state import Looks

    looks, path = Looks(settings.prompt), profile_path(target)
    sized = await reader(stack, settings.reader, looks)
    if sized is not None and (not path.exists() or settings.screen.columns or settings.screen.corners):
        screen = settings.screen
        return PlainEye(source, sized, corners(screen), (screen.columns, screen.rows))
    learned = profile.load(path)
    if sized is None:
        other = _ocr(looks)
        return ScreenEye(source, learned, None, looks, other.sized if other is not None else None)
    grid = learned.grid
    return ScreenEye(source, learned, sized(grid.columns, grid.rows), looks, sized)


async def reader(stack: contextlib.AsyncExitStack, kind: str, looks: Looks) -> Sized | None:
    """What [eyes] reader names, closed with the stack; None for the classifier of the profile."""
    if kind == "ocr":
        from terma.vision.screen.ocr import OcrReader

        return OcrReader(80, 24, looks).sized
    if kind == "model":
        from terma.commands._eyes import _strategies
        from terma.vision.screen.multimodal import MultimodalReader

        instead = "name one that sees: terma models; or set [eyes] reader"
        model, spec = await _strategies.chosen(None, "reads", instead)
        seeing = MultimodalReader(model, spec, 80, 24, looks)
        stack.push_async_callback(seeing.close)
        return seeing.sized
    return None


def corners(screen: Screen) -> Corners | None:
    """The corners that the settings name."""
    from terma.vision.screen.rectify import Corners

    points = tuple(zip(screen.corners[::2], screen.corners[1::2], strict=True))
    return Corners(points) if points else None


def _ocr(looks: Looks) -> OcrReader | None:
    """What reads the screens that no card taught, where it is installed."""
    if find_spec("onnxruntime") is None or find_spec("rapidocr_onnxruntime") is None:
        return None
    from terma.vision.screen.ocr import OcrReader

    return OcrReader(80, 24, looks)
