"""Screens that no card was typed onto: a cable's picture, BIOS, a boot menu, a login, and a reboot from end to end."""

from __future__ import annotations

import asyncio
import time

import cv2
import numpy as np
import pytest

from terma.config import eyes
from terma.vision.calibrating import calibrate
from terma.vision.errors import EyesError, NoSignal, Unknown
from terma.vision.eye import ScreenEye
from terma.vision.keyboards import _terminal
from terma.vision.log import RunLog, read
from terma.vision.loop import Loop
from terma.vision.parts import Answer
from terma.vision.plain_eye import PlainEye
from terma.vision.policy import Policy
from terma.vision.screen import condition, lattice, ocr, profile
from terma.vision.screen.profile import Profile
from terma.vision.screen.rectify import by_flash, whole
from terma.vision.strategy import Script
from terma.vision.target.machine import Machine, default_command, environment
from terma.vision.types import Combination, Cursor, Done, Frame, GiveUp, Keystroke, Line, TerminalState, Text
from tests.unit.vision import screens, startup
from tests.unit.vision.watched import Someone

OVER = GiveUp(reason="over")
ENTER = Keystroke(key="Enter")
SIZES = [(0, 0), (720, 400), (1280, 720), (1920, 1080)]


class Cable:
    """Straight pictures, as a capture card has them: `image` is what it shows now, None is no signal."""

    name = "cable"

    def __init__(self, image: np.ndarray | None = None) -> None:
        self.image, self.number = image, 0

    async def __aenter__(self) -> Cable:
        return self

    async def __aexit__(self, *error: object) -> None:
        pass

    async def latest(self, after: int = 0) -> Frame:
        await asyncio.sleep(0.01)
        self.number += 1
        if self.image is None:
            raise NoSignal("the box says that there is no signal")
        return Frame(self.image, time.monotonic(), self.number, "cable")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("text", [startup.BIOS, startup.MENU, startup.LOGIN, screens.PROSE])
def test_the_picture_tells_where_its_cells_are(text, size):
    image = startup.screen(text, 80, 25, *size)
    across, down = image.shape[1] / 976, image.shape[0] / 691  # of the painter's own pixels
    found = lattice.find(image)
    assert found is not None
    wide, _, left, _, high, top = found.matrix[:6]
    assert wide == pytest.approx(12 * across, rel=0.01) and high == pytest.approx(27 * down, rel=0.025)
    assert abs((left - 8 * across) / wide + 0.5) % 1 - 0.5 == pytest.approx(0, abs=0.12)
    assert abs((top - 8 * down) / high + 0.5) % 1 - 0.5 == pytest.approx(0, abs=0.12)


@pytest.mark.parametrize("text", ["", "box login: "])
def test_where_too_little_stands_there_nothing_is_guessed(text):
    assert lattice.find(startup.screen(text)) is None
    assert (lattice.usual(720, 400).columns, lattice.usual(720, 400).rows) == (80, 25)
    assert (lattice.usual(1024, 768).columns, lattice.usual(1024, 768).rows) == (128, 48)


@pytest.mark.parametrize(
    ("picture", "lit", "said"),
    [
        (startup.black(), None, "black"),
        (startup.plain((30, 30, 30)), 30.0, "black"),
        (startup.plain((10, 10, 10)), 30.0, "off"),
        (startup.plain((200, 30, 20)), None, "no signal"),
        (startup.bars(), None, "no signal"),
        (startup.screen("\x1b[?25l"), 5.0, "black"),
        (startup.screen("$ "), None, None),
        (startup.screen(""), None, None),  # a cursor alone is a screen that was cleared
        (startup.screen(startup.BIOS), 30.0, None),
    ],
)
def test_black_off_no_signal_and_text_are_told_apart(picture, lit, said):
    noise = np.random.default_rng(1).normal(0, 2, picture.shape)
    for image in (picture, (picture + noise).clip(0, 255).astype(np.uint8)):
        assert condition.of_picture(image, lit) == said


def told(*rows: str, prompt: bool = False) -> TerminalState:
    return TerminalState(rows=rows, confidence=(1.0,) * len(rows), prompt=prompt)


def test_what_a_monitor_says_itself_is_no_screen_of_the_machine():
    assert condition.of_text(told("", "No Signal", "")) == "no signal"
    assert condition.of_text(told("HDMI 1: Input not supported")) == "no signal"
    assert condition.of_text(told("user@box:~$", prompt=True)) == "cleared"
    assert condition.of_text(told("", "")) == "cleared"
    for own in (
        "Monitor going to sleep",
        "VGA|Cable unplugged",
        "Signal lost",
        "DP: input signal out of range|75 Hz",
    ):
        assert condition.of_text(told(*own.split("|"))) == "no signal"
    for machine in (
        "PXE-E61: Media test failure, check cable",
        "Invalid input. Try again:",
        "USB device not supported",
    ):
        assert condition.of_text(told(machine)) == "text"
    assert condition.of_text(told("$ grep 'no signal' log", "no signal: 3", "$", prompt=True)) == "text"


def test_a_screen_that_fills_the_picture_flashes_as_a_whole():
    image = startup.screen(startup.BIOS)
    height, width = image.shape[:2]
    assert by_flash(image, 255 - image) == whole(width, height)


class Straight(Cable):
    """The stand-in machine's own picture, without a camera before it; it is typed on, too."""

    def __init__(self, machine: Machine) -> None:
        super().__init__()
        self.machine = machine

    async def latest(self, after: int = 0) -> Frame:
        self.image = self.machine.picture().copy()
        return await super().latest(after)

    def check(self, action) -> None:
        pass

    async def send(self, action) -> None:
        self.machine.type(_terminal.encode(action))

    def release_all(self) -> None:
        pass


async def calibrated(home, work) -> object:
    machine = Machine(default_command(), size=16)
    machine.start(home, environment(home))
    try:
        source = Straight(machine)
        return await work(source, await calibrate(source, source))
    finally:
        await machine.stop()


def test_the_stand_in_is_calibrated_as_its_picture_comes_and_another_font_is_noticed(place):
    async def work(source: Straight, learned: Profile) -> None:
        assert (learned.grid.columns, learned.grid.rows) == (80, 24) and learned.anchor is None
        assert learned.black is not None and learned.black < 40
        profile.save(learned, place / "p.npz")
        assert profile.load(place / "p.npz").black == pytest.approx(learned.black)
        eye = ScreenEye(source, learned)
        source.machine.type(b"expr 6 '*' 7\r")
        seen = await eye.settle(3.0)
        assert "42" in seen.state.rows and seen.condition == "text"
        cable = Cable(seen.frame.image)
        eye = ScreenEye(cable, learned)
        assert (await eye.look()).state.rows == seen.state.rows
        height, width = seen.frame.image.shape[:2]
        for strange in (startup.screen(startup.BIOS, 100, 37, width, height), startup.screen(startup.BIOS)):
            cable.image = strange  # another font in the same mode, and another mode
            with pytest.raises(Unknown, match=r"letters that were not learned|another mode"):
                await eye.look()
        assert not issubclass(Unknown, NoSignal)
        cable.image = cv2.putText(  # letters that stand in no cells: nobody is told to learn those
            np.zeros_like(seen.frame.image),
            "Nincs jelforras",
            (300, 400),
            cv2.FONT_HERSHEY_DUPLEX,
            1.2,
            (255,) * 3,
            2,
        )
        own = await eye.look()
        assert own.condition == "notice" and own.dark
        cable.image = None
        assert (await eye.look()).condition == "no signal"
        cable.image = seen.frame.image
        assert "42" in (await eye.look()).state.rows  # and back again, without a calibration

    asyncio.run(calibrated(place, work))


class Starting(Cable):
    """A machine that is restarted: its screens one after the other, the next one at a key or after a while."""

    def __init__(self) -> None:
        super().__init__()
        self.phase, self.shown, self.typed, self.sent = "shell", 0, "", []
        self.password = ""

    def _image(self) -> np.ndarray | None:
        if self.phase in ("off", "black"):
            return None if self.phase == "off" else startup.black(640, 480)
        text, width, height = {
            "shell": (f"box:~# sync\nbox:~# uptime\n load average: 0.00\nbox:~# {self.typed}", 1280, 720),
            "bios": (startup.BIOS + "\x1b[?25l", 720, 400),
            "menu": (startup.MENU, 1280, 720),
            "login": (startup.LOGIN + self.typed, 1216, 1015),
            "password": (startup.LOGIN + "root\nPassword: ", 1216, 1015),
            "ready": (
                startup.LOGIN + f"root\nPassword:\nLast login: Monday on tty1\nbox:~# {self.typed}",
                1216,
                1015,
            ),
        }[self.phase]
        return startup.screen(text, 80, 25, width, height)

    async def latest(self, after: int = 0) -> Frame:
        self.shown += 1
        if self.phase in ("off", "black") and self.shown > 6:
            self._go("bios" if self.phase == "off" else "login")
        self.image = self._image()
        return await super().latest(after)

    def _go(self, phase: str) -> None:
        self.phase, self.shown, self.typed = phase, 0, ""

    def check(self, action) -> None:
        pass

    async def send(self, action) -> None:
        self.sent.append(action)
        if isinstance(action, Text | Line):
            self.typed += action.text
        elif action == Combination(modifiers=("ctrl",), key="u"):
            self.typed = ""
        elif action == ENTER:
            after = {"menu": "black", "login": "password", "password": "ready"}
            if self.phase in after:
                self._go(after[self.phase])
        elif action == Keystroke(key="F12") and self.phase == "bios":
            self._go("menu")

    def release_all(self) -> None:
        pass


def test_a_reboot_is_survived_from_bios_to_shell_without_any_calibration(place):
    pytest.importorskip("rapidocr_onnxruntime")
    machine, person, log = Starting(), Someone(), RunLog(place / "runs")

    async def restarted(seen) -> str:
        person.passwords += 1
        machine._go("ready")  # the person typed it there
        return ""

    person.password = restarted
    machine.typed = "rm -rf / "  # what stood on the line before: gone with the power

    async def approve(action, verdict, seen, why="") -> Answer:
        person.asked.append((action, verdict.reason))
        if machine.phase == "shell":
            machine._go("off")  # somebody presses the reset button while the question stands there
        return Answer("yes")

    person.approve = approve
    steps = [
        Keystroke(key="Left"),
        ("Boot Menu", Keystroke(key="F12")),
        ("GNU GRUB", ENTER),
        ("login:", Line(text="root")),
        ("Last login", Done(evidence="Last login: Monday on tty1")),
        OVER,
    ]
    eye = PlainEye(machine, ocr.OcrReader(80, 25).sized)
    limits = eyes.Limits(seconds=240.0, dark=60.0)
    loop = Loop(eye, machine, Script(steps), Policy(eyes.Policy()), person, log, limits)
    outcome = asyncio.run(loop.run("restart it"))
    log.close()
    lines = read(log.folder)
    assert outcome.status == "completed", [line.get("result") for line in lines]
    assert person.passwords == 1 and machine.phase == "ready"
    assert Keystroke(key="Left") not in machine.sent  # the screen had changed: nothing was sent on
    assert machine.sent.count(ENTER) == 2 and "rm" not in str(machine.sent)
    assert {line["condition"] for line in lines if line["what"] == "dark"} == {"no signal", "black"}
    readers = [line["reader"] for line in lines if line["what"] == "screen" and any(line["rows"])]
    assert set(readers) == {"ocr"}


def test_a_screen_that_stays_dark_ends_the_run_and_nothing_is_typed(place):
    machine, log = Cable(startup.black()), RunLog(place / "runs")
    machine.release_all = lambda: None
    eye = PlainEye(machine, lambda columns, rows: pytest.fail("nothing stands there to be read"))
    limits = eyes.Limits(dark=0.6)
    loop = Loop(eye, machine, Script([ENTER]), Policy(eyes.Policy()), Someone(), log, limits)
    outcome = asyncio.run(loop.run("look"))
    log.close()
    assert outcome.status == "no picture" and "black" in outcome.reason and outcome.keys == 0


@pytest.mark.parametrize(("prompt", "size"), [("$ ", (720, 400)), ("> ", (1280, 720)), ("/ # ", (720, 400))])
def test_a_prompt_of_a_letter_or_two_beneath_little_text_is_read_with_its_cursor(prompt, size):
    pytest.importorskip("rapidocr_onnxruntime")
    image = startup.screen(
        f"BusyBox v1.35.0 shell\nEnter help for a list of commands\n\n{prompt}", 80, 25, *size
    )
    found = lattice.find(image)
    assert found is not None and found.columns == 80  # every second cell is as much alike, in so little text
    state = asyncio.run(PlainEye(Cable(image), ocr.OcrReader(80, 25).sized).look()).state
    assert (state.rows[3], state.prompt) == (prompt.rstrip(), True)
    assert state.cursor == Cursor(row=3, column=len(prompt))


def test_a_block_cursor_leaves_no_mark_in_the_row_above():
    pytest.importorskip("rapidocr_onnxruntime")
    image = startup.screen(startup.LOGIN, 80, 25, 1280, 720)
    state = asyncio.run(PlainEye(Cable(image), ocr.OcrReader(80, 25).sized).look()).state
    assert state.rows[3:6] == ("Starting sshd ... done.", "", "box login:")


class Counting:
    """A reader that says what it was made for."""

    name = "counting"

    def __init__(self, columns: int, rows: int) -> None:
        self.size = (columns, rows)

    async def read(self, image) -> TerminalState:
        text = f"{self.size[0]} by {self.size[1]}"
        return TerminalState(
            rows=(text, "", "$"), columns=self.size[0], confidence=(1.0,) * 3, cursor=Cursor(row=2, column=2)
        )


def test_another_mode_is_another_grid_and_no_camera_that_moved():
    cable = Cable(startup.screen(startup.BIOS, 80, 25, 720, 400))
    eye = PlainEye(cable, Counting)

    async def look() -> str:
        return (await eye.look()).state.rows[0]

    async def work() -> list[str]:
        said = [await look()]
        cable.image = startup.screen(startup.BIOS, 100, 37)
        said.append(await look())
        cable.image = startup.plain((30, 30, 30), 1024, 768)
        cable.image = cv2.rectangle(
            cable.image.copy(), (10, 10), (18, 26), (200, 200, 200), -1
        )  # a cursor alone
        said.append(await look())
        return said

    assert asyncio.run(work()) == ["80 by 25", "100 by 37", "128 by 48"]


def test_corners_by_hand_and_a_known_grid_need_no_calibration():
    camera = screens.camera("cell=9,yaw=8,noise=2")
    seen = camera.look(screens.monitor(screens.PROSE).image, 0.0)
    eye = PlainEye(Cable(seen), Counting, screens.truth(camera), (80, 24))
    assert asyncio.run(eye.look()).state.rows[0] == "80 by 24"
    eye = PlainEye(Cable(seen), Counting, screens.truth(camera))
    assert asyncio.run(eye.look()).state.rows[0] in ("80 by 24", "81 by 24", "81 by 25", "80 by 25")


def test_a_reader_that_fails_is_an_error_and_no_screen():
    class Failing(Counting):
        async def read(self, image) -> TerminalState:
            raise EyesError("what the model read is no screen")

    with pytest.raises(EyesError, match="no screen"):
        asyncio.run(PlainEye(Cable(startup.screen(startup.BIOS)), Failing).look())
