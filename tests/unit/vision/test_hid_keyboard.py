"""The USB keyboard, held against a host of the tests' own that decodes what it sends."""

from __future__ import annotations

import asyncio
import errno
import os
import threading
import time
import unicodedata
from pathlib import Path

import pytest

from terma.config import eyes
from terma.errors import UsageError
from terma.vision.errors import EyesError, UnmappableKey
from terma.vision.keyboards import _layouts, _port, hid
from terma.vision.keyboards._secrets import Secrets
from terma.vision.types import NAMED_KEYS, Combination, Keystroke, Line, Text
from tests.unit.vision.host import Host

LAYOUTS = _layouts.names()
PRINTABLES = "".join(map(chr, range(32, 127)))
RELEASE = bytes(8)


@pytest.fixture
def device(place: Path) -> Path:
    """A file that stands for /dev/hidg0."""
    file = place / "hidg0"
    file.touch()
    return file


def keyboard(device: Path, layout: str = "us", secrets: dict[str, str] | None = None, **settings: float):
    wanted = eyes.Keyboard(address=str(device), layout=layout, **({"hold": 0, "gap": 0} | settings))
    return hid.HidKeyboard(wanted, Secrets(secrets or {}))


def typed(device: Path, layout: str, *actions) -> Host:
    """What a host makes of `actions`."""

    async def send() -> None:
        async with keyboard(device, layout) as keys:
            for action in actions:
                await keys.send(action)

    asyncio.run(send())
    return Host(layout).read(device.read_bytes())


def test_there_is_us_and_ten_more():
    assert len(LAYOUTS) == 11 and "us" in LAYOUTS


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_printable_arrives_on_every_layout(device, layout):
    host = typed(device, layout, Text(text=PRINTABLES), Line(text="echo 'a|b' > ~/x #1"))
    assert host.typed == PRINTABLES + "echo 'a|b' > ~/x #1"
    assert host.pressed == [] and host.down == b""


@pytest.mark.parametrize(
    ("layout", "text"),
    [
        ("de", "Grüße, €5, Menü, à la carte, crêpe"),
        ("fr", "où est la forêt, ça, Noël, 10 µs"),
        ("es", "mañana, ¿qué?, pingüino, ç"),
        ("latam", "¡Hola, señor Núñez!"),
        ("it", "perché, città, è già lì"),
        ("br", "ação, não, você, português à noite"),
        ("tr", "şıkça İstanbul'da, ığüöç"),
        ("se", "räksmörgås på ö, Åsa, é"),
        ("gb", "£5 ¬ é"),
    ],
)
def test_letters_of_its_language_arrive_dead_keys_and_all(device, layout, text):
    assert typed(device, layout, Text(text=text)).typed == unicodedata.normalize("NFC", text)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_named_keys_and_combinations_arrive_on_every_layout(device, layout):
    named = [key for key in NAMED_KEYS if key != "Space"]
    actions = [
        *(Keystroke(key=key) for key in named),
        *(Combination(modifiers=("ctrl",), key=letter) for letter in "acdez"),
        Combination(modifiers=("ctrl", "alt"), key="Delete"),
        Combination(modifiers=("alt",), key="F2"),
        Combination(modifiers=("ctrl", "shift", "meta"), key="Up"),
        Combination(modifiers=("altgr",), key="F5"),
    ]
    host = typed(device, layout, *actions)
    assert host.pressed == [
        *named,
        *(f"ctrl+{letter}" for letter in "acdez"),
        *("ctrl+alt+Delete", "alt+F2", "ctrl+shift+meta+Up", "altgr+F5"),
    ]
    assert host.typed == "" and host.down == b""


def test_space_is_a_key_too(device):
    assert typed(device, "us", Keystroke(key="Space"), Keystroke(key="x")).typed == " x"


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_character_that_the_layout_lacks_is_refused_before_any_key(device, layout):
    async def send() -> None:
        async with keyboard(device, layout) as keys:
            device.write_bytes(b"")
            with pytest.raises(UnmappableKey, match="CJK"):
                keys.check(Text(text="ls 漢"))
            with pytest.raises(UnmappableKey):
                await keys.send(Line(text="ls " * 50 + "漢"))
            assert device.read_bytes() == b""

    asyncio.run(send())


def test_a_layout_that_is_not_there_names_those_that_are(device):
    with pytest.raises(UsageError, match="klingon") as caught:
        keyboard(device, "klingon")
    assert "latam" in caught.value.hint


def test_a_secret_is_typed_and_stands_nowhere_else(device, monkeypatch):
    monkeypatch.setenv("BOX_PASSWORD", "s3cret!")
    keys = keyboard(device, secrets={"box": "env:BOX_PASSWORD"})

    async def send() -> None:
        async with keys:
            await keys.send(Text(text="{{secret:box}}"))
            with pytest.raises(EyesError, match="no secret 'other'"):
                keys.check(Text(text="{{secret:other}}"))

    asyncio.run(send())
    assert Host("us").read(device.read_bytes()).typed == "s3cret!"
    assert "s3cret" not in repr(vars(keys))


class Cut:
    """os.write that meets byte `at` of all that is written in one of several ways: "short": it takes what is before;
    "short, then": the call after that is interrupted; "before" and "after": this call is interrupted, with nothing or
    all of it written."""

    def __init__(self, at: int, mode: str) -> None:
        self.at, self.mode, self.written = at, mode, 0

    def __call__(self, file: int, data: bytes) -> int:
        here = self.written <= self.at < self.written + len(data) and self.mode
        if here == "before" or self.mode == "now":
            self.mode = ""
            raise KeyboardInterrupt
        if here in ("short", "short, then"):
            self.mode = "now" if here == "short, then" else ""
            data = data[: self.at - self.written]
            if not data:
                raise OSError(errno.EAGAIN, "busy")
        count = REAL_WRITE(file, data)
        self.written += count
        if here == "after":
            self.mode = ""
            raise KeyboardInterrupt
        return count


REAL_WRITE = os.write


@pytest.mark.parametrize("at", range(40))
def test_a_write_that_is_short_at_any_byte_is_completed(device, monkeypatch, at):
    monkeypatch.setattr(_port.os, "write", Cut(at, "short"))
    assert typed(device, "us", Text(text="Ab")).typed == "Ab"
    assert_released(device)


@pytest.mark.parametrize("mode", ["short, then", "before", "after"])
@pytest.mark.parametrize("at", range(8, 39))
def test_an_interrupt_at_any_byte_leaves_a_release_last(device, monkeypatch, at, mode):
    monkeypatch.setattr(_port.os, "write", Cut(at, mode))
    with pytest.raises(KeyboardInterrupt):
        typed(device, "us", Text(text="Ab"))
    assert_released(device)
    assert Host("us").read(device.read_bytes()).typed in ("", "A", "Ab")


def test_cancelling_between_a_key_and_its_release_leaves_a_release_last(device):
    async def send() -> None:
        async with keyboard(device, hold=1.0) as keys:
            task = asyncio.create_task(keys.send(Text(text="aaaa")))
            while device.stat().st_size < 16:  # noqa: ASYNC110 a file tells nobody
                await asyncio.sleep(0.001)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert_released(device)

    asyncio.run(send())


def test_release_all_lets_go_from_outside(device):
    async def send() -> None:
        async with keyboard(device, hold=1.0) as keys:
            task = asyncio.create_task(keys.send(Keystroke(key="a")))
            while device.stat().st_size < 16:  # noqa: ASYNC110 a file tells nobody
                await asyncio.sleep(0.001)
            keys.release_all()
            assert_released(device)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    asyncio.run(send())


def assert_released(device: Path) -> None:
    assert device.read_bytes()[-8:] == RELEASE


@pytest.fixture
def blocked(place: Path):
    """A device that takes reports and then none: a pipe that nobody empties."""
    path = place / "hidg0"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    yield path, reader
    os.close(reader)


def fill(path: Path) -> None:
    writer = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
    try:
        while True:
            os.write(writer, RELEASE)
    except BlockingIOError:
        pass
    finally:
        os.close(writer)


def test_a_device_that_takes_no_keys_is_an_error_in_time(blocked):
    path, _ = blocked

    async def send() -> None:
        async with keyboard(path) as keys:
            fill(path)
            with pytest.raises(EyesError, match="takes no keys"):
                await keys.send(Text(text="ls"))

    asyncio.run(send())  # bench/eyes.py says how long it takes
    assert eyes.Keyboard().deadline < 0.5


def test_a_device_that_is_busy_for_a_moment_loses_nothing(blocked):
    path, reader = blocked
    got = bytearray()

    async def send() -> None:
        async with keyboard(path) as keys:
            fill(path)
            emptying = threading.Thread(target=lambda: (time.sleep(0.05), got.extend(drain(reader))))
            emptying.start()
            await keys.send(Text(text="ls"))
            emptying.join()
        got.extend(drain(reader))

    asyncio.run(send())
    assert Host("us").read(bytes(got)).typed == "ls"


def drain(reader: int) -> bytes:
    found = bytearray()
    try:
        while data := os.read(reader, 65536):
            found += data
    except BlockingIOError:
        pass
    return bytes(found)


def test_a_device_that_is_not_there_says_how_it_is_made(place):
    async def send() -> None:
        async with keyboard(place / "nothing"):
            pass

    with pytest.raises(EyesError, match="No such file") as caught:
        asyncio.run(send())
    assert "hid-setup" in caught.value.hint
