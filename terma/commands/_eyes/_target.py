"""Which machine is meant: that of [eyes], or one of [eyes.targets] by its name, each with a calibration of its own."""

from __future__ import annotations

import argparse
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from terma import paths
from terma.errors import UsageError

if TYPE_CHECKING:
    from terma.config.eyes import Eyes

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


def add_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--target", metavar="NAME", help="the machine of [eyes.targets.NAME] (default: that of [eyes])"
    )


def settings(target: str | None) -> Eyes:
    """The settings, with the target's own in place of those of [eyes]. Raises UsageError for one that is not there."""
    from terma.config.layers import load

    eyes = load(paths.config_dir() / "config.toml", os.environ).settings.eyes
    if target is None:
        return eyes
    if target not in eyes.targets or not _NAME.fullmatch(target):
        known = ", ".join(sorted(eyes.targets)) or "none"
        raise UsageError(
            f"there is no target {target!r} in the settings", f"[eyes.targets.NAME]; there are: {known}"
        )
    one = eyes.targets[target]
    return replace(
        eyes,
        camera=one.camera,
        keyboard=one.keyboard,
        screen=one.screen,
        reader=one.reader,
        prompt=one.prompt,
    )


def profile_path(target: str | None = None) -> Path:
    """Where `terma eyes calibrate` keeps what it learned of a machine."""
    return paths.state_dir() / (f"eyes-profile-{target}.npz" if target else "eyes-profile.npz")
