"""Keyboards and cameras that people have already: PiKVM over HTTP, a CH9329 on a serial line, byte by byte."""

from __future__ import annotations

import argparse
import asyncio
import os
import pty
import threading
import tty

import cv2
import numpy as np
import pytest

from terma.commands._eyes import power
from terma.config import eyes
from terma.errors import UsageError
from terma.vision import frames, keyboards
from terma.vision.errors import EyesError, NoSignal, UnmappableKey
from terma.vision.keyboards import _serial
from terma.vision.keyboards._secrets import Secrets
from terma.vision.log import RunLog
from terma.vision.loop import Loop
from terma.vision.policy import Policy
from terma.vision.strategy import Script
from terma.vision.types import Combination, Done, GiveUp, Keystroke, Line, Text
from tests.unit.vision.host import Host
from tests.unit.vision.pikvm_box import PiKvmBox
from tests.unit.vision.watched import Someone, Watched

LOGIN = "TERMA_TEST_PIKVM"
SPOKEN = "echo \"Hi, {there}\" | tr 'a-z' 'A-Z' > ~/x_1; # 100% @ $HOME\\n"


@pytest.fixture
def box(monkeypatch):
    monkeypatch.setenv(LOGIN, "admin:secret")
    with PiKvmBox() as made:
        yield made


def keyboard(box: PiKvmBox, **more):
    return keyboards.of(
        eyes.Keyboard(kind="pikvm", address=box.url, token_env=LOGIN, hold=0.0, gap=0.0, **more), Secrets({})
    )


def camera(box: PiKvmBox):
    return frames.of(eyes.Camera(kind="pikvm", address=box.url, token_env=LOGIN, fps=50))


def jpeg(image) -> bytes:
    return cv2.imencode(".jpg", image)[1].tobytes()


@pytest.mark.parametrize("layout", ["us", "de"])
def test_pikvm_types_what_is_said_and_leaves_no_key_down(box, layout):
    async def work() -> None:
        async with keyboard(box, layout=layout) as typing:
            await typing.send(Text(text=SPOKEN if layout == "us" else "zyZY <|> {[]} äöü?"))
            await typing.send(Combination(modifiers=("ctrl", "alt"), key="F12"))
            await typing.send(Keystroke(key="Enter"))

    asyncio.run(work())
    host = Host(layout).read(box.reports)
    assert host.typed == (SPOKEN if layout == "us" else "zyZY <|> {[]} äöü?")
    assert host.pressed == ["ctrl+alt+F12", "Enter"] and box.held == [] and host.down == b""


def test_pikvm_refuses_before_any_key_what_it_lacks(box):
    async def work() -> None:
        async with keyboard(box) as typing:
            for action in (Text(text="echo 漢"), Keystroke(key="F20")):
                with pytest.raises(UnmappableKey):
                    typing.check(action)
                with pytest.raises(UnmappableKey):
                    await typing.send(action)

    asyncio.run(work())
    assert box.reports == b""


def test_a_key_whose_answer_is_lost_is_let_go(box):
    async def work() -> None:
        async with keyboard(box) as typing:
            typing._down.append("KeyA")  # pressed by a loop that hangs now
            box.held.append("KeyA")
            await asyncio.to_thread(typing.release_all)
            assert box.held == []
            typing._down.clear()
            box.lost = 1
            with pytest.raises(EyesError, match="500"):
                await typing.send(Keystroke(key="b"))
            assert box.held == []

    asyncio.run(work())


def test_the_pointer_goes_from_corner_to_corner_and_power_is_pressed(box):
    async def work() -> None:
        async with keyboard(box) as typing:
            for x, y in ((0, 0), (1, 1), (0.5, 0.5)):
                await typing.click(x, y, "right")
            assert not await typing.powered()
            await typing.power("on")
            assert await typing.powered()
            await typing.power("hard-off")
            assert not await typing.powered()
            box.atx = False
            with pytest.raises(EyesError, match="no power buttons"):
                await typing.powered()

    asyncio.run(work())
    moves = [(query["to_x"], query["to_y"]) for _, path, query in box.asked if path.endswith("mouse_move")]
    assert moves[:2] == [("-32768", "-32768"), ("32767", "32767")] and abs(int(moves[2][0])) <= 1
    presses = [(query["button"], query["state"]) for _, path, query in box.asked if path.endswith("button")]
    assert presses == [("right", "true"), ("right", "false")] * 3
    assert [query["action"] for _, path, query in box.asked if path == "/api/atx/power"] == ["on", "off_hard"]


def test_pikvm_shows_its_picture_and_says_when_there_is_none(box):
    async def work() -> None:
        async with camera(box) as source:
            with pytest.raises(NoSignal, match="no picture"):
                await source.latest()
            box.picture = jpeg(np.full((40, 60, 3), 200, np.uint8))
            first = await source.latest()
            again = await source.latest(first.number)
            assert first.image.shape == (40, 60, 3) and again.number > first.number
            box.picture = b"no jpeg"
            with pytest.raises(EyesError, match="no picture"):
                await source.latest()

    asyncio.run(work())


@pytest.mark.parametrize("opened", [keyboard, camera])
def test_pikvm_without_a_login_or_a_box_is_said(box, opened, monkeypatch):
    async def work() -> None:
        async with opened(box):
            raise AssertionError("it was let in")

    monkeypatch.setenv(LOGIN, "admin:wrong")
    with pytest.raises(EyesError, match="refuses the login") as error:
        asyncio.run(work())
    assert "wrong" not in error.value.message + error.value.hint
    box.url = "http://127.0.0.1:9"
    with pytest.raises(EyesError, match="does not answer"):
        asyncio.run(work())


class ThroughBox(Watched):
    """A real shell whose keys come out of a keyboard `inner`: what it presses is typed there as a USB host reads it."""

    def __init__(self, home, inner, read) -> None:
        super().__init__(home)
        self._inner, self._read, self._sent = inner, read, 0

    async def send(self, action) -> None:
        self.sent.append(action)
        await self._inner.send(action)
        host = Host("us").read(self._read()[self._sent :])
        self._sent = len(self._read())
        codes = {"Enter": b"\r", "ctrl+u": b"\x15", "ctrl+e": b"\x05"}
        self.machine.type(host.typed.encode() + b"".join(codes[one] for one in host.pressed))


def attacked(place, inner, read, before, *, person=None, steps=None):
    """A run through `inner` on a shell that `before` has prepared."""
    steps = steps or [Line(text="expr 6 '*' 7"), ("\n42", Done(evidence="42")), GiveUp(reason="over")]

    async def work():
        (place / "home").mkdir(exist_ok=True)
        log = RunLog(place / "runs")
        async with inner as typing, ThroughBox(place / "home", typing, read) as watched:
            await before(watched)
            loop = Loop(
                watched,
                watched,
                Script(steps),
                Policy(eyes.Policy()),
                person or Someone(),
                log,
                eyes.Limits(),
            )
            try:
                return await loop.run("compute"), watched
            finally:
                log.close()

    return asyncio.run(work())


async def leftover(watched) -> None:
    watched.machine.type(b"touch PWNED; ")
    await watched.until(lambda state: "PWNED;" in state.text)


async def old(watched) -> None:
    await watched.shell("echo 42", "\n42")


def test_what_was_left_on_the_line_is_not_entered_through_pikvm(place, box):
    outcome, watched = attacked(place, keyboard(box), lambda: box.reports, leftover)
    assert outcome.status == "completed" and watched.enters == 1 and not list(place.rglob("PWNED"))


def test_old_text_is_no_proof_through_pikvm(place, box):
    person = Someone(says=False)
    steps = [Done(evidence="42"), GiveUp(reason="over")]
    outcome, _ = attacked(place, keyboard(box), lambda: box.reports, old, person=person, steps=steps)
    assert outcome.status == "gave up" and person.asked == [("42", "reached")]


class Chip:
    """The far end of a serial line: a CH9329 written from its data sheet. `said` are its frames, `reports` its keys."""

    def __init__(self) -> None:
        self.master, slave = pty.openpty()
        tty.setraw(slave)
        self.path, self._slave = os.ttyname(slave), slave
        self.said: list[bytes] = []
        self.reports, self.pointer = b"", []
        self.deaf, self.refuses, self.noise = False, False, b""
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def _work(self) -> None:
        rest = b""
        while True:
            try:
                rest += os.read(self.master, 256)
            except OSError:
                return
            while len(rest) >= 6 and len(rest) >= 6 + rest[4]:
                one, rest = rest[: 6 + rest[4]], rest[6 + rest[4] :]
                self._take(one)

    def _take(self, one: bytes) -> None:
        assert one[:3] == b"\x57\xab\x00" and sum(one[:-1]) % 256 == one[-1], one.hex()
        self.said.append(one)
        if self.deaf:
            return
        command, data = one[3], one[5:-1]
        if command == 0x02:
            assert len(data) == 8
            self.reports += data
        if command == 0x04:
            self.pointer.append(
                (data[1], int.from_bytes(data[2:4], "little"), int.from_bytes(data[4:6], "little"))
            )
        answer = bytes.fromhex("3101000000000000") if command == 0x01 else b"\x00"
        head = b"\x57\xab\x00" + bytes([command | (0xC0 if self.refuses else 0x80), len(answer)]) + answer
        os.write(self.master, self.noise + head + bytes([sum(head) % 256]))

    def close(self) -> None:
        os.close(self._slave)
        os.close(self.master)


@pytest.fixture
def chip():
    made = Chip()
    yield made
    made.close()


def serial(chip: Chip, **more):
    return keyboards.of(
        eyes.Keyboard(kind="ch9329", address=chip.path, hold=0.0, gap=0.0, deadline=0.5, **more), Secrets({})
    )


def test_the_frames_of_a_ch9329_byte_by_byte(chip):
    async def work() -> None:
        async with serial(chip) as typing:
            await typing.send(Text(text="A"))

    asyncio.run(work())
    assert [one.hex() for one in chip.said] == [
        "57ab00010003",  # what are you?
        "57ab000208" + "00" * 8 + "0c",  # no key is down, whatever was
        "57ab000208" + "0200040000000000" + "12",  # Shift and a
        "57ab000208" + "00" * 8 + "0c",
    ]
    assert (
        _serial.frame(0x04, bytes([2, 1, 0xFF, 0x0F, 0, 0, 0])).hex()
        == "57ab00040702" + "01ff0f000000" + "1e"
    )


def test_a_ch9329_types_text_and_points(chip):
    async def work() -> None:
        async with serial(chip) as typing:
            await typing.send(Text(text="ls -la | wc; echo '~'"))
            await typing.send(Combination(modifiers=("ctrl",), key="c"))
            await typing.click(0, 1)

    chip.noise = b"\x00\x57\xab\x57"  # what stood on the line before
    asyncio.run(work())
    host = Host("us").read(chip.reports)
    assert host.typed == "ls -la | wc; echo '~'" and host.pressed == ["ctrl+c"] and host.down == b""
    assert chip.pointer == [(0, 0, 4095), (1, 0, 4095), (0, 0, 4095)]


@pytest.mark.parametrize("how", ["deaf", "refuses"])
def test_a_chip_that_does_not_take_a_key_is_said(chip, how):
    async def work() -> None:
        async with serial(chip) as typing:
            setattr(chip, how, True)
            try:
                await typing.send(Text(text="a"))
            finally:
                setattr(chip, how, False)

    with pytest.raises(EyesError, match="no answer" if how == "deaf" else "refuses it"):
        asyncio.run(work())
    assert chip.reports.endswith(bytes(8)), "its last report lets go of all keys"


def test_a_line_that_is_none_is_said(place):
    (place / "file").touch()
    for address, baud in ((str(place / "none"), 9600), (str(place / "file"), 9600), ("/dev/null", 1)):

        async def work(address=address, baud=baud) -> None:
            async with keyboards.of(eyes.Keyboard(kind="ch9329", address=address, baud=baud)):
                raise AssertionError("opened")

        with pytest.raises(EyesError):
            asyncio.run(work())


def test_what_was_left_on_the_line_is_not_entered_through_a_ch9329(place, chip):
    outcome, watched = attacked(place, serial(chip), lambda: chip.reports, leftover)
    assert outcome.status == "completed" and watched.enters == 1 and not list(place.rglob("PWNED"))


def test_old_text_is_no_proof_through_a_ch9329(place, chip):
    person = Someone(says=False)
    steps = [Done(evidence="42"), GiveUp(reason="over")]
    outcome, _ = attacked(place, serial(chip), lambda: chip.reports, old, person=person, steps=steps)
    assert outcome.status == "gave up" and person.asked == [("42", "reached")]


def test_power_is_pressed_by_a_person_and_by_no_run(box, place, monkeypatch, capsys):
    config = place / "terma"
    config.mkdir()
    (config / "config.toml").write_text(
        f'[eyes.targets.rack.keyboard]\nkind = "pikvm"\naddress = "{box.url}"\ntoken_env = "{LOGIN}"\n'
    )
    monkeypatch.setenv("XDG_CONFIG_HOME", str(place))

    def run(*given: str) -> int:
        parser = argparse.ArgumentParser()
        power.add_arguments(parser)
        return power.run(parser.parse_args(list(given)))

    assert run("--target", "rack") == 1 and capsys.readouterr().out == "off\n"
    with pytest.raises(UsageError, match="nobody can be asked"):
        run("on", "--target", "rack")
    assert not box.power
    assert run("on", "--target", "rack", "--yes") == 0 and box.power
    with pytest.raises(UsageError, match="holds no power button"):
        run("reset", "--yes")
    with pytest.raises(UsageError, match="no target 'other'"):
        run("--target", "other")
