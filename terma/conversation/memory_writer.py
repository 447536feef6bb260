"""What goes into a conversation's memory: redacted, shortened, saved, and shown to the person where it is news."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace

from terma.chat import ChatMessage, PastCommand, ToolCall
from terma.conversation.calls import MAX_ARGUMENTS
from terma.conversation.memory import Memory
from terma.conversation.secrets import Secrets
from terma.conversation.turn import Turn
from terma.dialogue import Event, Noted, Ran, ToolAnswered, Used, View
from terma.errors import TermaError
from terma.output import digest
from terma.text import one_line, sanitize

Save = Callable[[Memory], None]
SEARCHED = 1_000_000  # characters of a result that are searched for secrets; of what is longer the two ends


class MemoryWriter:
    """The one way into `memory`. `result` is how many characters of a tool's result a model is told."""

    def __init__(self, memory: Memory, secrets: Secrets, view: View, save: Save | None, result: int) -> None:
        self.memory = memory
        self.secrets = secrets
        self.view = view
        self.result = result
        self._save = save
        for message in (
            turn for turns in (memory.messages, *memory.earlier) for turn in turns
        ):  # of a conversation that is gone on with
            secrets.reserve([message.content, *(call.arguments for call in message.tool_calls)])

    def question(self, text: str, ran: Sequence[PastCommand] = ()) -> None:
        """What the person asks, with its data, and what they ran before it."""
        hide = self.secrets.hide
        hidden = tuple(
            replace(
                one,
                command=hide(sanitize(one.command)),
                output=None if one.output is None else hide(sanitize(one.output)),
            )
            for one in ran
        )
        self.memory.add(ChatMessage("user", hide(text), ran=hidden))
        self.save()

    def turn(self, turn: Turn) -> None:
        """What the model said and called. Arguments that are no JSON object are kept as one: servers read them."""
        calls = tuple(replace(call, arguments=self._arguments(call)) for call in turn.calls)
        self.memory.add(ChatMessage("assistant", self.secrets.hide(sanitize(turn.words).strip()), calls))
        self.save()

    def cut(self, turn: Turn) -> None:
        """What came of an answer that was cut off: its words, since none of its calls was looked at."""
        if turn.words.strip():
            self.turn(replace(turn, calls=()))

    def tell(self, call: ToolCall, text: str) -> str:
        """The result of a call, as the model is told it."""
        bound = self.result
        text = self._searched(sanitize(text), max(SEARCHED, 2 * bound))
        text = _cut(text, bound)
        self.memory.add(ChatMessage("tool", text, tool_call_id=call.id))
        return text

    def _searched(self, text: str, most: int) -> str:
        """`text` without secrets. No tool's result is longer than `most`; of one that were, nothing is kept between
        its ends, which are searched with what stood around the cut."""
        if len(text) <= most:
            return self.secrets.hide(text)
        head, tail = self.secrets.hide(text[:most]), self.secrets.hide(text[-most:])
        return f"{head[: most // 4]}\n… {len(text) - most // 2} characters left out …\n{tail[-most // 4 :]}"

    def answered(self, call: ToolCall, text: str, failed: bool, ran: Ran | None = None) -> None:
        """The same, shown to the person and saved."""
        self.view.show(ToolAnswered(call.name, self.tell(call, text), failed, ran))
        self.save()

    def summary(self, text: str) -> str:
        """Put a summary in place of the turns; what was put there."""
        text = self.secrets.hide(sanitize(text))
        self.memory.compact(text)
        self.save()
        return text

    def settle(self, told: str) -> None:
        """Answer the calls that nothing answered: servers refuse a call without a result."""
        calls = self.memory.open_calls()
        for call in calls:
            self.tell(call, told)
        if calls:
            self.save()

    def save(self) -> None:
        """Raises nothing: a conversation that cannot be saved goes on, and the person is told once."""
        if self._save is None:
            return
        try:
            self._save(self.memory)
        except (OSError, TermaError) as error:
            self._save = None
            reason = error.message if isinstance(error, TermaError) else error.strerror or str(error)
            self.view.show(Noted(f"the conversation is not saved: {one_line(reason)}"))

    def _arguments(self, call: ToolCall) -> str:
        try:
            value = json.loads(call.arguments[:MAX_ARGUMENTS] or "{}", strict=False)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            value = {"unreadable": call.arguments[:200]}
        return json.dumps(self._hidden(value), ensure_ascii=False)

    def _hidden(self, value: object) -> object:
        if isinstance(value, str):
            return self.secrets.hide(value)
        if isinstance(value, list):
            return [self._hidden(item) for item in value]
        return {key: self._hidden(item) for key, item in value.items()} if isinstance(value, dict) else value


def _cut(text: str, bound: int) -> str:
    return digest(text, bound, bound // 4, bound // 2) if len(text) > bound else text


class Counting:
    """A view that counts what requests use, and shows everything on."""

    def __init__(self, view: View, memory: Memory) -> None:
        self._view = view
        self._memory = memory

    def show(self, event: Event) -> None:
        if isinstance(event, Used):
            self._memory.used(event.usage)
        self._view.show(event)


class Quiet(Counting):
    """The same for a request that the person did not ask for: its words are not shown."""

    def show(self, event: Event) -> None:
        if isinstance(event, Used):
            super().show(event)
