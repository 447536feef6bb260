"""What types on the machine that is watched, one file a kind, found by its name: each exports PLUGIN, its class.

A keyboard is made from the settings [eyes.keyboard] and a `Secrets`; it is the one place where {{secret:NAME}} becomes
what it stands for. Layouts are data in layouts/.
"""

from __future__ import annotations

from terma import registry
from terma.config import eyes
from terma.vision.keyboards._secrets import Secrets
from terma.vision.types import Keyboard


def of(settings: eyes.Keyboard, secrets: Secrets | None = None) -> Keyboard:
    """The keyboard that the settings name, not opened yet. Raises UsageError where there is none of that kind."""
    made: Keyboard = registry.load(__name__, settings.kind)(settings, secrets or Secrets({}))
    return made
