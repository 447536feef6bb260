"""What lets go of the keys when the program that holds them is told to stop, or hangs."""

from __future__ import annotations

import asyncio
import os
import threading
import time

from terma.config import eyes
from terma.vision.guard import BEAT, Guard
from terma.vision.keyboards._secrets import Secrets
from terma.vision.keyboards.hid import HidKeyboard
from terma.vision.types import Keystroke
from tests.conftest import wait_until


class Held:
    def __init__(self) -> None:
        self.released = threading.Event()
        self.reasons: list[str] = []

    def release(self) -> None:
        self.released.set()


def guarded(held: Held, **files) -> Guard:
    guard = Guard(held.release, held.reasons.append, **files)
    guard.start()
    return guard


def beating(guard: Guard) -> threading.Event:
    """Beats until it is set."""
    over = threading.Event()

    def beat() -> None:
        while not over.wait(BEAT / 10):
            guard.beat()

    threading.Thread(target=beat, daemon=True).start()
    return over


def test_a_stop_file_lets_go_and_ends_the_run_once(place):
    held = Held()
    guard = guarded(held, stop_file=place / "stop")
    over = beating(guard)
    (place / "stop").touch()
    wait_until(lambda: held.reasons, "the end")
    over.set()
    guard.close()
    assert held.released.is_set()
    assert len(held.reasons) == 1 and "stop file" in held.reasons[0]


def test_a_heartbeat_that_is_lost_lets_go_and_ends_the_run(place):
    file = place / "beat"
    file.touch()
    held = Held()
    guard = guarded(held, heartbeat=file, seconds=30.0)
    over = beating(guard)
    wait_until(lambda: not held.reasons, "a look")
    long_ago = time.time() - 100
    os.utime(file, (long_ago, long_ago))
    wait_until(lambda: held.reasons, "the end")
    over.set()
    guard.close()
    assert held.released.is_set() and "heartbeat is lost" in held.reasons[0]


def test_a_heartbeat_that_never_was_is_lost(place):
    held = Held()
    guard = guarded(held, heartbeat=place / "nothing")
    wait_until(lambda: held.reasons, "the end")
    guard.close()


def test_a_loop_that_hangs_lets_go_but_may_come_back(place):
    held = Held()
    guard = guarded(held)
    wait_until(held.released.is_set, "the keys to be let go")
    guard.close()
    assert held.reasons == []


def test_a_keyboard_that_fails_does_not_keep_the_run_from_ending(place):
    def broken() -> None:
        raise OSError("gone")

    reasons: list[str] = []
    (place / "stop").touch()
    guard = Guard(broken, reasons.append, stop_file=place / "stop")
    guard.start()
    wait_until(lambda: reasons, "the end")
    guard.close()


def test_two_hundred_milliseconds_are_kept_by_design():
    from terma.vision import guard

    assert guard._LOOK + guard.BEAT < 0.2


def test_a_usb_key_that_is_held_by_a_program_that_hangs_is_released(place):
    device = place / "hidg0"
    device.touch()
    released: list[bool] = []

    async def hang() -> None:
        async with HidKeyboard(eyes.Keyboard(address=str(device), hold=1.0), Secrets({})) as keys:
            guard = Guard(keys.release_all, lambda why: None)
            guard.start()
            pressing = asyncio.create_task(keys.send(Keystroke(key="a")))
            while device.stat().st_size < 16:
                guard.beat()
                await asyncio.sleep(0.001)
            wait_until(
                lambda: device.read_bytes()[-8:] == bytes(8), "the key to be let go"
            )  # blocks the loop
            released.append(True)
            pressing.cancel()
            await asyncio.gather(pressing, return_exceptions=True)
            guard.close()

    asyncio.run(hang())
    assert released and len(device.read_bytes()) == 24
