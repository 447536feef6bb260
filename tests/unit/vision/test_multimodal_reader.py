"""A model that sees as a reader: what it says is a screen, or an error."""

from __future__ import annotations

import asyncio
import json

import numpy as np
import pytest

from terma import registry
from terma.chat import ModelSpec
from terma.vision.errors import EyesError
from terma.vision.screen.multimodal import MultimodalReader
from tests.model_server import ModelServer, Reply, says

PICTURE = np.zeros((60, 100, 3), np.uint8)


def read(*replies: Reply):
    """What a reader of 20 by 4 cells makes of these answers, and the requests."""

    async def ask(base: str):
        spec = ModelSpec(provider="openai_http", model="m", api_base=base, api_key="k", retries=0)
        reader = MultimodalReader(registry.load("terma.models", "openai_http"), spec, 20, 4)
        try:
            return await reader.read(PICTURE)
        finally:
            await reader.close()

    with ModelServer() as server:
        server.will(*replies)
        return asyncio.run(ask(server.base)), server.seen


def answer(**said) -> Reply:
    return says(json.dumps(said))


def test_rows_and_cursor_become_a_state():
    state, seen = read(answer(rows=["total 4", "a$ "], cursor={"row": 1, "column": 3}))
    assert state.rows == ("total 4", "a$", "", "") and state.prompt and state.reader == "multimodal"
    assert (state.cursor.row, state.cursor.column) == (1, 3)
    content = seen[0].body["messages"][0]["content"]
    assert content[1]["image_url"]["url"].startswith("data:image/jpeg;base64,")
    assert "20 columns and 4 rows" in content[0]["text"]


def test_prose_around_the_answer_does_no_harm():
    state, _ = read(says('Here:\n```json\n{"rows": ["x"], "cursor": null}\n```'))
    assert state.text == "x" and state.cursor is None


def test_a_question_for_a_password_is_known():
    state, _ = read(answer(rows=["[sudo] password for"[:18], "Password:"], cursor={"row": 1, "column": 10}))
    assert state.password


@pytest.mark.parametrize(
    "reply",
    [
        says("I see a terminal."),
        says(""),
        says("[1, 2]"),
        answer(lines=["x"]),
        answer(rows="x"),
        answer(rows=[1]),
        answer(rows=["x"] * 5),
        answer(rows=["x" * 21]),
        answer(rows=["\x1b[2J"]),
        answer(rows=["a\u202eb"]),
        answer(rows=["x"], cursor={"row": 9, "column": 0}),
        answer(rows=["x"], cursor={"row": "a"}),
        answer(rows=["x"], cursor=[0, 0]),
    ],
)
def test_what_is_no_screen_is_an_error_and_never_a_guess(reply):
    with pytest.raises(EyesError, match="no screen"):
        read(reply)


def test_garbage_once_is_asked_again():
    state, seen = read(says("hm"), answer(rows=["fine"], cursor=None))
    assert state.text == "fine" and len(seen) == 2
