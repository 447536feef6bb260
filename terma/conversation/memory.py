"""What a conversation remembers: its turns within a bound of tokens, and what it has cost so far.

The system text and the first question are pinned. What has to go goes oldest first, the results of tools before
anybody's words; a call and its result stay or go together, since servers refuse one without the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from terma.chat import ChatMessage, ToolCall, Usage
from terma.conversation.tokens import estimate, of_message
from terma.conversation.words import split
from terma.output import digest

LEFT_OUT = "(Earlier parts of this conversation were left out.)"
SUMMARY = "Summary of the conversation so far:\n"
LOW = 0.75  # of the limit: how far memory shrinks once it is full, so that the next turns leave its beginning alone
SMALLEST = 400  # characters to which a text of the newest turn is shortened at most


@dataclass(frozen=True, slots=True)
class Totals:
    """What was used since the beginning. `cost` is in US dollars; `unpriced` requests are not in it."""

    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    cost: float = 0.0
    unpriced: int = 0

    def plus(self, usage: Usage) -> Totals:
        """With one more request."""
        return Totals(
            self.requests + 1,
            self.prompt_tokens + usage.prompt_tokens,
            self.completion_tokens + usage.completion_tokens,
            self.cached_tokens + usage.cached_tokens,
            self.cost + (usage.cost or 0.0),
            self.unpriced + (usage.cost is None),
        )


class Memory:
    """The turns of one conversation, without the system text; all of it redacted by whoever adds it.

    `limit` is in tokens and counts the system text and `overhead`, which is what the tools' descriptions take.
    `earlier` are the turns that summaries stand for, the newest last: no request has them, and `uncompact` brings
    them back."""

    def __init__(self, system: str = "", limit: int = 24_000, messages: Sequence[ChatMessage] = ()) -> None:
        self.system = system
        self.limit = limit
        self.overhead = 0
        self.messages: list[ChatMessage] = list(messages)
        self.earlier: list[tuple[ChatMessage, ...]] = []
        self.totals = Totals()

    @property
    def tokens(self) -> int:
        """About how many tokens the next request has."""
        fixed = self.overhead + (of_message(ChatMessage("system", self.system)) if self.system else 0)
        return fixed + sum(map(of_message, self.messages))

    def add(self, message: ChatMessage) -> None:
        """The next turn."""
        self.messages.append(message)

    def used(self, usage: Usage) -> None:
        """Count a request."""
        self.totals = self.totals.plus(usage)

    def open_calls(self) -> list[ToolCall]:
        """The calls that no result answers yet, in their order."""
        answered = {message.tool_call_id for message in self.messages if message.role == "tool"}
        calls = (call for message in self.messages for call in message.tool_calls)
        return [call for call in calls if call.id not in answered]

    def sent(self) -> tuple[ChatMessage, ...]:
        """All of it as a request has it: the system text first."""
        return (*([ChatMessage("system", self.system)] if self.system else []), *self.messages)

    def undo(self) -> ChatMessage | None:
        """Forget the newest question and all that followed; that question, None when there is none, or when what
        followed is a summary of more than itself."""
        at = self._last_question()
        if at < 0 or self._summarised(at):
            return None
        question = self.messages[at]
        del self.messages[at:]
        return question

    def clear(self) -> None:
        """Forget every turn; what was used stays counted."""
        self.messages.clear()
        self.earlier.clear()

    def compact(self, summary: str) -> None:
        """Put `summary` in place of everything but the first question."""
        first = self.messages[:1] if self.messages and self.messages[0].role == "user" else []
        self.earlier.append(tuple(self.messages))
        self.messages = [*first, ChatMessage("assistant", f"{SUMMARY}{summary.strip()}")]

    def uncompact(self) -> bool:
        """Put back what the newest summary stands for, where nothing was asked since; whether that was so."""
        if not self._summarised(self._last_question()):
            return False
        self.messages = list(self.earlier.pop())
        return True

    def _summarised(self, question: int) -> bool:
        """Whether the turns since the newest question are a summary, or what was left of one when memory was full."""
        return bool(self.earlier) and question <= 0

    def digest(self) -> str:
        """A summary without a model: every question, and how each was concluded."""
        said: list[str] = []
        for message in self.messages:
            if message.role == "user":
                said.append(f"- asked: {_one_line(split(message.content)[0])}")
            for call in message.tool_calls:
                said.append(f"  - called {call.name}: {_one_line(call.arguments)}")
            if message.role == "assistant" and message.content.strip():
                said.append(f"  - answered: {_one_line(message.content)}")
        return digest("\n".join(said), 4000, 1000, 2000)

    def fit(self, limit: int | None = None) -> str:
        """Shrink to the bound (`limit` instead of the memory's own) where it is over it. What went, in words, "" when
        nothing had to."""
        limit = self.limit if limit is None else limit
        if self.tokens <= limit:
            return ""
        goal = int(limit * LOW)
        results = self._empty_results(goal, self._last_question())
        results += self._empty_results(goal, len(self.messages) - self._newest_step())
        words = self._drop_words(goal)
        shortened = self._shorten(limit)
        parts = [
            f"{results} tool result{'s' * (results != 1)}" if results else "",
            f"{words} turn{'s' * (words != 1)}" if words else "",
            "the end of what is too long" if shortened else "",
        ]
        return ", ".join(filter(None, parts))

    def _last_question(self) -> int:
        places = (at for at in range(len(self.messages) - 1, -1, -1) if self.messages[at].role == "user")
        return next(places, -1)

    def _newest_step(self) -> int:
        """How many messages at the end belong together: the newest one, or the newest calls with their results."""
        count = 0
        for message in reversed(self.messages):
            count += 1
            if message.role != "tool":
                break
        return count

    def _empty_results(self, goal: int, end: int) -> int:
        emptied = 0
        for at in range(max(end, 0)):
            if self.tokens <= goal:
                break
            message = self.messages[at]
            lines = message.content.count("\n") + 1
            stub = f"({lines} line{'s' * (lines != 1)}, left out of memory)"
            if message.role == "tool" and estimate(message.content) > estimate(stub):
                self.messages[at] = replace(message, content=stub)
                emptied += 1
        return emptied

    def _drop_words(self, goal: int) -> int:
        """Drop what follows the first question, oldest first, until `goal` is met; the newest question and the newest
        step stay."""
        dropped = 0
        start = 1 if self.messages and self.messages[0].role == "user" else 0
        while self.tokens > goal:
            marked = start < len(self.messages) and self.messages[start].content == LEFT_OUT
            at = start + marked
            keep = len(self.messages) - self._newest_step()
            question = self._last_question()
            if at == question:  # the oldest that is left is the newest question: its own steps are next
                at = question + 1
            if at >= keep:
                break
            end = at + 1  # of an old turn all goes, of the newest one step
            while end < keep and (
                self.messages[end].role != "user" if at < question else self.messages[end].role == "tool"
            ):
                end += 1
            del self.messages[at:end]
            if not marked:
                self.messages.insert(start, ChatMessage("assistant", LEFT_OUT))
            dropped += 1
        return dropped

    def _shorten(self, limit: int) -> bool:
        """Shorten the longest texts that are left until `limit` is met, or all are short."""
        cut = False
        while (over := self.tokens - limit) > 0:
            at = max(range(len(self.messages)), key=lambda n: len(self.messages[n].content), default=-1)
            if at < 0 or len(self.messages[at].content) <= SMALLEST:
                break
            message = self.messages[at]
            text = message.content
            fewer = max(int(len(text) * (1 - over / max(estimate(text), 1))) - 200, SMALLEST)
            short = digest(text, fewer, fewer // 3, fewer // 2)
            if len(short) >= len(text):
                short = text[: max(fewer, SMALLEST)]
            self.messages[at] = replace(message, content=short)
            cut = True
        return cut


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 200 else f"{line[:199]}…"
