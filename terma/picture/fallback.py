"""A font of this machine for what the own one has no glyph for: Chinese, Japanese, Korean, Arabic, Georgian, ..."""

from __future__ import annotations

import shutil
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from PIL import ImageFont

NOBODY_HAS = "\U0010ffff"  # no character: what a font draws for it, it draws for all that it lacks
_MOST_SEARCHES = 40  # that were in vain
_MOST_FILES = 600
_WAIT = 5.0  # seconds for fontconfig
_FOLDERS = (
    ("~/Library/Fonts", "/Library/Fonts", "/System/Library/Fonts")
    if sys.platform == "darwin"
    else ("~/.local/share/fonts", "/usr/local/share/fonts", "/usr/share/fonts")
)
_KINDS = (".ttf", ".otf", ".ttc")


class Fallback:
    """Fonts at one size in pixels, found when a character first needs one."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._faces: list[ImageFont.FreeTypeFont] = []
        self._in_vain: set[str] = set()

    def face(self, character: str) -> ImageFont.FreeTypeFont | None:
        """A font that has `character`; None where none here has it, or none was found for another of its writing. The
        first of a writing takes some 20 ms, the others nothing."""
        found = next((face for face in self._faces if _has(face, character)), None)
        writing = unicodedata.name(character[0], "").partition(" ")[0]  # CJK, HIRAGANA, GEORGIAN, ...
        if found is None and writing not in self._in_vain and len(self._in_vain) < _MOST_SEARCHES:
            opened = (_opened(path, number, self._size) for path, number in candidates(character))
            found = next((face for face in opened if face and _has(face, character)), None)
            if found:
                self._faces.append(found)
            else:
                self._in_vain.add(writing)
        return found


def candidates(character: str) -> Iterator[tuple[Path, int]]:
    """Font files that may have the character, and the number of the font in each: fontconfig's choice where it is
    there, else all."""
    if shutil.which("fc-match"):
        yield from _matched(character)
        return
    files = (path for folder in _FOLDERS for path in sorted(Path(folder).expanduser().rglob("*")))
    for _, path in zip(
        range(_MOST_FILES), (one for one in files if one.suffix.lower() in _KINDS), strict=False
    ):
        yield path, 0


def _matched(character: str) -> Iterator[tuple[Path, int]]:
    asked = f"monospace:charset={ord(character[0]):x}"
    try:
        told = subprocess.run(
            ["fc-match", "-f", "%{index}\t%{file}", asked],
            capture_output=True, text=True, timeout=_WAIT, check=True, stdin=subprocess.DEVNULL,
        ).stdout  # fmt: skip
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return
    number, _, file = told.partition("\t")
    if file and number.isdigit():
        yield Path(file), int(number) & 0xFFFF  # above: which instance of a variable font


def _opened(path: Path, number: int, size: int) -> ImageFont.FreeTypeFont | None:
    try:
        return ImageFont.truetype(str(path), size, index=number, layout_engine=ImageFont.Layout.BASIC)
    except OSError:
        return None  # a font of pictures alone, or a broken one


def _has(face: ImageFont.FreeTypeFont, character: str) -> bool:
    drawn = face.getmask(character[0])
    return drawn.getbbox() is not None and bytes(drawn) != bytes(face.getmask(NOBODY_HAS))
