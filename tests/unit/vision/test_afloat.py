"""A display's own words are told by what they look like, whatever they say; the machine's screens are not."""

from __future__ import annotations

import asyncio

import cv2
import numpy as np
import pytest

from terma.chat import ModelSpec
from terma.config import eyes
from terma.vision.log import RunLog
from terma.vision.loop import Loop
from terma.vision.modelled import Modelled
from terma.vision.parts import NOTICE
from terma.vision.plain_eye import PlainEye
from terma.vision.policy import Policy
from terma.vision.screen import condition, ocr
from terma.vision.strategy import Script, Turn
from terma.vision.types import Cursor, GiveUp, Line, TerminalState
from tests.unit.vision import startup
from tests.unit.vision.test_any_screen import Cable
from tests.unit.vision.watched import Someone

SIZE = (720, 1280)


def drawn(lines, at=(0.5, 0.5), ground=(0, 0, 0), plate=None, ink=(255, 255, 255), size=1.3, picture=None):
    """Words in letters of several widths, the middle of their first line at a part of the picture."""
    image = np.full((*SIZE, 3), ground, np.uint8) if picture is None else picture.copy()
    wide = [cv2.getTextSize(line, cv2.FONT_HERSHEY_DUPLEX, size, 2)[0] for line in lines]
    x, y = round(at[0] * SIZE[1]), round(at[1] * SIZE[0])
    if plate is not None:
        half = max(one[0] for one in wide) // 2 + 40
        top, bottom = y - 60, y + round(len(lines) * 60 * size)
        cv2.rectangle(image, (x - half, top), (x + half, bottom), plate, -1)
    for number, (line, (width, _)) in enumerate(zip(lines, wide, strict=True)):
        place = (x - width // 2, y + round(number * 55 * size))
        cv2.putText(image, line, place, cv2.FONT_HERSHEY_DUPLEX, size, ink, 2, cv2.LINE_AA)
    noise = np.random.default_rng(3).normal(0, 2, image.shape)
    return np.asarray((image + noise).clip(0, 255), np.uint8)


OWN = {
    "words": drawn(["Ingen kilde tilsluttet"]),
    "plate": drawn(["Aucune source", "Mise en veille dans 10 s"], plate=(160, 60, 0)),
    "light plate": drawn(["Quelle wird gesucht ..."], plate=(235, 235, 235), ink=(20, 20, 20)),
    "corner": drawn(["INPUT 2"], at=(0.85, 0.12), ink=(0, 255, 0)),
    "blue": drawn(["Nincs jelforras"], ground=(150, 40, 10)),
    "foot": drawn(["Energiesparmodus"], at=(0.5, 0.9), ink=(60, 200, 250)),
    "logo": drawn(["Vista"], size=4.0),
}


@pytest.mark.parametrize("name", OWN)
def test_words_afloat_are_a_displays_own_in_any_language(name):
    assert condition.of_picture(OWN[name]) is None
    assert condition.afloat(OWN[name]) == "free"


@pytest.mark.parametrize(
    "text",
    [
        startup.BIOS,
        startup.LOGIN,
        "box login: ",
        "$ ",
        "\x1b[12;30HBooting in 3 seconds ...\x1b[?25l",
        "\x1b[44m\x1b[2J"
        + "".join(
            f"\x1b[{9 + row};20H\x1b[30;47m{line:^40}"
            for row, line in enumerate(["", "Erase the disk?", "", "<Yes>    <No>", ""])
        )
        + "\x1b[?25l",
    ],
)
def test_what_a_machine_draws_in_cells_is_its_screen(text):
    assert condition.afloat(startup.screen(text, 80, 25, 1280, 720)) != "free"


def test_a_test_card_with_words_on_its_bars_and_a_picture_without_text_are_no_cleared_screens():
    assert (
        condition.of_picture(drawn(["KEINE QUELLE"], plate=(0, 0, 0), picture=startup.bars(1280, 720)))
        == "no signal"
    )
    ramp = np.repeat(np.linspace(0, 255, SIZE[1]).astype(np.uint8)[None, :, None], SIZE[0], 0).repeat(3, 2)
    assert condition.afloat(ramp) == "picture"
    empty = TerminalState(rows=("",), confidence=(1.0,))
    assert condition.of_text(empty, "picture") == "notice" and condition.of_text(empty, "") == "cleared"


def test_where_it_floats_one_word_says_what_it_is_and_where_a_machine_writes_all_must():
    def said(floats, *rows: str) -> str:
        return condition.of_text(TerminalState(rows=rows, confidence=(1.0,) * len(rows)), floats)

    assert (
        said("free", "Kein Eingangssignal") == said("free", "", "Thereisnosignal fromyour pc") == "no signal"
    )
    assert said("free", "Nincs jel") == "notice"
    assert said("cells", "Video lost on channel 2") == "no signal"
    assert said("cells", "Booting in 3 seconds") == "text"
    assert said("", "no signal on input 2", "video cable lost", "(END)") == "text"  # begins as a screen does
    assert said(None, "DP: input signal out of range", "75 Hz") == "no signal"


def test_words_in_no_cells_are_read_as_lines(place):
    pytest.importorskip("rapidocr_onnxruntime")

    image = drawn(["Kilde mangler", "Check the video cable"], plate=(90, 30, 0))
    image = np.asarray(cv2.resize(image, (640, 360), interpolation=cv2.INTER_AREA), np.uint8)
    seen = asyncio.run(PlainEye(Cable(image), ocr.OcrReader(80, 25).sized).look())
    assert seen.condition == "no signal" and seen.dark
    assert [row.strip() for row in seen.state.rows if row.strip()] == [
        "Kilde mangler",
        "Check the video cable",
    ]
    assert seen.picture is not None and seen.picture.shape == image.shape


class Noticed:
    """A reader of one text, wherever it stands."""

    name = "noticed"

    def __init__(self, columns: int, rows: int) -> None:
        self.size = columns, rows

    async def read(self, image) -> TerminalState:
        return TerminalState(
            rows=("Mise en route",), columns=80, confidence=(1.0,), cursor=Cursor(row=0, column=13)
        )


def test_nothing_is_typed_unasked_where_words_float_and_a_model_is_told(place):
    class Typed(Cable):
        def check(self, action) -> None:
            pass

        def release_all(self) -> None:
            pass

    person, log = Someone(says=False), RunLog(place / "runs")
    script = Script([Line(text="ls"), GiveUp(reason="over")])
    policy = Policy(eyes.Policy(allow=("ls",)), auto=True)
    eye = PlainEye(machine := Typed(OWN["words"]), Noticed)
    loop = Loop(eye, machine, script, policy, person, log, eyes.Limits())
    outcome = asyncio.run(loop.run("look"))
    log.close()
    assert person.asked == [(Line(text="ls"), NOTICE)] and outcome.keys == 0
    state = TerminalState(rows=("Mise en route",), confidence=(1.0,))
    told = [
        Modelled(None, ModelSpec(provider="openai_http", model="m"))
        ._question(Turn("look", state, state.rows, (), None, what))
        .content
        for what in ("notice", "text")
    ]
    assert NOTICE in told[0] and NOTICE not in told[1]
