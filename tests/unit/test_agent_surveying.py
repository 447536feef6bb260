"""What a conversation is told of a terminal: never its own question for a command's output."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest

from terma.agent import surveying
from terma.context.gather import Screen
from terma.context.recent import Past
from terma.types import Output, WhyQuery

CLEARED = WhyQuery(command="clear", status=0)
QUESTION = Output(
    "$ terma 'what is this?'", "tmux"
)  # the end of the text, in which the command was not found


class Provider:
    name = "offline"
    local = True


class Choosing:
    async def provider(self, *_: object) -> Provider:
        return Provider()


class Explaining:
    def query(self, _: object) -> WhyQuery:
        return CLEARED

    async def may_see(self, *_: object) -> bool:
        return True

    async def see(self, asked: WhyQuery, *_: object) -> WhyQuery:
        return replace(asked, output=QUESTION)


@pytest.mark.parametrize(
    ("shot", "depth", "shows_the_question"),
    [
        (Screen((), "tmux"), "shallow", False),
        (Screen((), "tmux", "a program's own text"), "deep", True),
        (Screen((Past("ls", "a"),), "tmux"), "deep", True),
        (Screen(), "deep", True),
    ],
)
def test_where_only_terma_was_asked_its_question_is_no_output(
    monkeypatch: pytest.MonkeyPatch, shot: Screen, depth: str, shows_the_question: bool
) -> None:
    async def taken(*_: object) -> Screen:
        return shot

    async def told() -> dict[str, Any]:
        one = surveying.Surveying(Choosing(), Explaining())  # type: ignore[arg-type]
        frames = [frame async for frame in one.screen({})]
        found: dict[str, Any] = json.loads(frames[-1][2])  # type: ignore[index]
        return found

    monkeypatch.setattr(surveying, "_shot", taken)
    found = asyncio.run(told())
    assert found["depth"] == depth
    assert ("what is this?" in found["text"]) == shows_the_question
    assert "Command: clear" in found["text"]
