"""The failure that is asked about: what came with the question, else the newest one known here, or on the screen."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from terma.agent.chat.deeds.record import record
from terma.chat import ChatMessage
from terma.errors import UnknownAnswer
from terma.output.shorten import troubles
from terma.types import Output, WhyQuery

NO_ANSWER = (
    "the embedded engine has no answer to that",
    "say it as one command's work, or set a model up: terma config init, terma local install",
)
NOTHING_FAILED = (
    "no command is known that failed",
    "run it once more in a shell with terma's key (terma init), or pipe its output in: command 2>&1 | terma 'why?'",
)


def seen(context: str, messages: Sequence[ChatMessage]) -> WhyQuery:
    """The failure that is asked about: the text that came with the question, else the newest one of this conversation,
    whoever ran it, else what was captured. Raises UnknownAnswer when there is none."""
    if told_with := given(context):
        if not troubles(told_with):
            raise UnknownAnswer(*NO_ANSWER)
        return failure("", 1, told_with)
    for one in reversed(record(messages).deeds):
        if one.by and one.status > 0:
            return failure(one.command, one.status, one.output or "")
    told = re.search(r"^Command: (.+)$", context, re.MULTILINE)
    if told is None:
        raise UnknownAnswer(*NOTHING_FAILED)
    ended = re.search(r"^Exit status: (\d+)$", context, re.MULTILINE)
    stood = re.search(r"^Directory: (/.*)$", context, re.MULTILINE)
    printed = re.search(r"^Output, from [^\n]*:\n(.*)", context, re.MULTILINE | re.DOTALL)
    made = failure(told[1], int(ended[1]) if ended else -1, printed[1] if printed else "")
    seen = made.output if printed else Output()
    return replace(made, cwd=stood[1] if stood else "", output=seen)


def given(context: str) -> str:
    """What was piped in or read from a file, "" for nothing."""
    behind = r"(?:\n\n(?:Directory: /|Command: )|\Z)"  # what was captured stands after it
    found = re.match(rf"(?:Standard input|File [^\n]*):\n(.*?){behind}", context, re.DOTALL)
    return found[1] if found else ""


def failure(command: str, status: int, output: str) -> WhyQuery:
    return WhyQuery(command=command, status=status, output=Output(output, "the conversation", found=True))
