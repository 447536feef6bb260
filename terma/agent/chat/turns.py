"""What of a conversation's messages the embedded partner goes by: the last question, what was called for it, and what a
command printed last."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from terma.agent.chat.deeds.record import Record, command_of
from terma.agent.chat.offline_answers import Shown
from terma.chat import ChatMessage
from terma.conversation.words import split


@dataclass(frozen=True, slots=True)
class Tried:
    """A call of this question and its result."""

    command: str
    result: str


def state(messages: Sequence[ChatMessage]) -> tuple[str, str, list[Tried]]:
    """The last question, its context, and what was called since, with the results."""
    question = context = ""
    tried: list[Tried] = []
    commands: dict[str, str] = {}
    for message in messages:
        if message.role == "user":
            question, context = split(message.content)
            tried = []
        for call in message.tool_calls:
            commands[call.id] = command_of(call)
        if message.role == "tool":
            tried.append(Tried(commands.get(message.tool_call_id, ""), message.content))
    return question, context, tried


def shown(context: str, known: Record) -> Shown | None:
    """The last output: of this conversation, else what was captured of the terminal. Of what failed, what was printed
    is about the failure."""
    for deed in reversed(known.deeds):
        if deed.by and deed.output and deed.output.strip() and deed.status <= 0:
            return Shown(deed.command, deed.output)
    printed = re.search(r"^Output, from [^\n]*:\n(.*)", context, re.MULTILINE | re.DOTALL)
    return Shown("", printed[1]) if printed else None
