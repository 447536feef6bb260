"""Another program is asked for text and never waited on for long."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from terma.context.run import MAX_BYTES, Failed, output_of
from terma.errors import TermaError
from tests.conftest import wait_until


def program(folder: Path, name: str, body: str) -> str:
    """Write a shell script; the PATH on which it stands first."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    (folder / name).chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


def test_its_words_come_back_and_it_reads_nothing(place: Path) -> None:
    path = program(place, "said", 'cat; echo "$1"; echo "$KIND"')
    said = asyncio.run(output_of(["said", "a b;rm"], path=path, env={"KIND": "one"}))
    assert said == b"a b;rm\none\n"


def test_it_has_no_terminal(place: Path) -> None:
    path = program(place, "said", "if (: </dev/tty) 2>/dev/null; then echo tty; else echo none; fi")
    assert asyncio.run(output_of(["said"], path=path)) == b"none\n"


def test_a_failure_says_why_in_one_line(place: Path) -> None:
    path = program(place, "said", r"printf 'no \033[31mpane\nhere\n' >&2; exit 3")
    with pytest.raises(Failed, match=r"^said: no pane here$") as failed:
        asyncio.run(output_of(["said"], path=path))
    assert failed.value.status == 3


def test_one_that_is_not_there_is_named(place: Path) -> None:
    with pytest.raises(TermaError, match="said is not on the PATH"):
        asyncio.run(output_of(["said"], path=str(place)))


def test_folders_that_depend_on_where_one_is_are_not_searched(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program(place, "said", "echo here")
    monkeypatch.chdir(place)
    with pytest.raises(TermaError, match="not on the PATH"):
        asyncio.run(output_of(["said"], path=".::/usr/bin"))


def test_of_a_flood_the_end_is_kept(place: Path) -> None:
    path = program(place, "flood", f"head -c {12 * MAX_BYTES} /dev/zero; printf end")
    said = asyncio.run(output_of(["flood"], path=path))
    assert len(said) == MAX_BYTES
    assert said.endswith(b"\0end")


def test_one_that_hangs_is_killed_with_its_children(place: Path) -> None:
    pids = place / "pids"
    path = program(place, "hang", f"sleep 1000 & echo $$ $! > {pids}.new; mv {pids}.new {pids}; wait")

    async def run() -> None:
        task = asyncio.create_task(output_of(["hang"], path=path))
        while not pids.exists():  # noqa: ASYNC110 the program tells it in no other way
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run())
    for pid in map(int, pids.read_text(encoding="utf-8").split()):
        wait_until(lambda pid=pid: not lives(pid), f"process {pid} to end")


def lives(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
