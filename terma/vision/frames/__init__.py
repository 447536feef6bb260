"""Where pictures come from, one file a kind, found by its name: each exports PLUGIN, its class.

A source is made from the settings [eyes.camera] and is an async context manager. It always gives the newest picture:
pictures that nobody asked for are dropped, and counted.
"""

from __future__ import annotations

from terma import registry
from terma.config import eyes
from terma.vision.types import FrameSource


def of(settings: eyes.Camera) -> FrameSource:
    """The source that the settings name, not opened yet. Raises UsageError where there is none of that kind."""
    made: FrameSource = registry.load(__name__, settings.kind)(settings)
    return made
