"""What a conversation sends is redacted here once more, whoever sent it, and put back in what comes."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from terma.chat import ChatEvent, ChatMessage, TextDelta, ToolCall
from terma.redact import Redactor, Showing
from terma.redact.find import PLACEHOLDER
from terma.text import StreamSanitizer

MAX_KNOWN = (
    4_096  # texts that are known to hold no secret, by their hash: a conversation sends them every time
)
_clean: OrderedDict[bytes, None] = OrderedDict()


class SecretFilter:
    """The messages as they may be sent; `shown` makes of an event what the asker gets."""

    def __init__(self, messages: tuple[ChatMessage, ...], redactor: Redactor | None = None) -> None:
        self.messages = messages
        self._redactor = redactor
        restore = redactor.restore if redactor is not None and redactor.secrets else str
        self._said = Showing(restore, StreamSanitizer().feed)

    def shown(self, event: ChatEvent) -> Iterator[ChatEvent]:
        """An event with its secrets put back, its text without what a terminal would obey."""
        if isinstance(event, TextDelta):
            if text := self._said.feed(event.text):
                yield TextDelta(text)
        elif isinstance(event, ToolCall):
            yield replace(event, arguments=self._whole(event.arguments))
        else:
            yield event

    def close(self) -> Iterator[ChatEvent]:
        """What was held back of the text, in case a placeholder was under way."""
        if text := self._said.flush():
            yield TextDelta(text)

    def _whole(self, arguments: str) -> str:
        """The arguments of a call: JSON stays JSON, whatever stands in a secret."""
        if self._redactor is None or not PLACEHOLDER.search(arguments):
            return arguments
        restore = self._redactor.restore
        return PLACEHOLDER.sub(lambda found: json.dumps(restore(found[0]))[1:-1], arguments)


async def hidden(messages: Sequence[ChatMessage]) -> SecretFilter:
    """`messages` without secrets. Placeholders that stand in them already are left to whoever put them there."""
    return await asyncio.to_thread(_hidden, messages)


def _hidden(messages: Sequence[ChatMessage]) -> SecretFilter:
    redactor = Redactor()
    texts = [text for message in messages for text in (message.content, *_arguments(message))]
    redactor.redact(" ".join(found[0] for text in texts for found in PLACEHOLDER.finditer(text)))
    made = []
    for message in messages:
        calls = tuple(
            replace(call, arguments=_redacted(redactor, call.arguments)) for call in message.tool_calls
        )
        made.append(replace(message, content=_redacted(redactor, message.content), tool_calls=calls))
    return SecretFilter(tuple(made), redactor)


def _arguments(message: ChatMessage) -> list[str]:
    return [call.arguments for call in message.tool_calls]


def _redacted(redactor: Redactor, text: str) -> str:
    name = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    if name in _clean and not redactor.secrets:
        _clean.move_to_end(name)
        return text
    done = redactor.redact(text).text
    if done == text and not redactor.secrets:
        _clean[name] = None
        while len(_clean) > MAX_KNOWN:
            _clean.popitem(last=False)
    return done
