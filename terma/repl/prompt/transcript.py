"""A conversation as a markdown file, from what its memory holds: without secrets, and with every command."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from terma.chat import ChatMessage
from terma.conversation.words import split


def as_markdown(messages: Sequence[ChatMessage], model: str) -> str:
    """The whole of it; ends with a newline."""
    return "\n\n".join([f"# A conversation with {model}", *_parts(messages)]) + "\n"


def _parts(messages: Sequence[ChatMessage]) -> Iterator[str]:
    for message in messages:
        match message.role:
            case "user":
                question, context = split(message.content)
                yield f"## {question.strip() or '(a question)'}"
                if context.strip():
                    yield _fenced(context)
            case "assistant":
                if message.content.strip():
                    yield message.content.strip()
                for call in message.tool_calls:
                    yield _call(call.name, call.arguments)
            case "tool":
                yield _fenced(message.content)


def _call(name: str, arguments: str) -> str:
    try:
        given = json.loads(arguments)
    except ValueError:
        given = {}
    if isinstance(given, dict) and given.get("command"):
        return (
            f"Proposed: {given.get('description') or 'a command'}\n\n{_fenced(str(given['command']), 'sh')}"
        )
    return f"Proposed: `{name}`\n\n{_fenced(arguments, 'json')}"


def _fenced(text: str, language: str = "") -> str:
    """In a fence that the text does not hold."""
    fence = "```"
    while fence in text:
        fence += "`"
    body = text.strip("\n")
    return f"{fence}{language}\n{body}\n{fence}"
