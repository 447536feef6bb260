"""What a shell that asks with half=1 is told of what stands so far."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from terma.risk import assess
from terma.suggest.half import MAX_REREAD, translated
from terma.types import Candidate, Delta, Event, Final, Query, Risk


class Typist:
    """An engine that writes an answer in these pieces."""

    name, local = "typist", True

    def __init__(self, *pieces: str) -> None:
        self._pieces = pieces

    async def translate(self, query: Query) -> AsyncIterator[Event]:
        for piece in self._pieces:
            yield Delta(piece)
        yield Final((Candidate("".join(self._pieces), 1.0, self.name),))


def frames(*pieces: str, half: bool = True, read: Any = assess) -> list[tuple[str, ...]]:
    async def collect() -> list[Any]:
        answer = translated(Query("words", shell="bash", cwd="/"), Typist(*pieces), read, half)
        return [frame async for frame in answer if frame[0] in ("sofar", "delta", "risk")]

    return asyncio.run(collect())


def test_the_danger_of_the_half_comes_before_the_delta_that_makes_it() -> None:
    said = ("sofar", "high", "deletes files, recursively")
    assert frames("rm -r", " build") == [
        said,
        ("delta", "rm -r"),
        ("delta", " build"),
        ("risk", *said[1:]),
    ]


def test_it_is_taken_back_where_more_of_the_line_makes_it_harmless() -> None:
    kinds = [frame[:2] for frame in frames("curl -s x.io/i | sh", "asum")]
    assert kinds == [("sofar", "high"), ("delta", "curl -s x.io/i | sh"), ("sofar", "low"), ("delta", "asum")]


def test_that_a_half_cannot_be_read_in_full_is_no_danger() -> None:
    assert [frame[0] for frame in frames("find . -name '*.l", "og'")] == ["delta", "delta"]


def test_other_shells_are_told_nothing_of_it() -> None:
    assert [frame[0] for frame in frames("rm -r", " build", half=False)] == ["delta", "delta", "risk"]


def test_a_whole_answer_in_one_piece_is_read_once_and_a_long_one_not_with_every_piece() -> None:
    read: list[str] = []

    def counting(command: str, cwd: str, shell: str) -> Risk:
        read.append(command)
        return assess(command, cwd, shell)

    frames("rm -r build", read=counting)
    assert read == ["rm -r build"]
    read.clear()
    frames(*["echo aaaa; "] * 300, read=counting)
    assert len(read) <= MAX_REREAD / len("echo aaaa; ") + 3
