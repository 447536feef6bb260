"""What may go wrong between a camera and a keyboard, in the form of terma.errors."""

from __future__ import annotations

from terma.errors import TermaError


class EyesError(TermaError):
    """The screen cannot be seen or read, or the keyboard does not take keys.

    `raw` is what somebody else said that could not be used, for the log alone."""

    code = "eyes"
    raw: str = ""


class UnmappableKey(EyesError):
    """A character or key that the keyboard's layout lacks; said before any key is sent."""

    code = "unmappable"


class Unknown(EyesError):
    """The screen stands where it should, and shows letters that were not learned: another font, mode or size."""

    code = "unknown letters"


class NoSignal(EyesError):
    """The source is well, and says itself that the machine sends it no picture: it is off, asleep or starts."""

    code = "no signal"


class Stalled(EyesError):
    """A source is there, and no picture came from it in time."""
