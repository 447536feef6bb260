"""A NanoKVM as camera and keyboard, against a stand-in written from its server's source."""

from __future__ import annotations

import argparse
import asyncio

import cv2
import numpy as np
import pytest

from terma.commands._eyes import power
from terma.config import eyes
from terma.vision import aes, frames, keyboards
from terma.vision.errors import EyesError, NoSignal, UnmappableKey
from terma.vision.frames import _latest
from terma.vision.keyboards._secrets import Secrets
from terma.vision.types import Combination, Keystroke, Text
from tests.unit.vision.host import Host
from tests.unit.vision.nanokvm_box import NanoKvmBox, opened

LOGIN = "TERMA_TEST_NANOKVM"
SPOKEN = "echo \"Hi, {there}\" | tr 'a-z' 'A-Z' > ~/x_1; # 100% @ $HOME\\n"


@pytest.fixture
def box(monkeypatch):
    monkeypatch.setenv(LOGIN, "admin:secret")
    with NanoKvmBox() as made:
        yield made


def keyboard(box: NanoKvmBox, **more):
    return keyboards.of(
        eyes.Keyboard(kind="nanokvm", address=box.url, token_env=LOGIN, hold=0.0, gap=0.0, **more),
        Secrets({}),
    )


def camera(box: NanoKvmBox):
    return frames.of(eyes.Camera(kind="nanokvm", address=box.url, token_env=LOGIN, fps=50))


def jpeg(grey: int) -> bytes:
    return cv2.imencode(".jpg", np.full((40, 60, 3), grey, np.uint8))[1].tobytes()


def test_aes_is_that_of_the_standard():
    """FIPS 197, appendix C.3; a block of zeros before it changes nothing."""
    sealed = aes.cbc(bytes.fromhex("00112233445566778899aabbccddeeff"), bytes(range(32)), bytes(16))
    assert sealed[:16].hex() == "8ea2b7ca516745bfeafc49904b496089" and len(sealed) == 32


@pytest.mark.parametrize("password", ["", "p", "a" * 15, "a" * 16, "pä:ss 漢字" * 9])
def test_a_password_is_sealed_as_the_box_opens_it(password):
    assert opened(aes.salted(password, "nanokvm-sipeed-2024")) == password


@pytest.mark.parametrize("layout", ["us", "de"])
def test_it_types_what_is_said_and_leaves_no_key_down(box, layout):
    said = SPOKEN if layout == "us" else "zyZY <|> {[]} äöü?"

    async def work() -> None:
        async with keyboard(box, layout=layout) as typing:
            await typing.send(Text(text=said))
            await typing.send(Combination(modifiers=("ctrl", "alt"), key="F12"))
            await typing.send(Keystroke(key="Enter"))

    asyncio.run(work())
    box.wait(lambda: Host(layout).read(box.reports).pressed == ["ctrl+alt+F12", "Enter"])
    host = Host(layout).read(box.reports)
    assert host.typed == said and box.reports[-8:] == bytes(8)


def test_what_the_layout_lacks_is_refused_before_any_key(box):
    async def work() -> None:
        async with keyboard(box) as typing:
            with pytest.raises(UnmappableKey):
                await typing.send(Text(text="echo 漢"))

    asyncio.run(work())
    box.wait(lambda: box.reports == bytes(8))  # what whoever was here before may have held


def test_a_key_that_is_down_is_let_go_by_any_thread(box):
    async def work() -> None:
        async with keyboard(box) as typing:
            typing._down = True
            await asyncio.to_thread(typing._socket.send, b"\x01\x00\x00\x04" + bytes(5))
            box.wait(lambda: box.reports.endswith(b"\x00\x00\x04" + bytes(5)))
            await asyncio.to_thread(typing.release_all)
            box.wait(lambda: box.reports.endswith(bytes(8)))

    asyncio.run(work())


def test_the_pointer_goes_from_corner_to_corner(box):
    async def work() -> None:
        async with keyboard(box) as typing:
            for x, y in ((0, 0), (1, 1), (0.5, 0.25)):
                await typing.click(x, y, "right")

    asyncio.run(work())
    box.wait(lambda: len(box.pointer) == 9)
    assert box.pointer[:3] == [(0, 0, 0, 0), (2, 0, 0, 0), (0, 0, 0, 0)]
    assert box.pointer[4] == (2, 32767, 32767, 0) and box.pointer[7] == (2, 16384, 8192, 0)


def test_its_buttons_are_pressed_as_long_as_they_must_be(box, monkeypatch, capsys):
    settings = eyes.Keyboard(kind="nanokvm", address=box.url, token_env=LOGIN)
    monkeypatch.setattr(power._target, "settings", lambda target: eyes.Eyes(keyboard=settings))
    for what in ("on", "status", "off", "reset", "hard-off", "status"):
        power.run(argparse.Namespace(what=what, target=None, yes=True))
    assert box.pressed == [("power", 800), ("power", 800), ("reset", 800), ("power", 5000)]
    assert capsys.readouterr().out.split() == ["pressed", "on", "pressed", "pressed", "pressed", "off"]


def test_news_and_pings_of_the_box_are_taken(box):
    box.news = b"\x81\x7e\x00\x80" + b"n" * 128 + b"\x89\x02hi"

    async def work() -> None:
        async with keyboard(box) as typing:
            await typing.send(Text(text="ab"))
            box.wait(
                lambda: Host("us").read(box.reports).typed == "ab"
            )  # the box sent its news before it read this
            await typing.send(Text(text="c"))
            box.wait(lambda: Host("us").read(box.reports).typed == "abc" and b"hi" in box.pongs)

    asyncio.run(work())


@pytest.mark.parametrize("news", [b"\x88\x00", b"\x82\x7f" + bytes(3) + b"\xff" * 5])
def test_a_box_that_hangs_up_or_floods_is_an_error(box, news):
    async def work() -> None:
        async with keyboard(box) as typing:
            box.news = news
            while True:
                await typing.send(Text(text="a"))

    with pytest.raises(EyesError, match="does not answer"):
        asyncio.run(work())


def test_it_shows_its_picture_and_says_when_there_is_none(box, monkeypatch):
    monkeypatch.setattr(_latest, "PATIENCE", 0.3)
    monkeypatch.setattr(_latest, "OPENING", 0.3)

    async def work() -> None:
        async with camera(box) as source:
            with pytest.raises(NoSignal, match="no picture"):
                await source.latest()
            box.picture = jpeg(200)
            first = await until(source, 200)
            again = await source.latest(first.number)
            assert first.image.shape == (40, 60, 3) and again.number > first.number
            box.picture = jpeg(20)
            await until(source, 20)

    asyncio.run(work())


async def until(source, grey):
    async with asyncio.timeout(20):
        while True:
            try:
                frame = await source.latest()
            except NoSignal:
                continue
            if abs(int(frame.image[0, 0, 0]) - grey) < 3:
                return frame


def test_a_screen_that_stands_still_is_sent_all_the_same(box):
    box.detects, box.picture = True, jpeg(100)

    async def work() -> None:
        async with camera(box) as source:
            await source.latest()

    asyncio.run(work())
    assert ("POST", "/api/stream/mjpeg/detect/stop") in box.asked


@pytest.mark.parametrize("opens", [keyboard, camera])
def test_without_a_login_or_a_box_it_is_said(box, opens, monkeypatch):
    async def work() -> None:
        async with opens(box):
            raise AssertionError("it was let in")

    monkeypatch.setenv(LOGIN, "admin:wrong")
    with pytest.raises(EyesError, match="refuses the login") as error:
        asyncio.run(work())
    assert "wrong" not in error.value.message + error.value.hint
    box.url = "http://127.0.0.1:9"
    with pytest.raises(EyesError, match="does not answer"):
        asyncio.run(work())


@pytest.mark.parametrize("opens", [keyboard, camera])
def test_a_session_that_is_a_cookie_alone_is_taken(box, opens):
    box.gives_token, box.picture = False, jpeg(90)

    async def work() -> None:
        async with opens(box) as one:
            if opens is camera:
                await one.latest()

    asyncio.run(work())


@pytest.mark.parametrize(
    ("hardware", "application", "fits"),
    [("Beta", "2.3.1", False), ("Pro", "1.2.5", False), ("Pro", "1.2.6", True), ("PCIE", "2.10.0", True)],
)
def test_a_box_that_takes_no_hid_reports_yet_is_told(box, hardware, application, fits):
    box.hardware, box.application = hardware, application

    async def work() -> None:
        async with keyboard(box):
            pass

    if fits:
        asyncio.run(work())
        return
    with pytest.raises(EyesError, match=f"has application {application}"):
        asyncio.run(work())
