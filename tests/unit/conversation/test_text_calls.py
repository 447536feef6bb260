"""Commands that a model writes as JSON although it was given tools: proposed like a call, and never shown as JSON."""

from __future__ import annotations

import asyncio

import pytest

from terma.chat import Finish, TextDelta
from terma.conversation.text_calls import TextCalls
from tests.unit.conversation.scripted import ScriptedModel, Stage, says

ONE = '{"commands": [{"command": "df -h", "description": "disk use"}]}'
FORMS = [
    ONE,
    f"```json\n{ONE}\n```",
    f"Let us look.\n\n```json\n{ONE}\n```\n",
    f"Let us look: {ONE}",
    f"{ONE}\nTell me what it says.",
    "{'commands': [{'command': 'df -h', 'description': 'disk use'}]}",
    '{\n  "commands": [\n    {\n      "description": "disk use",\n      "command": "df -h"\n    }\n  ]\n}',
    '{"commands": [{"command": "df -h", "description": "disk use"}',
]
OTHER = [
    '```json\n{"contributes": {"commands": [{"command": "ext.hello", "title": "Hello"}]}}\n```\nThat is the manifest.',
    'The file says {"commands": {"build": "make"}} and no more.',
    'It is {"commands": ["a", "b"]}.',
    'Use {"commands": []} for none.',
    '{"commands": [{"command": "rm -rf /ho',
    f"Models write `{ONE}` where they have no tools.",
    f"In `x`, or `{ONE}`.",
    "a { b } c {",
    "awk '{print $1}'",
]


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize("answer", FORMS)
def test_it_is_proposed_and_its_json_is_not_shown(answer: str, size: int) -> None:
    pieces = [answer[at : at + size] for at in range(0, len(answer), size)]
    stage = Stage(ScriptedModel(says(*pieces), says("Enough room.")))
    asyncio.run(stage.talk.ask("is the disk full?"))
    assert stage.shell.ran == ["df -h"]
    assert "commands" not in stage.screen.text
    assert "`" not in stage.screen.text
    assert stage.model.seen[1][-1].role == "tool"


@pytest.mark.parametrize("size", [1, 4, 1000])
@pytest.mark.parametrize("answer", OTHER)
def test_other_json_is_shown_as_it_is(answer: str, size: int) -> None:
    reader, shown = TextCalls(), ""
    for at in range(0, len(answer), size):
        shown += reader.feed(answer[at : at + size]).prose
    assert shown + reader.close().prose == answer
    assert not reader.calls


def test_prose_is_not_held_back() -> None:
    reader = TextCalls()
    assert reader.feed("The disk is { almost } full").prose == "The disk is { almost } full"


def test_a_cancelled_answer_proposes_nothing() -> None:
    never = asyncio.Event()
    stage = Stage(ScriptedModel([TextDelta(ONE), never, Finish()]))

    async def go() -> None:
        task = asyncio.create_task(stage.talk.ask("is the disk full?"))
        await stage.model.waiting.wait()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(go())
    assert stage.shell.ran == []
