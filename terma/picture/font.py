"""The letters: JetBrains Mono (SIL Open Font License 1.1), as its package brings it, or a font file of your own."""

from __future__ import annotations

import functools
import unicodedata
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from terma.errors import UsageError
from terma.picture.fallback import NOBODY_HAS, Fallback

Mask = NDArray[np.uint8]  # rows, columns: how much ink, 0..255
_BOLD, _REGULAR = 700, 400
_SLANT = 0.2  # of italics: columns a row, for a font without any


class Font:
    """One font at one size in pixels. `width` and `height` are of a cell, `size` of the letters. `lacking`: what was
    drawn as a box, since no font here has it."""

    def __init__(self, size: int = 20, file: Path | None = None) -> None:
        """Raises UsageError where the font is not there or is none."""
        self._faces = {
            (bold, italic): _face(file, size, bold=bold, italic=italic)
            for bold in (False, True)
            for italic in (False, True)
        }
        plain = self._faces[False, False]
        ascent, descent = plain.getmetrics()
        self.size = size
        self.width, self.height = max(round(plain.getlength("M")), 1), max(ascent + descent, 1)
        self._slanted = file is not None
        self._ascent = ascent
        self._fallback = Fallback(size)
        self.lacking: set[str] = set()
        self._missing = self._drawn(NOBODY_HAS, False, False, self.width)

    def mask(self, text: str, *, bold: bool, italic: bool, underline: bool, cells: int = 1) -> Mask:
        """The ink of one character in `cells` cells: of this machine's fonts where this one has no such glyph, a box
        where none has."""
        width = self.width * cells
        if text.isspace() or not text:
            mask = np.zeros((self.height, width), np.uint8)
        else:
            mask = self._drawn(unicodedata.normalize("NFC", text), bold, italic, width)
            if np.array_equal(mask[:, : self.width], self._missing):
                mask = self._borrowed(text, width)
        if underline:
            mask[-max(self.height // 9, 2), :] = 255
        return mask

    def _drawn(self, text: str, bold: bool, italic: bool, width: int) -> Mask:
        picture = Image.new("L", (width, self.height))
        ImageDraw.Draw(picture).text((0, 0), text, font=self._faces[bold, italic], fill=255)
        if italic and self._slanted:
            lean = _SLANT * self.height / 2
            picture = picture.transform(picture.size, Image.Transform.AFFINE, (1, _SLANT, -lean, 0, 1, 0))
        return np.array(picture)

    def _borrowed(self, text: str, width: int) -> Mask:
        face = self._fallback.face(text)
        if face is None:
            self.lacking.add(text)
            return self._box(width)
        wide = face.getlength(text)
        if wide > width:
            face = face.font_variant(size=max(int(self.size * width / wide), 1))
        picture = Image.new("L", (width, self.height))
        left = max(width - face.getlength(text), 0) / 2
        ImageDraw.Draw(picture).text((left, self._ascent), text, font=face, fill=255, anchor="ls")
        return np.array(picture)

    def _box(self, width: int) -> Mask:
        mask = np.zeros((self.height, width), np.uint8)
        top, bottom = self.height // 6, self.height - self.height // 6
        mask[top:bottom, 1 : width - 1] = 255
        mask[top + 1 : bottom - 1, 2 : width - 2] = 0
        return mask


@functools.cache
def _packaged(italic: bool) -> Path:
    """Raises UsageError where the font's package is not installed."""
    try:
        import fontpkg_jetbrains_mono as package  # type: ignore[import-not-found,import-untyped,unused-ignore]
    except ImportError:
        raise UsageError(
            "there is no font to draw a screen with", "pip install 'xontrib-terma[target]'"
        ) from None
    name = "JetBrainsMono-Italic[wght].ttf" if italic else "JetBrainsMono[wght].ttf"
    return Path(str(package.ROOT)) / "files" / name


def _face(file: Path | None, size: int, *, bold: bool, italic: bool) -> ImageFont.FreeTypeFont:
    path = file or _packaged(italic)
    try:
        face = ImageFont.truetype(str(path), size, layout_engine=ImageFont.Layout.BASIC)
    except OSError as error:
        raise UsageError(f"{path}: no font that can be read ({error})", "name a .ttf or .otf file") from None
    if file is None:
        face.set_variation_by_axes([_BOLD if bold else _REGULAR])
    return face
