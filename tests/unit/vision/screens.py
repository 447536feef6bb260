"""Screens as a simulated camera sees them, for the tests of what reads them."""

from __future__ import annotations

import functools
import subprocess
from dataclasses import dataclass

import numpy as np

from terma.picture.painter import Painter
from terma.sessions.screen import Live
from terma.vision.screen import card, cells
from terma.vision.screen import grid as grids
from terma.vision.screen.rectify import Corners, by_flash
from terma.vision.target.camera import Camera
from terma.vision.target.look import parse
from terma.vision.types import Image

COLUMNS, ROWS = 80, 24
PROSE = r"""user@box:~/proj$ ls -la
total 84
drwxr-xr-x  9 user user  4096 Nov 21 08:15 .
-rw-r--r--  1 user user  18342 Nov 19 17:44 README.md
a1b2c3d (HEAD -> main, origin/main) fix: O0o Il1 |! 5S 8B 2Z glyphs
0c1d2e3 docs: explain `$HOME/.config/box/config.toml`
31415ab refactor!: rename Shell._run() => PtyShell.run()
for i in {1..3}; do printf '%02d\t%s\n' $i "${arr[$i]}"; done
{ "id": 42, "name": "Widget #7", "price": 9.99, "tags": ["a", "b"] }
sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
ssh -p 2222 admin@10.1.2.3 'uptime; who' && echo "done: $?" || exit 1
user@box:~/proj$ """
_COLOURS = [
    rf"[{style}mstyle {style}: The quick brown fox jumps over 0123456789 !\"#$%&'()*+,-./:;<=>?@[0m"
    for style in ("31", "32", "33", "34", "35", "36", "1", "1;31", "1;32", "1;34", "7", "7;32", "90", "97")
]
COLOURFUL = "\r\n".join([*_COLOURS, "user@box:~$ "])


class Monitor:
    """A screen of the emulator, painted."""

    def __init__(self, text: str, columns: int = COLUMNS, rows: int = ROWS) -> None:
        live = Live(columns, rows)
        live.feed(text.replace("\r\n", "\n").replace("\n", "\r\n").encode())
        self.image: Image = Painter(columns, rows, 20).paint(live.grid()).copy()
        shown = live.picture()
        self.rows = [row.rstrip() for row in shown["screen"].split("\n")]
        self.rows += [""] * (rows - len(self.rows))


@functools.cache
def monitor(text: str, columns: int = COLUMNS, rows: int = ROWS) -> Monitor:
    return Monitor(text, columns, rows)


def card_text(page: int = 0) -> str:
    """What the card's command prints, as awk prints it."""
    command = card.command(page).removeprefix("clear;").removesuffix(";read x")
    return subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True).stdout


@functools.cache
def card_monitor(columns: int = COLUMNS, rows: int = ROWS) -> Monitor:
    return Monitor(card_text(), columns, rows)


@dataclass(frozen=True, slots=True)
class Scene:
    """A camera before a screen that it was calibrated on."""

    camera: Camera
    corners: Corners
    grid: grids.Grid
    classifier: cells.Classifier

    def see(self, text: str) -> Image:
        return self.camera.look(monitor(text).image, 0.0)


def camera(look: str) -> Camera:
    height, width = monitor(PROSE).image.shape[:2]
    return Camera(parse(look), width, height, COLUMNS)


def flash(camera: Camera) -> Corners:
    screen = monitor(PROSE).image
    return by_flash(camera.look(screen, 0.0), camera.look(255 - screen, 0.1))


def truth(camera: Camera) -> Corners:
    return Corners(tuple((float(x), float(y)) for x, y in camera.corners))


@functools.cache
def scene(look: str) -> Scene:
    """Calibrated as `terma eyes calibrate` does it."""
    at = camera(look)
    corners = flash(at)
    seen = at.look(card_monitor().image, 0.2)
    grid = grids.find(seen, corners)
    learned = cells.train([grid.picture(seen)], [card.shown(grid.columns, grid.rows)])
    return Scene(at, corners, grid, learned)


def reads(rows: list[str], read: list[str] | tuple[str, ...]) -> float:
    """The part of the characters that were read, wherever they stand: by edit distance, blanks counted as one."""
    pairs = [(" ".join(a.split()), " ".join(b.split())) for a, b in zip(rows, read, strict=True)]
    return 1 - sum(_edits(a, b) for a, b in pairs) / sum(len(a) for a, _ in pairs)


def _edits(wanted: str, got: str) -> int:
    row = list(range(len(got) + 1))
    for number, a in enumerate(wanted, 1):
        before, row = row, [number]
        for at, b in enumerate(got):
            row.append(min(before[at + 1] + 1, row[-1] + 1, before[at] + (a != b)))
    return row[-1]


def right(rows: list[str], read: list[str] | tuple[str, ...]) -> float:
    """The part of the characters that were read right, each at its own place."""
    wanted = "".join(row.ljust(COLUMNS) for row in rows)
    got = "".join(row.ljust(COLUMNS) for row in read)
    told = [a == b for a, b in zip(wanted, got, strict=True) if a != " " or b != " "]
    return float(np.mean(told))
