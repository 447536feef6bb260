"""An Enter right behind what Ctrl+T put on the line was meant for something else: it does nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.completion import DummyCompleter
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from terma.quiet import Quiet
from terma.repl.prompt.gesture import Put
from terma.repl.prompt.line import Line, Meant
from tests.conftest import WAIT

PUT = "rm -r build"


async def _until(what: Callable[[], bool]) -> None:
    async with asyncio.timeout(WAIT):
        while not what():  # noqa: ASYNC110  what it waits for has no event
            await asyncio.sleep(0.005)


async def _entered(keys: PipeInput, enter: str, *, vi: bool) -> str:
    async def press(line: str) -> Put:
        return Put(PUT)

    line = Line(lambda text, kind="": Meant(kind or "prompt", text), InMemoryHistory(), DummyCompleter(),
                str, str, vi=vi, press=press)  # fmt: skip
    now = [100.0]
    line._quiet = Quiet(clock=lambda: now[0])
    asked = asyncio.create_task(line.ask())
    keys.send_text("delete it\x14")
    await _until(lambda: line.session.default_buffer.text == PUT)
    for pause in (0.66, 0.4, 0.4, 0.4):  # one that is held down comes again at last, then goes on
        early = line._quiet.early
        keys.send_text(enter)
        await _until(lambda early=early: line._quiet.early > early or asked.done())
        now[0] += pause
    assert not asked.done()
    now[0] += 0.2
    keys.send_text("\r")
    async with asyncio.timeout(WAIT):
        return (await asked)[0]


@pytest.mark.parametrize("enter", ["\r", "\n", "\x0f"])
@pytest.mark.parametrize("vi", [False, True])
def test_one_that_comes_too_early_runs_nothing_and_a_later_one_does(enter: str, vi: bool) -> None:
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        assert asyncio.run(_entered(keys, enter, vi=vi)) == PUT
