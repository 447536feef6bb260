"""What may go wrong between a camera and a keyboard, in the form of terma.errors."""

from __future__ import annotations

from terma.errors import TermaError


class EyesError(TermaError):
    """The screen cannot be seen or read, or the keyboard does not take keys."""

    code = "eyes"


class UnmappableKey(EyesError):
    """A character or key that the keyboard's layout lacks; said before any key is sent."""

    code = "unmappable"


class Refused(EyesError):
    """The policy does not let this be typed."""

    code = "refused"
