"""The classifier reads what its card taught it, in colour, bold and reverse, and says so where it cannot."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from terma.vision.errors import EyesError
from terma.vision.screen import anchor, card, cells, profile, rectify
from terma.vision.screen import grid as grids
from terma.vision.screen.reading import CellReader
from tests.unit.vision import screens


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (132, 43), (40, 15), (97, 31)])
def test_the_card_that_the_shell_prints_is_the_one_that_is_learned(columns: int, rows: int) -> None:
    shown = screens.card_monitor(columns, rows).rows
    expected = card.shown(columns, rows)
    for row, line in zip(expected, shown, strict=True):
        known = "".join(cell.character if cell is not None else " " for cell in row)
        assert [a for a, b in zip(known, line.ljust(columns), strict=True) if a != " "] == [
            b for a, b in zip(known, line.ljust(columns), strict=True) if a != " "
        ]


def test_the_cards_command_is_one_line_that_can_be_typed() -> None:
    assert len(card.command()) < 500
    assert card.command().isascii() and card.command().isprintable()


@pytest.mark.parametrize(
    "look", ["cell=11,yaw=12,pitch=5", "cell=7,yaw=8,pitch=4", "cell=11,noise=15", "cell=11,glare=0.5"]
)
def test_a_screen_is_read_at_seven_pixels_and_more(look: str) -> None:
    scene = screens.scene(look)
    assert (scene.grid.columns, scene.grid.rows) == (80, 24)
    reader = CellReader(scene.classifier)
    for text in (screens.PROSE, screens.COLOURFUL):
        state = asyncio.run(reader.read(scene.grid.picture(scene.see(text))))
        assert screens.right(screens.monitor(text).rows, state.rows) >= 0.99, "\n".join(state.rows)


def test_the_cursor_and_the_prompt_are_seen() -> None:
    scene = screens.scene("cell=11,yaw=12,pitch=5")
    state = asyncio.run(CellReader(scene.classifier).read(scene.grid.picture(scene.see("ls\nuser@box:~$ "))))
    assert state.cursor is not None
    assert (state.cursor.row, state.cursor.column) == (1, 12)
    assert state.prompt and not state.password
    assert min(state.confidence) > 0.5


def test_a_cursor_on_a_letter_hides_it_from_nobody() -> None:
    scene = screens.scene("cell=11,yaw=12,pitch=5")
    state = asyncio.run(CellReader(scene.classifier).read(scene.grid.picture(scene.see("echo hello\x1b[5D"))))
    assert state.rows[0] == "echo hello"
    assert not state.prompt


def test_a_question_for_a_password_is_seen() -> None:
    scene = screens.scene("cell=11,yaw=12,pitch=5")
    state = asyncio.run(
        CellReader(scene.classifier).read(scene.grid.picture(scene.see("[sudo] password for me: ")))
    )
    assert state.password and not state.prompt


def test_a_letter_that_was_not_on_the_card_is_unreadable_and_never_another() -> None:
    scene = screens.scene("cell=11,yaw=12,pitch=5")
    state = asyncio.run(CellReader(scene.classifier).read(scene.grid.picture(scene.see("$ echo ▞▞▞"))))
    assert state.rows[0].startswith("$ echo ")
    assert cells.UNREADABLE in state.rows[0]
    assert state.confidence[0] == 0


def test_an_empty_screen_is_empty() -> None:
    scene = screens.scene("cell=11,yaw=12,pitch=5")
    reading = scene.classifier.read(scene.grid.picture(scene.see("\x1b[?25l")))
    assert set(reading.characters) == {" "}
    assert reading.fit is None


def test_a_card_that_is_not_there_is_an_error() -> None:
    camera = screens.camera("cell=11")
    with pytest.raises(EyesError, match="card is not on the screen"):
        grids.find(camera.look(screens.monitor(screens.PROSE).image, 0.0), screens.truth(camera))


@pytest.mark.parametrize(("columns", "rows"), [(100, 30), (64, 20)])
def test_columns_and_rows_are_found(columns: int, rows: int) -> None:
    monitor = screens.card_monitor(columns, rows)
    height, width = monitor.image.shape[:2]
    from terma.vision.target.camera import Camera
    from terma.vision.target.look import parse

    camera = Camera(parse("cell=9,yaw=10,pitch=5"), width, height, columns)
    found = grids.find(camera.look(monitor.image, 0.0), screens.truth(camera))
    assert (found.columns, found.rows) == (columns, rows)


def test_what_was_learned_is_kept_for_its_owner_alone(tmp_path) -> None:
    scene = screens.scene("cell=11,yaw=12,pitch=5")
    path = tmp_path / "eyes" / "one.npz"
    held = anchor.learn(anchor.grey(scene.see("$ ")).astype(np.float32), scene.grid)
    profile.save(profile.Profile(scene.grid, scene.classifier, 1280, 720, 0.99, held), path)
    assert path.stat().st_mode & 0o777 == 0o600
    kept = profile.load(path)
    assert (kept.width, kept.height, kept.accuracy) == (1280, 720, 0.99)
    assert kept.grid == scene.grid and kept.anchor is not None
    assert (kept.anchor.profiles == held.profiles).all() and kept.anchor.half == held.half
    picture = scene.grid.picture(scene.see(screens.PROSE))
    assert (kept.classifier.read(picture).characters == scene.classifier.read(picture).characters).all()


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 half a file", b"\x80\x04pickle"])
def test_a_broken_calibration_is_one_line(tmp_path, content: bytes) -> None:
    path = tmp_path / "one.npz"
    path.write_bytes(content)
    with pytest.raises(EyesError, match="cannot be read"):
        profile.load(path)


def test_without_calibration_it_says_what_to_do(tmp_path) -> None:
    with pytest.raises(EyesError, match="not calibrated") as error:
        profile.load(tmp_path / "none.npz")
    assert "terma eyes calibrate" in error.value.hint


def test_another_screens_picture_is_refused() -> None:
    scene = screens.scene("cell=11,yaw=12,pitch=5")
    with pytest.raises(EyesError, match="does not hold"):
        scene.classifier.read(np.zeros((100, 100, 3), np.uint8))


def test_straightening_by_hand_set_corners_reads_as_well() -> None:
    scene = screens.scene("cell=11,yaw=12,pitch=5")
    corners = rectify.by_hand(screens.truth(scene.camera).points, *scene.camera.size)
    seen = scene.camera.look(screens.card_monitor().image, 0.3)
    grid = grids.find(seen, corners)
    learned = cells.train([grid.picture(seen)], [card.shown(grid.columns, grid.rows)])
    read = learned.read(grid.picture(scene.see(screens.PROSE))).characters.reshape(24, 80)
    assert screens.right(screens.monitor(screens.PROSE).rows, ["".join(row) for row in read]) >= 0.99
