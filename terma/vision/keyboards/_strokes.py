"""From an action to the keys of a layout: what every keyboard that presses real keys does first."""

from __future__ import annotations

from terma.vision.errors import UnmappableKey
from terma.vision.keyboards._layouts import Layout, Stroke
from terma.vision.keyboards._secrets import Secrets
from terma.vision.keyboards._usages import BITS, NAMED
from terma.vision.types import Combination, Keystroke, Line, Text


def strokes(layout: Layout, secrets: Secrets, action: Keystroke | Combination | Text | Line) -> list[Stroke]:
    """The keys, one after the other. Raises UnmappableKey for what the layout lacks, EyesError for a secret that is
    not there."""
    if isinstance(action, Text | Line):
        return layout.keys_for(secrets.fill(action.text))
    held = 0
    if isinstance(action, Combination):
        for modifier in action.modifiers:
            held |= BITS[modifier]
    if action.key in NAMED:
        return [Stroke(held, NAMED[action.key])]
    found = layout.keys_for(action.key)
    if held and len(found) > 1:
        raise UnmappableKey(
            f"{action.key!r} takes two keys on the {layout.name} keyboard",
            "it cannot be held with a modifier",
        )
    return [Stroke(stroke.modifiers | held, stroke.usage) for stroke in found]
