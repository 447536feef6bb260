"""The camera that is simulated: what it does to a picture, and how it is asked for."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from terma.errors import UsageError
from terma.picture.cells import grid_of
from terma.picture.painter import Painter
from terma.vision.target.camera import Camera
from terma.vision.target.look import parse

TEXT = "\n".join("user@box:~$ echo The quick brown fox jumps over the lazy dog 0123456789" for _ in range(23))
STILL = "noise=0,blur=0"


@pytest.fixture(scope="module")
def picture():
    return Painter().paint(grid_of(TEXT, 80, 24)).copy()


def camera(picture, text: str) -> Camera:
    return Camera(parse(text), picture.shape[1], picture.shape[0])


def flattened(frame, corners, shape):
    """What the camera saw, seen from the front again."""
    height, width = shape[:2]
    flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    return cv2.warpPerspective(frame, cv2.getPerspectiveTransform(corners, flat), (width, height))


@pytest.mark.parametrize(
    "text", ["", "yaw=20", "yaw=-25,pitch=12", "roll=8", "yaw=30,pitch=10", "cell=21", "cell=7"]
)
def test_the_screen_is_where_its_corners_say(picture, text):
    made = camera(picture, f"{text},{STILL}")
    seen = flattened(made.look(picture, 0.0), made.corners, picture.shape).astype(float)
    likeness = np.corrcoef(seen[..., 1].ravel(), picture[..., 1].astype(float).ravel())[0, 1]
    assert likeness > 0.75
    apart = np.corrcoef(np.roll(seen[..., 1], 9, 1).ravel(), picture[..., 1].astype(float).ravel())[0, 1]
    assert likeness > apart + 0.3


def test_noise_changes_from_frame_to_frame_and_nothing_else_does(picture):
    quiet, noisy = camera(picture, STILL), camera(picture, "noise=15,blur=0")
    assert np.array_equal(quiet.look(picture, 0.0), quiet.look(picture, 1.0))
    assert 8 < np.std(noisy.look(picture, 0.0).astype(int) - noisy.look(picture, 1.0)) < 25


def test_dark_takes_light_and_glare_adds_it(picture):
    plain, dark, glare = (
        camera(picture, f"{STILL},{look}").look(picture, 0.0).mean() for look in ("", "dark", "glare")
    )
    assert dark < plain * 0.8 and glare > plain


def test_a_push_moves_the_corners_and_what_is_seen(picture):
    made = camera(picture, STILL)
    before, corners = made.look(picture, 0.0), made.corners
    made.move(3, 1)
    assert np.allclose(made.corners - corners, [3, 1])
    after = made.look(picture, 0.1)
    assert (before != after).any()
    inside = (slice(200, 400), slice(400, 800))
    shifted = np.roll(after, (-1, -3), (0, 1))
    assert (
        np.abs(shifted[inside].astype(int) - before[inside]).mean()
        < np.abs(after[inside].astype(int) - before[inside]).mean() / 4
    )


def test_drift_wanders_within_its_bounds(picture):
    made = camera(picture, f"drift=4,{STILL}")
    frames = [made.look(picture, at) for at in (0.0, 5.0)]
    assert (frames[0] != frames[1]).any()
    assert all(max(map(abs, made._wandered(at))) <= 4 for at in range(40))


def test_lag_shows_the_past(picture):
    made = camera(picture, f"lag=100,{STILL}")
    other = 255 - picture
    first = made.look(picture, 0.0)
    assert np.array_equal(made.look(other, 0.05), first)
    assert (made.look(other, 0.16) != first).any()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("zoom=3", "'zoom=3' is nothing"),
        ("yaw", "'yaw' needs a value"),
        ("yaw=left", "is no number"),
        ("noise=900", "noise is from 0 to 60"),
        ("noise=nan", "noise is from 0 to 60"),
    ],
)
def test_a_camera_that_cannot_be_is_said_so(text, said):
    with pytest.raises(UsageError, match=said):
        parse(text)


def test_what_stands_alone_has_a_usual_strength():
    assert parse("glare, dark").glare == 0.5 and parse("") == parse(" , ")


def test_a_screen_that_no_frame_can_hold_is_an_error(picture):
    with pytest.raises(UsageError, match="does not fit"):
        camera(picture, "cell=40")
