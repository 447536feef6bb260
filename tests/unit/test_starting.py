"""A start that is cancelled, at whatever moment, ends, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import os
import subprocess
from pathlib import Path

import pytest

from terma import starting
from terma.context.run import output_of
from tests.conftest import WAIT, wait_until


@pytest.fixture
def program(place: Path) -> str:
    """A program that hangs, with a child; its name tells it from all others."""
    path = place / f"hang-{place.name}"
    path.write_text(f"#!/bin/sh\nsh -c 'sleep 1000; : {place.name}' & wait\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def lives(program: str) -> bool:
    name = Path(program).name.removeprefix("hang-")
    return subprocess.run(["pgrep", "-f", name], capture_output=True, check=False).returncode == 0


async def cancelled_after(turns: int, task: asyncio.Task[object]) -> None:
    for _ in range(turns):
        await asyncio.sleep(0)
    task.cancel()
    done, _ = await asyncio.wait([task], timeout=WAIT)
    assert done and task.cancelled()


@pytest.mark.parametrize("turns", range(4))  # of the event loop: then the child is there
def test_a_child(program: str, turns: int) -> None:
    async def run() -> None:
        pipe = asyncio.subprocess.PIPE
        words = starting.child(program, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=True)
        await cancelled_after(turns, asyncio.ensure_future(words))

    asyncio.run(run())
    wait_until(lambda: not lives(program), "the child to be gone")


@pytest.mark.parametrize("turns", range(12))
def test_a_program_that_is_asked_for_text(program: str, turns: int) -> None:
    async def run() -> None:
        folder, _, name = program.rpartition("/")
        task = asyncio.ensure_future(output_of([name], path=f"{folder}:{os.environ['PATH']}"))
        await cancelled_after(turns, task)

    asyncio.run(run())
    wait_until(lambda: not lives(program), "the program to be gone")


def test_what_cannot_be_started_says_so(place: Path) -> None:
    with pytest.raises(FileNotFoundError):
        asyncio.run(starting.child(str(place / "none")))
