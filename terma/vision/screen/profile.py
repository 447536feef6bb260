"""What calibration learned of one target, kept as a file: its grid, and the letters as this camera sees them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from terma.vision.errors import EyesError
from terma.vision.screen.anchor import Anchor
from terma.vision.screen.cells import Classifier
from terma.vision.screen.grid import Grid

VERSION = 2
_ARRAYS = ("centre", "axes", "means", "letters")
_AROUND = ("points", "normals", "profiles", "sides", "middle")  # of the anchor


@dataclass(frozen=True, slots=True)
class Profile:
    """`width` and `height` are those of the frames, in pixels. `accuracy` is the part of the card's cells that were
    read right from a frame that was not learned from. `anchor` is what stands around the screen, None where nothing
    can move. `black` is the light of the lit, empty screen in grey levels, None where it was not learned."""

    grid: Grid
    classifier: Classifier
    width: int
    height: int
    accuracy: float
    anchor: Anchor | None = None
    black: float | None = None


def save(profile: Profile, path: Path) -> None:
    """Write it for its owner alone, whole or not at all."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{os.getpid()}.new")
    learned, grid, anchor = profile.classifier, profile.grid, profile.anchor
    around = {name: getattr(anchor, name) for name in _AROUND if anchor is not None}
    size = [anchor.cell, anchor.half] if anchor is not None else []
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            np.savez_compressed(
                file,
                version=np.array(VERSION),
                matrix=np.array(grid.matrix),
                sizes=np.array([grid.columns, grid.rows, profile.width, profile.height]),
                numbers=np.array([learned.faint, learned.usual, profile.accuracy]),
                around=np.array(size),
                black=np.array([] if profile.black is None else [profile.black]),
                **{name: getattr(learned, name) for name in _ARRAYS},
                **around,
            )
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


def load(path: Path) -> Profile:
    """Raises EyesError where there is none, or it cannot be read."""
    again = "calibrate: terma eyes calibrate"
    try:
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            if int(file["version"]) != VERSION:
                raise EyesError("the calibration was made by another version of terma", again)
            columns, rows, width, height = (int(number) for number in file["sizes"])
            faint, usual, accuracy = (float(number) for number in file["numbers"])
            matrix = tuple(float(number) for number in file["matrix"])
            arrays = {name: file[name] for name in _ARRAYS}
            size = [float(number) for number in file["around"]]
            around = {name: file[name] for name in _AROUND if size}
            light = [float(number) for number in file["black"]] if "black" in file else []
    except FileNotFoundError:
        raise EyesError("this target was not calibrated yet", again) from None
    except (OSError, ValueError, KeyError, EOFError, BadZipFile) as error:
        raise EyesError(f"the calibration {path.name} cannot be read: {error}", again) from None
    learned = Classifier(columns=columns, rows=rows, faint=faint, usual=usual, **arrays)
    anchor = Anchor(cell=size[0], half=size[1], **around) if size else None
    black = light[0] if light else None
    return Profile(Grid(columns, rows, matrix), learned, width, height, accuracy, anchor, black)
