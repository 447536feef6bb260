"""The JSON command protocol: what a messy reply means, whole or streamed, is what a tool call would have said."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from terma.chat import Command, ToolCall
from terma.conversation.json_commands import TOOL, CommandReader, from_call, from_text
from tests.unit.conversation.messy_replies import REPLIES, B

messy = pytest.mark.parametrize(
    ("reply", "meant"), [case[1:] for case in REPLIES], ids=[case[0] for case in REPLIES]
)


def test_there_are_enough_of_them() -> None:
    assert len(REPLIES) >= 60
    assert len({reply for _, reply, _ in REPLIES}) == len(REPLIES)


@messy
def test_a_messy_reply_is_understood(reply: str, meant: list[tuple[str, str]]) -> None:
    assert from_text(reply) == [Command(*pair) for pair in meant]


@messy
@pytest.mark.parametrize("size", [1, 3, 17])
def test_streamed_it_means_the_same_and_nothing_is_told_twice(
    reply: str, meant: list[tuple[str, str]], size: int
) -> None:
    reader, told = CommandReader(), []
    for at in range(0, len(reply), size):
        told += reader.feed(reply[at : at + size]).commands
    told += reader.close().commands
    assert told == [Command(*pair) for pair in meant]


def test_a_command_is_told_as_soon_as_it_is_whole() -> None:
    reader = CommandReader()
    first = reader.feed('{"commands": [{"command": "ls", "description": "list"}')
    assert first.commands == (Command("ls", "list"),)
    assert reader.feed(', {"command": "pw').commands == ()
    assert reader.feed('d", "description": "where"}]}').commands == (Command("pwd", "where"),)


def test_prose_streams_and_the_json_and_its_fence_do_not_show() -> None:
    reader = CommandReader()
    shown = reader.feed("The disk is **full**.").prose
    assert shown == "The disk is **full**."
    for piece in (
        "\n\n``",
        "`json\n{",
        '"comm',
        'ands": [{"command": "df -h"}]',
        "}\n``",
        "`\n",
        "Good luck.",
    ):
        shown += reader.feed(piece).prose
    shown += reader.close().prose
    assert shown.replace("\n", "") == "The disk is **full**.Good luck."


@pytest.mark.parametrize(
    "prose",
    ["Set ${HOME} first.", "use {a,b}", "```sh\nawk '{print $1}'\n```\ndone", "see [docs](https://x.y)", "a { b",
     '{"weather": 1}', "x = [1, 2", "{name} is {what}", "ends in a fence\n```"],
)  # fmt: skip
@pytest.mark.parametrize("size", [1, 4, 100])
def test_prose_that_holds_no_commands_comes_out_as_it_was(prose: str, size: int) -> None:
    reader, shown = CommandReader(), ""
    for at in range(0, len(prose), size):
        shown += reader.feed(prose[at : at + size]).prose
    assert shown + reader.close().prose == prose


def test_a_tool_call_and_its_text_mean_the_same() -> None:
    call = ToolCall("c1", TOOL.name, B)
    assert from_call(call) == from_text(B) == [Command("ls -la", "list all")]


@pytest.mark.parametrize(
    "arguments",
    ["{'commands': [{'command': 'ls',}]}", '{"command": "ls"}', '{"commands": ["ls"]}', '{"commands":[{"command":"ls"'],
)  # fmt: skip
def test_arguments_that_are_not_quite_json_are_read(arguments: str) -> None:
    assert from_call(ToolCall("c", "propose_commands", arguments)) == [Command("ls")]


@pytest.mark.parametrize("arguments", ["", "null", "7", "ls -la", '{"commands": [{"command": "rm -rf /ho'])
def test_arguments_that_name_no_whole_command_give_none(arguments: str) -> None:
    assert from_call(ToolCall("c", "propose_commands", arguments)) == []


commands = st.lists(
    st.builds(
        Command,
        st.text(min_size=1).map(str.strip).filter(bool),
        st.text().map(str.strip),
    ),
    min_size=1,
    max_size=4,
    unique_by=lambda command: command.command,
)


@settings(deadline=None)  # a busy machine is no failure
@given(commands, st.sampled_from(["", "Here:\n```json\n", "{x} [y] "]), st.integers(1, 40))
def test_whatever_right_json_says_survives_every_cut(said: list[Command], before: str, size: int) -> None:
    items = [{"command": command.command, "description": command.description} for command in said]
    reply = before + json.dumps({"commands": items}, ensure_ascii=False)
    reader, told = CommandReader(), []
    for at in range(0, len(reply), size):
        told += reader.feed(reply[at : at + size]).commands
    assert told + list(reader.close().commands) == said


@settings(deadline=None)  # a busy machine is no failure
@given(st.text(alphabet="{}[]\",:\\/#`'“” \ncomandsl-", max_size=120))
def test_no_text_breaks_it_and_prose_and_commands_are_all_there_is(text: str) -> None:
    reader = CommandReader()
    for character in text:
        reader.feed(character)
    reader.close()
    assert len(from_text(text)) <= 16
