"""The screen is found in the picture: by a flash to a hair, by hand as given, and not at all where it is not."""

from __future__ import annotations

import numpy as np
import pytest

from terma.vision.errors import EyesError
from terma.vision.screen import rectify
from tests.unit.vision import screens

SCENES = (
    "cell=11",
    "cell=9,yaw=30,pitch=15",
    "cell=10,yaw=-20,pitch=-8,roll=4",
    "cell=21,yaw=8,pitch=4",
    "cell=7,yaw=8,pitch=4",
    "cell=5,yaw=8",
    "cell=11,yaw=8,noise=15",
    "cell=11,yaw=8,glare=0.5",
    "cell=11,yaw=8,dark=0.7,noise=4",
)


@pytest.mark.parametrize("look", SCENES)
def test_a_flash_finds_the_screen(look: str) -> None:
    camera = screens.camera(look)
    assert rectify.overlap(screens.flash(camera), screens.truth(camera), *camera.size) >= 0.98


def test_where_nothing_flashes_there_is_no_screen() -> None:
    camera = screens.camera("noise=15")
    screen = screens.monitor(screens.PROSE).image
    with pytest.raises(EyesError, match="no screen reversed"):
        rectify.by_flash(camera.look(screen, 0.0), camera.look(screen, 0.1))


def test_a_typed_word_is_no_flash() -> None:
    camera = screens.camera("noise=6")
    one, other = (camera.look(screens.monitor(text).image, 0.0) for text in ("$ ", "$ make test"))
    with pytest.raises(EyesError):
        rectify.by_flash(one, other)


def test_a_screen_that_reaches_out_of_the_picture_is_an_error() -> None:
    camera = screens.camera("cell=11")
    screen = screens.monitor(screens.PROSE).image
    cut = [picture[:, 300:] for picture in (camera.look(screen, 0.0), camera.look(255 - screen, 0.1))]
    with pytest.raises(EyesError, match="a part of the screen"):
        rectify.by_flash(*cut)


def test_corners_set_by_hand_are_taken_in_any_order() -> None:
    given = [(900, 80), (100, 60), (120, 600), (880, 640)]
    found = rectify.by_hand(given, 1280, 720)
    assert found.points == ((100, 60), (900, 80), (880, 640), (120, 600))


@pytest.mark.parametrize(
    "points",
    [
        [(0, 0), (10, 0), (10, 10)],
        [(0, 0), (100, 0), (100, 2000), (0, 100)],
        [(-5, 0), (500, 0), (500, 500), (0, 500)],
        [(10, 10), (12, 10), (12, 12), (10, 12)],
        [(100, 100), (600, 100), (300, 200), (350, 600)],
        [(float("nan"), 0), (500, 0), (500, 500), (0, 500)],
    ],
)
def test_corners_that_make_no_screen_are_refused(points: list[tuple[float, float]]) -> None:
    with pytest.raises(EyesError):
        rectify.by_hand(points, 1280, 720)


def test_a_hint_is_near_the_screen_and_no_more() -> None:
    camera = screens.camera("cell=11,yaw=8")
    found = rectify.hint(camera.look(screens.monitor(screens.PROSE).image, 0.0))
    assert found is not None
    assert rectify.overlap(found, screens.truth(camera), *camera.size) > 0.4


def test_an_even_wall_gives_no_hint() -> None:
    assert rectify.hint(np.full((480, 640, 3), 90, np.uint8)) is None
