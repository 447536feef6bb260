"""How many tokens a text costs, about: no tokenizer is known before the model is, and none is small."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import lru_cache

from terma.chat import ChatMessage, ToolSpec

PER_MESSAGE = 4  # what a chat template puts around a turn
_WORD = re.compile(r"[A-Za-z]+|\d+|[^\x00-\x7f]|[^\w\s]+|_+|\n+|[ \t]{2,}")


def estimate(text: str) -> int:
    """Tokens of `text`: words by their length, digits by three, punctuation by two, beyond ASCII one a character."""
    total = 0
    for match in _WORD.finditer(text):
        piece = match[0]
        first = piece[0]
        if first > "\x7f":
            total += 1
        elif first.isalpha():
            total += 1 if len(piece) <= 7 else (len(piece) + 4) // 5
        elif first.isdigit():
            total += (len(piece) + 2) // 3
        elif first.isspace():
            total += 1
        else:
            total += (len(piece) + 1) // 2
    return total


@lru_cache(maxsize=1024)
def of_message(message: ChatMessage) -> int:
    """Tokens of one turn, its calls included."""
    calls = sum(PER_MESSAGE + estimate(call.name) + estimate(call.arguments) for call in message.tool_calls)
    return PER_MESSAGE + estimate(message.content) + calls


def of_tools(tools: Sequence[ToolSpec]) -> int:
    """Tokens of the description of the tools."""
    return sum(
        PER_MESSAGE + estimate(tool.description) + estimate(json.dumps(dict(tool.parameters)))
        for tool in tools
    )
