"""Which keys make which characters: layouts are data, one file each, and a character may take two strokes.

A dead key stands as "◌" and a combining mark. It is followed by a letter, or by Space for the mark alone; the latter
only for those that Linux, Windows and the console agree on.
"""

from __future__ import annotations

import functools
import tomllib
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from terma import registry
from terma.errors import UsageError
from terma.vision.errors import UnmappableKey

FOLDER = Path(__file__).parent / "layouts"
SHIFT, ALTGR = 0x02, 0x40  # bits of a report's first byte: left Shift, right Alt
_LEVELS = (0, SHIFT, ALTGR, SHIFT | ALTGR)
_COST = {0: 0, SHIFT: 1, ALTGR: 2, SHIFT | ALTGR: 3}
_DEAD = "◌"
_ALONE = {"\u0300": "`", "\u0302": "^", "\u0303": "~"}  # what a dead key and Space give everywhere
_AFTER_DEAD = 1  # what a second stroke costs


@dataclass(frozen=True, slots=True)
class Stroke:
    """One key: `usage` of the HID keyboard page, with the bits of the modifiers that are held."""

    modifiers: int
    usage: int


@dataclass(frozen=True, slots=True)
class Layout:
    """`strokes` has the keys for each character that can be typed."""

    name: str
    title: str
    strokes: dict[str, tuple[Stroke, ...]]

    def keys_for(self, text: str) -> list[Stroke]:
        """The strokes for all of `text`. Raises UnmappableKey, naming the characters, where one has none."""
        missing = sorted({character for character in text if character not in self.strokes})
        if missing:
            named = " ".join(f"{one!r} ({unicodedata.name(one, f'U+{ord(one):04X}')})" for one in missing[:5])
            raise UnmappableKey(
                f"the {self.name} keyboard has no {named}",
                f"nothing was typed; other layouts: {', '.join(names())}",
            )
        return [stroke for character in text for stroke in self.strokes[character]]


def names() -> list[str]:
    """The layouts there are."""
    return [file.stem for file in registry.files(FOLDER, ".toml")]


@functools.cache
def load(name: str) -> Layout:
    """Raises UsageError when there is none of that name."""
    if name not in names():
        raise UsageError(f"there is no keyboard layout {name!r}", f"choose one of: {', '.join(names())}")
    data = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    plain: dict[str, Stroke] = {}
    for usage, characters in data["keys"].items():
        for modifiers, character in zip(_LEVELS, characters, strict=False):
            stroke = Stroke(modifiers, int(usage, 16))
            if character and _cost((stroke,)) < _cost((plain[character],) if character in plain else ()):
                plain[character] = stroke
    strokes: dict[str, tuple[Stroke, ...]] = {
        character: (stroke,) for character, stroke in plain.items() if character[0] != _DEAD
    }
    for dead, stroke in plain.items():
        if dead[0] == _DEAD:
            _compose(strokes, dead[1:], stroke)
    return Layout(name, data["title"], strokes)


def _compose(strokes: dict[str, tuple[Stroke, ...]], mark: str, dead: Stroke) -> None:
    """Add what the dead key of `mark` makes together with a second key."""
    plain = [character for character, keys in strokes.items() if len(keys) == 1 and character.isascii()]
    for base in plain:
        made = _ALONE.get(mark, "") if base == " " else unicodedata.normalize("NFC", base + mark)
        keys = (dead, *strokes[base])
        if len(made) == 1 and (base == " " or base.isalpha()) and _cost(keys) < _cost(strokes.get(made, ())):
            strokes[made] = keys


def _cost(strokes: tuple[Stroke, ...]) -> int:
    """How far from one plain key; no strokes at all are the farthest."""
    if not strokes:
        return 1000
    return sum(_COST[stroke.modifiers] for stroke in strokes) + _AFTER_DEAD * (len(strokes) - 1)
