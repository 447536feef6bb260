"""The stand-in's display scrolled back: what is printed shows the screen itself again."""

from __future__ import annotations

import asyncio

import numpy as np

from tests.unit.vision.watched import Watched


def test_what_is_printed_shows_the_screen_itself_again(place):
    home = place / "home"
    home.mkdir()

    async def work() -> None:
        async with Watched(home) as watched:
            machine = watched.machine
            await watched.shell("seq 1000 1099", r"1099\nuser@target:\S*[$#]")
            await watched.shell(
                "(until [ -e go ]; do sleep 0.02; done; echo printed) &", r"&\n(.*\n)?user@target:\S*[$#]$"
            )
            shown, rows = machine.picture().copy(), machine.text()["rows"]
            machine.scroll(5)
            assert machine.text()["rows"][5:] == rows[:-5] and machine.text()["above"] == 5
            assert not np.array_equal(machine.picture(), shown)
            machine.scroll(-5)
            assert machine.text()["rows"] == rows and np.array_equal(machine.picture(), shown)
            machine.scroll(10_000)
            assert machine.text()["rows"][0].startswith("user@target")
            machine.scroll(-10_000)
            assert machine.text()["above"] == 0
            machine.scroll(3)
            (home / "go").touch()
            while "printed" not in "".join(machine.text()["rows"]):
                await machine.change(machine.number, 0.05)
            assert machine.text()["above"] == 0

    asyncio.run(work())
