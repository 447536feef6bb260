"""From a terminal's colours to those of pixels: the sixteen of xterm, its cube and its greys."""

from __future__ import annotations

from dataclasses import dataclass

from terma.picture.cells import RGB, Colour, Style

_SIXTEEN: tuple[RGB, ...] = (
    *(
        (0, 0, 0),
        (205, 49, 49),
        (13, 188, 121),
        (229, 229, 16),
        (59, 120, 255),
        (188, 63, 188),
        (17, 168, 205),
    ),
    (229, 229, 229),
    *((118, 118, 118), (241, 76, 76), (35, 209, 139), (245, 245, 67), (110, 160, 255), (214, 112, 214)),
    *((41, 184, 219), (255, 255, 255)),
)
_STEPS = (0, 95, 135, 175, 215, 255)  # of xterm's 6 × 6 × 6 cube


def _palette() -> tuple[RGB, ...]:
    cube = tuple((red, green, blue) for red in _STEPS for green in _STEPS for blue in _STEPS)
    return (*_SIXTEEN, *cube, *((8 + 10 * n, 8 + 10 * n, 8 + 10 * n) for n in range(24)))


PALETTE = _palette()


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours that a cell without any gets."""

    foreground: RGB = (220, 220, 220)
    background: RGB = (20, 20, 20)

    def of(self, style: Style, *, swap: bool) -> tuple[RGB, RGB]:
        """What ink and ground of a cell are; `swap` when the cursor or reverse video turns them around."""
        ink = self._rgb(style.foreground, self.foreground)
        ground = self._rgb(style.background, self.background)
        if style.dim:
            ink = tuple((2 * one + other) // 3 for one, other in zip(ink, ground, strict=True))  # type: ignore[assignment]
        return (ground, ink) if style.reverse != swap else (ink, ground)

    def _rgb(self, colour: Colour, default: RGB) -> RGB:
        if colour is None:
            return default
        return PALETTE[colour & 255] if isinstance(colour, int) else colour
