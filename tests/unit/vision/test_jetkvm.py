"""A JetKVM as camera and keyboard over WebRTC, against a stand-in written from its firmware's source."""

from __future__ import annotations

import argparse
import asyncio
import builtins
import json
import threading
import time
from importlib.util import find_spec

import numpy as np
import pytest

from terma.commands._eyes import power
from terma.config import eyes
from terma.vision import frames, jetkvm, keyboards, peer, requests
from terma.vision.errors import EyesError, NoSignal, UnmappableKey
from terma.vision.frames import _latest
from terma.vision.guard import Guard
from terma.vision.keyboards._secrets import Secrets
from terma.vision.types import Combination, Done, GiveUp, Keystroke, Line, Text
from tests.conftest import WAIT, wait_until
from tests.unit.vision.host import Host
from tests.unit.vision.test_kvm_boxes import attacked, leftover, old
from tests.unit.vision.watched import Someone

if not all(find_spec(name) for name in ("aiortc", "websockets", "fastapi", "uvicorn")):
    pytest.skip("the extra [jetkvm] is not installed", allow_module_level=True)
from tests.unit.vision.jetkvm_box import JetKvmBox

LOGIN = "TERMA_TEST_JETKVM"
SPOKEN = "echo \"Hi, {there}\" | tr 'a-z' 'A-Z' > ~/x_1; # 100% @ $HOME\\n"


@pytest.fixture
def box(monkeypatch):
    monkeypatch.setenv(LOGIN, "right horse")
    with JetKvmBox() as made:
        yield made
    assert not jetkvm._open and not jetkvm._users
    left = [one.name for one in threading.enumerate() if one.name in ("eyes-webrtc", "video-decoder")]
    assert not left


def keyboard(box: JetKvmBox, **more):
    settings = {"hold": 0.0, "gap": 0.0} | more
    return keyboards.of(
        eyes.Keyboard(kind="jetkvm", address=box.url, token_env=LOGIN, **settings), Secrets({})
    )


def camera(box: JetKvmBox):
    return frames.of(eyes.Camera(kind="jetkvm", address=box.url, token_env=LOGIN, fps=50))


def grey(level: int, height: int = 240, width: int = 320):
    return np.full((height, width, 3), level, np.uint8)


@pytest.mark.parametrize("layout", ["us", "de"])
def test_it_types_what_is_said_and_leaves_no_key_down(box, layout):
    said = SPOKEN if layout == "us" else "zyZY <|> {[]} äöü?"

    async def work() -> None:
        async with keyboard(box, layout=layout) as typing:
            await typing.send(Text(text=said))
            await typing.send(Combination(modifiers=("ctrl", "alt"), key="F12"))
            await typing.send(Keystroke(key="Enter"))

    asyncio.run(work())
    host = Host(layout).read(box.reports)
    assert host.typed == said and host.pressed == ["ctrl+alt+F12", "Enter"]
    assert box.reports[:8] == box.reports[-8:] == bytes(8)


def test_what_the_layout_lacks_is_refused_before_any_key(box):
    async def work() -> None:
        async with keyboard(box) as typing:
            for said in (typing.check, typing.send):
                with pytest.raises(UnmappableKey):
                    await said(Text(text="echo 漢"))

    asyncio.run(work())
    assert not box.reports.strip(b"\0")


@pytest.mark.parametrize(("old", "candidates"), [(False, True), (False, False), (True, True)])
def test_each_way_of_signalling_is_known(box, old, candidates):
    box.old, box.candidates = old, candidates

    async def work() -> None:
        async with keyboard(box) as typing:
            await typing.send(Text(text="a"))

    asyncio.run(work())
    assert Host("us").read(box.reports).typed == "a"
    assert box.doors == ["/auth/login-local", "/webrtc/signaling/client", *["/webrtc/session"] * old]


def test_its_picture_is_seen_in_its_colours_and_changes_its_mode(box):
    box.picture = grey(0)
    box.picture[:, :160] = (250, 20, 20)  # blue, as OpenCV has it

    async def work() -> None:
        async with camera(box) as source:
            first = await source.latest()
            assert first.image.shape == (240, 320, 3) and not first.image.flags.writeable
            left, right = first.image[120, 40].astype(int), first.image[120, 280].astype(int)
            assert left[0] > 200 and left[1:].max() < 60 and right.max() < 40
            again = await source.latest(first.number)
            assert again.number > first.number and again.at > first.at
            box.picture = grey(200, 480, 640)
            async with asyncio.timeout(20):
                while (await source.latest()).image.shape[:2] != (480, 640):
                    pass

    asyncio.run(work())


def test_camera_and_keyboard_are_one_session_of_the_box(box):
    box.picture = grey(90)

    async def work() -> None:
        async with camera(box) as source:
            async with keyboard(box) as typing:
                await typing.send(Text(text="a"))
                await source.latest()
            await source.latest()
            async with keyboard(box) as typing:
                await typing.send(Text(text="b"))
        async with keyboard(box):
            pass

    asyncio.run(work())
    assert Host("us").read(box.reports).typed == "ab"
    assert len(box.sessions) == 2 and box.doors.count("/auth/login-local") == 2


def test_no_signal_is_told_from_a_box_that_is_gone(box, monkeypatch):
    monkeypatch.setattr(_latest, "PATIENCE", 0.3)
    monkeypatch.setattr(_latest, "OPENING", 0.3)

    async def work() -> None:
        async with camera(box) as source:
            with pytest.raises(NoSignal, match="no picture"):
                await source.latest()
            box.picture = grey(50)
            async with asyncio.timeout(20):
                while True:
                    try:
                        await source.latest()
                        break
                    except EyesError:
                        continue
            box.drop()
            with pytest.raises(EyesError, match="JetKVM at") as error:
                async with asyncio.timeout(20):
                    while True:
                        await source.latest()
                        await asyncio.sleep(0.01)
            assert not isinstance(error.value, NoSignal)

    asyncio.run(work())


@pytest.mark.parametrize("opens", [keyboard, camera])
def test_without_a_login_or_a_box_it_is_said(box, opens, monkeypatch):
    async def work() -> None:
        async with opens(box):
            raise AssertionError("it was let in")

    for password in ("wrong one", "wrong two", ""):
        monkeypatch.setenv(LOGIN, password)
        with pytest.raises(EyesError, match="refuses the login") as error:
            asyncio.run(work())
        assert "wrong" not in error.value.message + error.value.hint
    assert box.wrong == 2
    box.wrong = 3
    monkeypatch.setenv(LOGIN, "right horse")
    with pytest.raises(EyesError, match="too many") as error:
        asyncio.run(work())
    assert "30 seconds" in error.value.hint
    box.url = "http://127.0.0.1:9"
    with pytest.raises(EyesError, match="does not answer"):
        asyncio.run(work())


@pytest.mark.parametrize("login", ["", "not asked for"])
def test_a_box_without_a_password_wants_none(box, login, monkeypatch):
    box.password = ""
    monkeypatch.setenv(LOGIN, login)

    async def work() -> None:
        async with keyboard(box) as typing:
            await typing.send(Text(text="a"))

    asyncio.run(work())
    assert Host("us").read(box.reports).typed == "a"


@pytest.mark.parametrize("answer", ["", "%%%", "e30=", "bnVsbA==", "eyJ0eXBlIjoiYW5zd2VyIiwic2RwIjoieCJ9"])
@pytest.mark.parametrize("old", [False, True])
def test_an_answer_that_is_none_is_an_error(box, answer, old, monkeypatch):
    monkeypatch.setattr(peer, "CONNECTING", 3)
    box.answer, box.old = answer or "x", old

    async def work() -> None:
        async with keyboard(box):
            raise AssertionError("it was let in")

    with pytest.raises(EyesError, match="JetKVM at"):
        asyncio.run(work())


@pytest.mark.parametrize("how", ["close_channel", "drop", "taken"])
def test_a_connection_that_ends_is_an_error_and_the_next_one_a_new_one(box, how):
    async def work() -> None:
        async with keyboard(box) as typing:
            await typing.send(Text(text="a"))
            if how == "taken":
                box.tell("otherSessionConnected")
            else:
                await asyncio.to_thread(getattr(box, how))
            with pytest.raises(EyesError, match="taken over" if how == "taken" else "JetKVM at"):
                async with asyncio.timeout(20):
                    while True:
                        await typing.send(Text(text="b"))
            with pytest.raises(EyesError):
                typing.release_all()
            raise EyesError("as the run has it")

    with pytest.raises(EyesError, match="as the run has it"):
        asyncio.run(work())

    async def anew() -> None:
        async with keyboard(box) as typing:
            await typing.send(Text(text="c"))

    before = len(box.reports)
    asyncio.run(anew())
    assert box.reports[before : before + 8] == bytes(
        8
    )  # what the first may have held is let go before anything
    assert Host("us").read(box.reports[before:]).typed == "c"


def test_a_box_that_answers_nothing_is_an_error_in_time(box, monkeypatch):
    monkeypatch.setattr(requests, "ANSWERING", 0.3)

    async def work() -> None:
        async with keyboard(box) as typing:
            box.silent = True
            with pytest.raises(EyesError, match="does not answer"):
                await typing.send(Text(text="a"))
            assert typing._down
            box.silent = False
            typing.release_all()
            assert not typing._down

    asyncio.run(work())
    assert box.reports[-8:] == bytes(8)


def test_what_the_box_refuses_is_said_without_what_steers_a_terminal(box):
    async def work() -> None:
        async with keyboard(box) as typing:
            box.refuses.add("keyboardReport")
            try:
                await typing.send(Text(text="a"))
            finally:
                box.refuses.clear()

    with pytest.raises(EyesError, match="said no: write /dev/hidg0") as error:
        asyncio.run(work())
    assert "\x1b" not in error.value.message


def test_keys_that_no_machine_takes_are_not_lost_in_silence(box):
    async def work() -> None:
        async with keyboard(box) as typing:
            box.usb = "not attached"
            box.tell("usbState", "not attached")
            with pytest.raises(EyesError, match="has not taken the keyboard"):
                async with asyncio.timeout(10):
                    while True:
                        await typing.send(Text(text="a"))
            with pytest.raises(EyesError, match="has not taken"):
                await typing.click(0, 0)
            box.usb = "configured"
            box.tell("usbState", "configured")
            async with asyncio.timeout(10):
                while True:
                    try:
                        await typing.send(Text(text="b"))
                        break
                    except EyesError:
                        await asyncio.sleep(0.01)

    asyncio.run(work())
    assert Host("us").read(box.reports).typed.endswith("b")


def test_news_and_nonsense_on_the_channel_are_taken(box):
    said = [
        "x",
        "[]",
        "null",
        "1",
        '{"id": "1"}',
        '{"id": 999, "result": 1}',
        '{"method": 3}',
        b"\xff\xfe",
        "{" * 5000,
    ]
    box.news = [*said, json.dumps({"method": "videoInputState", "params": None})]

    async def work() -> None:
        async with keyboard(box) as typing:
            await typing.send(Text(text="ok"))

    asyncio.run(work())
    assert Host("us").read(box.reports).typed == "ok"


def test_the_pointer_goes_from_corner_to_corner(box):
    async def work() -> None:
        async with keyboard(box) as typing:
            for x, y in ((0, 0), (1, 1), (0.5, 0.25)):
                await typing.click(x, y, "right")

    asyncio.run(work())
    assert box.pointer[:3] == [(0, 0, 0), (0, 0, 2), (0, 0, 0)]
    assert box.pointer[4] == (32767, 32767, 2) and box.pointer[7] == (16384, 8192, 2)


@pytest.mark.parametrize(
    ("extension", "wanted"),
    [
        ("atx-power", ["power-short", "power-short", "reset", "power-long"]),
        ("dc-power", [True, EyesError, EyesError, False]),
        ("", [EyesError] * 4),
    ],
)
def test_its_extensions_hold_the_power(box, monkeypatch, extension, wanted, capsys):
    box.extension = extension
    settings = eyes.Keyboard(kind="jetkvm", address=box.url, token_env=LOGIN)
    monkeypatch.setattr(power._target, "settings", lambda target: eyes.Eyes(keyboard=settings))
    for what, came in zip(("on", "off", "reset", "hard-off"), wanted, strict=True):
        asked = argparse.Namespace(what=what, target=None, yes=True)
        if came is EyesError:
            with pytest.raises(EyesError, match="has no"):
                power.run(asked)
        else:
            power.run(asked)
    assert box.pressed == [one for one in wanted if one is not EyesError]
    if extension:
        assert power.run(argparse.Namespace(what="status", target=None, yes=True)) == 1
        assert capsys.readouterr().out.split()[-1] == "off"


def test_the_guard_lets_go_of_a_key_while_the_loop_hangs(box):
    async def work() -> None:
        async with keyboard(box, hold=0.6) as typing:
            guard = Guard(typing.release_all, lambda why: None)
            guard.start()
            sending = asyncio.create_task(typing.send(Keystroke(key="a")))
            await asyncio.to_thread(box.wait, lambda: box.reports.endswith(bytes([0, 0, 4]) + bytes(5)))
            began = time.monotonic()
            while not box.reports.endswith(bytes(8)) and time.monotonic() - began < 0.5:
                time.sleep(0.005)  # noqa: ASYNC251 the loop hangs, that is the point
            guard.close()
            assert box.reports.endswith(bytes(8))
            await sending

    asyncio.run(work())


def test_a_run_that_is_given_up_while_it_connects_leaves_nothing(box):
    box.answer = "x"

    async def work() -> None:
        opening = asyncio.create_task(keyboard(box).__aenter__())
        await asyncio.to_thread(wait_until, lambda: box.doors, "it knocks")
        opening.cancel()
        with pytest.raises(asyncio.CancelledError):
            await opening

    began = time.monotonic()
    asyncio.run(work())
    assert time.monotonic() - began < 5


def test_without_the_extra_it_is_said_what_to_install(box, monkeypatch):
    real = builtins.__import__

    def lacking(name, *more, **given):
        if name.partition(".")[0] == "aiortc":
            raise ModuleNotFoundError("no", name="aiortc")
        return real(name, *more, **given)

    monkeypatch.setattr(builtins, "__import__", lacking)

    async def work() -> None:
        async with keyboard(box):
            pass

    with pytest.raises(EyesError, match="not installed: aiortc") as error:
        asyncio.run(work())
    assert error.value.hint == "pip install 'xontrib-terma[jetkvm]'"


def test_what_was_left_on_the_line_is_not_entered_through_it(place, box):
    outcome, watched = attacked(place, keyboard(box), lambda: box.reports, leftover)
    assert outcome.status == "completed" and watched.enters == 1 and not list(place.rglob("PWNED"))
    assert Host("us").read(box.reports).down == b""


def test_old_text_is_no_proof_through_it(place, box):
    person = Someone(says=False)
    steps = [Done(evidence="42"), GiveUp(reason="over")]
    outcome, _ = attacked(place, keyboard(box), lambda: box.reports, old, person=person, steps=steps)
    assert outcome.status == "gave up" and person.asked == [("42", "reached")]


def test_what_is_dangerous_is_never_entered_through_it(place, box):
    async def before(watched) -> None:
        pass

    steps = [Line(text="rm -rf ~"), GiveUp(reason="over")]
    _, watched = attacked(place, keyboard(box), lambda: box.reports, before, steps=steps)
    assert watched.enters == 0 and "rm" not in Host("us").read(box.reports).typed


class SlowDoor:
    """One that lets nobody in, and is left only when somebody else closes as well."""

    name = "the box"

    def __init__(self) -> None:
        self.told, self.leaving, self.go = 0, threading.Event(), threading.Event()
        self.left = False

    async def enter(self, connection: object) -> None:
        raise EyesError("it is shut", "open it")

    async def leave(self) -> None:
        self.leaving.set()
        await asyncio.to_thread(self.go.wait, WAIT)
        self.left = True

    def put(self, picture: object) -> None:
        """There is none."""

    def fail(self, error: EyesError) -> None:
        self.told += 1
        if self.told == 2:
            self.go.set()


def test_who_closes_second_waits_until_the_sockets_are_closed():
    door = SlowDoor()
    connection = peer.Peer(door)
    assert door.leaving.wait(WAIT)
    connection.watch(door)  # tells why it is over, as closing does once more
    connection.close()
    assert door.left
