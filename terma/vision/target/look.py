"""How a simulated camera stands before its screen, and how that is said: "yaw=20,noise=15,glare"."""

from __future__ import annotations

from dataclasses import dataclass, fields

from terma.errors import UsageError


@dataclass(frozen=True, slots=True)
class Look:
    """How the camera stands. Angles in degrees; `cell` is the width of a character in pixels, at the screen's middle;
    `noise` is a standard deviation of 0..255; `glare` is 0..1; `dark` is the light that is missing, 0..1; `blur` is in
    pixels of the frame; `drift` is how far it wanders, in pixels; `bezel` is a part of the screen's width; `lag` is in
    milliseconds."""

    yaw: float = 0.0
    pitch: float = 0.0
    roll: float = 0.0
    cell: float = 11.0
    noise: float = 3.0
    glare: float = 0.0
    dark: float = 0.0
    blur: float = 0.6
    drift: float = 0.0
    bezel: float = 0.03
    lag: float = 0.0
    seed: float = 0.0


_BARE = {"glare": 0.5, "dark": 0.6, "blur": 1.5, "drift": 2.0, "lag": 100.0, "noise": 15.0}
_RANGES = {
    **{
        "yaw": (-45, 45),
        "pitch": (-45, 45),
        "roll": (-45, 45),
        "cell": (3, 40),
        "noise": (0, 60),
        "glare": (0, 2),
    },
    **{"dark": (0, 0.95), "blur": (0, 6), "drift": (0, 20), "bezel": (0, 0.2), "lag": (0, 2000)},
    "seed": (0, 2**31),
}


def parse(text: str) -> Look:
    """ "yaw=20,noise=15,glare" as a Look. Raises UsageError, naming what there is."""
    given: dict[str, float] = {}
    known = [field.name for field in fields(Look)]
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        name, equals, value = part.partition("=")
        if name not in known or (not equals and name not in _BARE):
            what = "needs a value" if name in known else "is nothing that a camera has"
            raise UsageError(
                f"camera: {part[:40]!r} {what}", f"there are {', '.join(known)}: yaw=20,noise=15"
            )
        try:
            number = float(value) if equals else _BARE[name]
        except ValueError:
            raise UsageError(f"camera: {part[:40]!r} is no number", "yaw=20,noise=15,glare") from None
        low, high = _RANGES[name]
        if not low <= number <= high:
            raise UsageError(f"camera: {name} is from {low:g} to {high:g}", "yaw=20,noise=15,glare")
        given[name] = number
    return Look(**given)
