"""Ctrl+T in terma's own prompt: what the line becomes, and what is asked for it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping

import pytest

from terma.errors import UnknownAnswer
from terma.repl.prompt.gesture import NOTHING, Failure, Gesture, Newest
from terma.repl.prompt.slash_actions import clipboard
from terma.suggest.code_blocks import codes


class Agent:
    """Answers with what was asked, so that it can be seen; `unknown` is never answered."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, str]]] = []

    async def ask(self, kind: str, fields: Mapping[str, str]) -> AsyncGenerator[tuple[str, ...], None]:
        self.asked.append((kind, dict(fields)))
        if fields.get("buffer") == "unknown":
            raise UnknownAnswer("no answer to that")
        if fields.get("buffer") == "ls":
            yield ("done", "displaced")
            return
        yield ("note", "offline · 1/2")
        yield ("done", "replace", f"{kind} {fields.get('buffer', '')}{fields['attempt']}")


def pressed(lines: list[str], newest: Newest = Newest()) -> tuple[list[str | None], Agent]:  # noqa: B008 - frozen
    agent = Agent()
    gesture = Gesture(agent.ask, lambda: {"cwd": "/here"}, lambda: newest)

    async def go() -> list[str | None]:
        return [(await gesture.press(line)).text for line in lines]

    return asyncio.run(go()), agent


def test_a_sentence_becomes_a_command_and_again_the_next() -> None:
    texts, agent = pressed(["list files", "translate list files0", "translate list files1", "other"])
    assert texts == [
        "translate list files0",
        "translate list files1",
        "translate list files2",
        "translate other0",
    ]
    assert {fields["buffer"] for _, fields in agent.asked} == {"list files", "other"}
    assert agent.asked[0][1]["cwd"] == "/here"


def test_what_is_not_known_and_what_is_a_command_stay() -> None:
    assert pressed(["unknown"])[0] == [None]
    assert pressed(["ls"])[0] == [None]


def test_the_empty_line_is_about_a_failure_or_the_code_of_an_answer() -> None:
    texts, agent = pressed(["", "fix 0"], Newest(failure=Failure("gti st", 127, "not found")))
    assert texts == ["fix 0", "fix 1"]
    assert (
        agent.asked[0][1] | {"command": "gti st", "status": "127", "output": "not found"} == agent.asked[0][1]
    )
    assert pressed(["", "a", "b"], Newest(["a", "b"]))[0] == ["a", "b", "a"]


def test_without_either_it_says_so() -> None:
    gesture = Gesture(Agent().ask, dict, Newest)
    assert asyncio.run(gesture.press("")).remark == NOTHING


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("```sh\nls -l\n```", ["ls -l"]),
        ("x\n```\na\n```\ny\n~~~bash\nb\nc\n~~~\n", ["a", "b\nc"]),
        ("```console\n$ make\nok\n$ make test\n```", ["make\nmake test"]),
        ("```python\nprint()\n```\n```json\n{}\n```", []),
        ("```sh\nnever closed", []),
        ("```sh\nrm\x1b[31m -r\u202e x\n```", ["rm -r x"]),
        ("no code", []),
    ],
)
def test_the_commands_of_an_answer(answer: str, found: list[str]) -> None:
    assert codes(answer) == found


def test_the_clipboard_is_told_by_osc_52_and_through_screen() -> None:
    assert clipboard("ä", {}) == "\x1b]52;c;w6Q=\x07"
    assert clipboard("ä", {"STY": "1.x", "TMUX": "/x"}) == "\x1b]52;c;w6Q=\x07"
    assert clipboard("ä", {"STY": "1.x"}) == "\x1bP\x1b]52;c;w6Q=\x07\x1b\\"
