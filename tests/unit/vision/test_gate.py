"""One typed character is noticed each time, noise and lamps never."""

from __future__ import annotations

import pytest

from terma.vision.screen import gate
from tests.unit.vision import screens

LOOK = "cell=11,yaw=12,noise=10"
CHARACTERS = ".,'`-:;_|~ilI1aA0@{W"


def typed(text: str) -> str:
    return f"\x1b[?25l{screens.PROSE}{text}"


@pytest.mark.parametrize("character", CHARACTERS)
def test_one_typed_character_is_noticed_where_it_is(character: str) -> None:
    scene = screens.scene(LOOK)
    before, now = (scene.grid.picture(scene.see(typed(text))) for text in ("", character))
    cells = gate.changed(before, now)
    assert cells[11, 17] or cells[11, 16] or cells[11, 18]
    assert cells.sum() <= 4


def test_noise_is_not_noticed() -> None:
    scene = screens.scene(LOOK)
    before = scene.grid.picture(scene.see(typed("")))
    for _ in range(20):
        assert not gate.changed(before, scene.grid.picture(scene.see(typed("")))).any()


def test_a_screen_that_is_another_is_noticed_all_over() -> None:
    scene = screens.scene(LOOK)
    before, now = (scene.grid.picture(scene.see(text)) for text in (screens.card_text(), screens.COLOURFUL))
    assert gate.changed(before, now).mean() > 0.3


def test_a_little_more_light_is_no_change() -> None:
    scene = screens.scene(LOOK)
    before = scene.grid.picture(scene.see(typed("")))
    brighter = (before * 1.1).clip(0, 255).astype(before.dtype)
    assert not gate.changed(before, brighter).any()
