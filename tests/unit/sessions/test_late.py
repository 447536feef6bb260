"""What is told when the time is over: all that was printed until then, unless that is a flood."""

from __future__ import annotations

import asyncio
import time

from terma.sessions.ring import Ring
from terma.sessions.session import RUNNING
from terma.sessions.waiting import _LATE, _PIECE, Piece, Wait, wait


class Printing:
    """A program that has printed `count` bytes and goes on."""

    def __init__(self, count: int) -> None:
        self.store = Ring(0)
        self.store.write(b"y\n" * (count // 2))
        self.phase, self.status, self.exit_status, self.last_output = RUNNING, None, None, 0.0

    def state(self) -> str:
        return "running"

    def give_up(self) -> None: ...

    async def change(self, seconds: float) -> bool:
        await asyncio.sleep(seconds)
        return False


async def told(count: int) -> int:
    """How many bytes are told to a reader for whom the first piece takes longer than the time-out."""
    sizes: list[int] = []
    async for part in wait(Printing(count), 0, Wait(0.02, waits=False, raw=True)):
        if isinstance(part, Piece):
            sizes.append(len(part.data))
            if len(sizes) == 1:
                time.sleep(0.03)  # noqa: ASYNC251 the reader holds up the loop
    return sum(sizes)


def test_what_was_printed_until_the_time_out_is_told():
    assert asyncio.run(told(_LATE)) == _LATE


def test_of_a_flood_nothing_more_is_told_behind_the_time_out():
    assert asyncio.run(told(40 * _LATE)) == _PIECE
