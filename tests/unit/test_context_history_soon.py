"""A question waits a moment for a history, and goes on without it where its disk hangs."""

from __future__ import annotations

import asyncio
import threading

import pytest

from terma.context.history.soon import Soon


def test_what_hangs_gives_what_was_known_and_holds_one_thread() -> None:
    goes_on, begun = threading.Event(), []

    def read(path: str) -> tuple[str, ...]:
        begun.append(path)
        goes_on.wait()
        return ("ls", "make")

    async def questions() -> None:
        known: dict[str, tuple[str, ...]] = {"/home/history": ("ls",)}
        soon = Soon(read, known.get, first=0.001, again=0.001)
        assert [await soon("/home/history") for _ in range(20)] == [("ls",)] * 20
        assert await soon("/home/another") == ()
        assert begun == ["/home/history", "/home/another"]
        patient = Soon(read, known.get)
        coming = asyncio.create_task(patient("/home/history"))
        await asyncio.sleep(0)
        goes_on.set()
        assert await coming == ("ls", "make")
        assert await patient("/home/history") == ("ls", "make")

    asyncio.run(questions())


def test_a_question_that_is_cancelled_leaves_the_reading_to_the_others() -> None:
    goes_on = threading.Event()

    def read(path: str) -> tuple[str, ...]:
        goes_on.wait()
        return (path,)

    async def questions() -> None:
        soon = Soon(read, lambda _: None, first=60)
        one, other = (asyncio.create_task(soon("/history")) for _ in range(2))
        await asyncio.sleep(0)
        one.cancel()
        with pytest.raises(asyncio.CancelledError):
            await one
        goes_on.set()
        assert await other == ("/history",)

    asyncio.run(questions())


def test_no_path_is_no_history() -> None:
    assert asyncio.run(Soon(lambda _: ("ls",), lambda _: None)("")) == ()
