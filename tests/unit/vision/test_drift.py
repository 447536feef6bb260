"""A screen that moved by some pixels is found again; one that is gone is an error, and no text is made of it."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import cv2
import numpy as np
import pytest

from terma.vision.errors import EyesError
from terma.vision.eye import ScreenEye
from terma.vision.screen import anchor, drift
from terma.vision.screen.profile import Profile
from terma.vision.types import Frame
from tests.unit.vision import screens

LOOK = "cell=10,yaw=8,pitch=4"


@pytest.fixture
def scene() -> screens.Scene:
    """With a camera of its own, which may be pushed."""
    made = screens.scene(LOOK)
    return replace(made, camera=screens.camera(LOOK))


def read(scene: screens.Scene, place: drift.Place, text: str) -> float:
    characters = scene.classifier.read(place.grid.picture(scene.see(text))).characters
    rows = ["".join(row) for row in characters.reshape(24, 80)]
    return screens.right(screens.monitor(text).rows, rows)


@pytest.mark.parametrize("moved", [(0, 0), (1, -1), (-2, 1), (3, 0), (0, 3), (-3, -3)])
def test_up_to_three_pixels_are_made_good(scene: screens.Scene, moved: tuple[float, float]) -> None:
    scene.camera.move(*moved)
    for text in (screens.PROSE, screens.COLOURFUL):
        place = drift.register(scene.see(text), scene.grid, scene.classifier)
        assert place.fit is not None and place.fit < drift.LOOSE
        assert read(scene, place, "\x1b[?25l" + text) >= 0.99


def test_a_screen_that_moved_by_half_a_cell_is_an_error(scene: screens.Scene) -> None:
    scene.camera.move(5, 11)
    with pytest.raises(EyesError, match="moved"):
        drift.register(scene.see(screens.PROSE), scene.grid, scene.classifier)


def test_an_empty_screen_says_nothing_of_drift(scene: screens.Scene) -> None:
    place = drift.register(scene.see("\x1b[?25l"), scene.grid, scene.classifier)
    assert place == drift.Place(scene.grid, None)


class Source:
    """Gives what the camera sees of `text` now."""

    name = "test"

    def __init__(self, scene: screens.Scene) -> None:
        self.scene, self.text, self.number, self.at = scene, screens.PROSE, 0, 0.0

    async def __aenter__(self) -> Source:
        return self

    async def __aexit__(self, *error: object) -> None: ...

    async def latest(self, after: int = 0) -> Frame:
        self.number, self.at = max(self.number, after) + 1, self.at + 0.1
        return Frame(self.scene.see(self.text), self.at, self.number, self.name)


def around(scene: screens.Scene) -> anchor.Anchor:
    """As calibration learns it: from a screen that the card is off."""
    looks = [anchor.grey(scene.see("user@box:~$ ")) for _ in range(4)]
    return anchor.learn(np.mean(looks, axis=0, dtype=np.float32), scene.grid)


def eye_of(scene: screens.Scene, held: anchor.Anchor | None = None) -> tuple[ScreenEye, Source]:
    source = Source(scene)
    width, height = scene.camera.size
    return ScreenEye(source, Profile(scene.grid, scene.classifier, width, height, 1.0, held)), source


CELL = 10  # pixels; a row is 22
MOVES = {
    "a cell aside": (CELL, 0),
    "a row down": (0, 22.3),
    "three cells and a row": (-3 * CELL, -22.3),
    "nearer": (0, 0, 0, 1.04),
    "farther": (0, 0, 0, 0.95),
    "turned": (0, 0, 5),
    "turned a little": (0, 0, -0.3),
    "all at once": (14, -9, -3, 1.03),
}


@pytest.mark.parametrize("moved", MOVES.values(), ids=MOVES.keys())
def test_a_camera_that_was_pushed_is_made_good_or_said(
    scene: screens.Scene, moved: tuple[float, ...]
) -> None:
    """By whole cells too, which letters alone do not tell; with much text and with next to none."""
    eye, source = eye_of(scene, around(scene))

    async def look() -> None:
        await eye.look()
        scene.camera.move(*moved)
        for text in (screens.PROSE, "\x1b[?25l$ ls"):
            source.text = text
            seen = await eye.look()
            assert screens.right(screens.monitor(text).rows, seen.state.rows) >= 0.99

    asyncio.run(look())


def test_a_screen_that_left_the_picture_is_an_error(scene: screens.Scene) -> None:
    eye, _ = eye_of(scene, around(scene))

    async def look() -> None:
        await eye.look()
        scene.camera.move(500, 40)
        with pytest.raises(EyesError, match="moved"):
            await eye.look()

    asyncio.run(look())


def test_somebody_before_the_camera_is_waited_for_and_then_said(scene: screens.Scene) -> None:
    held = around(scene)
    picture = scene.see(screens.PROSE)
    picture[:, :640] = 60
    with pytest.raises(EyesError, match="between"):
        anchor.find(picture, held, anchor.HERE)


def test_a_hand_at_the_edge_does_not_matter(scene: screens.Scene) -> None:
    held = around(scene)
    picture = scene.see(screens.PROSE)
    cv2.circle(picture, (1060, 300), 90, (90, 120, 200), -1)
    assert np.abs(anchor.find(picture, held, anchor.HERE) - anchor.HERE)[:2, 2].max() < 2


def test_where_nothing_stands_around_the_screen_it_is_said(scene: screens.Scene) -> None:
    with pytest.raises(EyesError, match="nothing around") as error:
        anchor.learn(np.full((720, 1280), 40, np.float32), scene.grid)
    assert "--fixed" in error.value.hint


def test_a_picture_of_the_screen_alone_comes_from_a_cable(scene: screens.Scene) -> None:
    width, height = scene.camera.size
    assert anchor.surrounded(scene.grid, width, height)
    cable = type(scene.grid)(80, 24, (12.0, 0, 8, 0, 27, 8, 0, 0, 1))
    assert not anchor.surrounded(cable, 976, 664)


def test_the_eye_reads_on_while_the_camera_is_nudged(scene: screens.Scene) -> None:
    eye, source = eye_of(scene)

    async def look() -> None:
        for moved in ((0, 0), (2, 1), (1, -2), (-3, 1)):
            scene.camera.move(*moved)
            seen = await eye.look()
            assert screens.right(screens.monitor(source.text).rows, seen.state.rows) >= 0.99

    asyncio.run(look())


def test_the_eye_gives_no_state_of_a_screen_that_moved_too_far(scene: screens.Scene) -> None:
    eye, _ = eye_of(scene)

    async def look() -> None:
        await eye.look()
        scene.camera.move(5, 11)
        with pytest.raises(EyesError, match="moved"):
            await eye.look()

    asyncio.run(look())


def test_the_eye_settles_and_sees_what_was_typed(scene: screens.Scene) -> None:
    eye, source = eye_of(scene)

    async def look() -> None:
        first = await eye.settle(5.0)
        assert first.state.rows == tuple(screens.monitor(screens.PROSE).rows)
        source.text = screens.PROSE + "make"
        assert (await eye.settle(5.0)).state.rows[11].endswith("$ make")

    asyncio.run(look())


def test_pictures_of_another_size_are_refused(scene: screens.Scene) -> None:
    eye = ScreenEye(Source(scene), Profile(scene.grid, scene.classifier, 640, 480, 1.0))
    with pytest.raises(EyesError, match="another mode"):
        asyncio.run(eye.look())


def test_in_noise_and_glare_one_look_reads_right() -> None:
    look = "cell=11,noise=15,glare=0.4"
    scene = replace(screens.scene(look), camera=screens.camera(look))
    eye, source = eye_of(scene, around(scene))

    async def read() -> None:
        for text in (screens.PROSE, screens.COLOURFUL):
            source.text = text
            seen = await eye.look()
            assert screens.right(screens.monitor(text).rows, seen.state.rows) >= 0.99

    asyncio.run(read())
