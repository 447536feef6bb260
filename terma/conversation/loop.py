"""The conversation: ask the model, let the person decide on what it wants done, tell it how that went, go on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from terma.chat import ChatMessage, ModelError, PastCommand, ToolSpec
from terma.conversation import words
from terma.conversation.memory import Memory
from terma.conversation.memory_writer import Counting, MemoryWriter, Quiet, Save
from terma.conversation.secrets import Secrets
from terma.conversation.tokens import of_tools
from terma.conversation.tool_calls import Enrich, ToolCalls
from terma.conversation.turn import Request, Turn
from terma.dialogue import Approver, Closed, Model, Noted, Tool, View, World
from terma.errors import TermaError, UsageError
from terma.output import digest
from terma.text import one_line, sanitize

How = Literal["auto", "tools", "json"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """`max_steps`: requests to the model for one question. `mistakes`: calls that no tool could do, and answers
    without anything in them, before the question is given up. `result`: characters of a tool's result that the model
    is told, `context`: of what comes with a question."""

    max_steps: int = 20
    mistakes: int = 4
    result: int = 8_000
    context: int = 24_000


class Conversation:
    """One conversation. `ask` runs one question at a time; between questions `model`, `tools` and `limits` may be
    changed.

    `save` is called when memory has changed. `secrets` are those of the conversation that is gone on with. `protocol`
    says how calls come: as tool calls, as JSON in the text, or (auto) as the model can. `enrich` adds to a proposal
    what its tool does not know: what the machine lacks for it. `begins` is awaited when a question begins."""

    def __init__(
        self,
        model: Model,
        tools: Sequence[Tool],
        approver: Approver,
        view: View,
        world: World,
        memory: Memory,
        limits: Limits | None = None,
        save: Save | None = None,
        *,
        secrets: Secrets | None = None,
        protocol: How = "auto",
        enrich: Enrich | None = None,
        begins: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self.model = model
        self.tools = list(tools)
        self.approver = approver
        self.view = view
        self.world = world
        self.memory = memory
        self.limits = limits or Limits()
        self.protocol = protocol
        self.enrich = enrich
        self.begins = begins
        self.busy = False
        self._writer = MemoryWriter(memory, secrets or Secrets(), view, save, self.limits.result)
        self._turns = 0

    async def ask(self, question: str, context: str = "", ran: Sequence[PastCommand] = ()) -> Closed:
        """Deal with one question; `context` is data that belongs to it, `ran` what the person ran by themselves since
        the last one. How it ended: errors are told, not raised.

        Cancelling it ends the request, or the command; what came stays, every call is answered in memory, the view is
        told, and CancelledError goes on to the caller. Raises UsageError for an empty question, or while another one
        is being answered."""
        if self.busy:
            raise UsageError("one question at a time", "wait for the answer, or press Ctrl+C")
        if not question.strip() and not context.strip():
            raise UsageError("there is no question", "say what you want to know")
        self._writer.settle(words.LOST)  # of a conversation that was saved in the middle of a call
        bound = self.limits.context
        context = self._writer.secrets.hide(context)
        context = digest(context, bound, bound // 4, bound // 2) if len(context) > bound else context
        self._writer.question(words.compose(sanitize(question), sanitize(context)), ran)
        self.busy = True
        closed = Closed("error", "the conversation broke off", "ask again")
        try:
            closed = await self._answer()
        except TermaError as error:
            closed = Closed("error", error.message, error.hint)
        except asyncio.CancelledError:
            closed = Closed("interrupted")
            raise
        finally:
            self.busy = False
            self._writer.settle(words.NOT_RUN_INTERRUPTED)
            self.view.show(closed)
        return closed

    async def summarize(self) -> str:
        """Put a summary by the model in place of the turns, the digest where it gives none. What was put there."""
        if not self.memory.messages:
            return ""
        self._writer.settle(words.LOST)
        asked = [*self.memory.sent(), ChatMessage("user", words.SUMMARIZE)]
        request = self._request(Quiet(self.view, self.memory), tools=False)
        said = ""
        try:
            said = (await request.run(asked)).words.strip()
        except TermaError as error:
            self.view.show(Noted(f"no summary from the model: {one_line(error.message)}"))
        return self._writer.summary(said or self.memory.digest())

    def undo(self) -> str | None:
        """Forget the newest question and all that came of it; that question, None when there is none."""
        message = self.memory.undo()
        self._writer.save()
        return None if message is None else self._writer.secrets.show(words.split(message.content)[0])

    def uncompact(self) -> bool:
        """Take back the newest summary, where nothing was asked since; whether there was one."""
        found = self.memory.uncompact()
        if found:
            self._writer.save()
        return found

    async def _answer(self) -> Closed:
        deciding = ToolCalls(self.tools, self.approver, self.world, self._writer, self.enrich)
        most, empty, nudge = self.limits.mistakes, 0, ""
        if self.begins is not None:
            await self.begins()
        for _ in range(self.limits.max_steps):
            turn = await self._turn(nudge)
            nudge = ""
            if turn.empty:
                empty += 1
                if empty > most // 2:
                    return Closed("error", f"{self.model.name} answers with nothing", "ask in other words")
                nudge = words.CUT_OFF if turn.cut else words.ONLY_THOUGHT if turn.thought else words.EMPTY
                self.view.show(Noted("the answer was empty; asked again"))
                continue
            self._writer.turn(turn)
            if turn.cut or not turn.finish.whole:
                self.view.show(Noted(words.cut_short(turn.finish)))
            if not turn.calls:
                return Closed("answered")
            if (ended := await deciding.all(turn.calls)) is not None:
                return ended
            if deciding.guard.stopped > most // 2:
                return Closed("error", f"{self.model.name} repeats itself", "ask in other words")
            if deciding.wrong > most:
                return Closed("error", f"{self.model.name} calls its tools wrongly", "try another model")
        steps = self.limits.max_steps
        return Closed(
            "steps", f"stopped after {steps} step{'s' * (steps != 1)}", "say: go on; or --max-steps N"
        )

    async def _turn(self, nudge: str) -> Turn:
        """One request, asked again without tools where the model has none, and with less where it reads little."""
        smaller = False
        while True:
            self._fit(smaller)
            request = self._request(Counting(self.view, self.memory))
            try:
                return await request.run(_with(self.memory.sent(), nudge))
            except ModelError as error:
                native = not request.in_text and self.protocol == "auto"
                if error.trouble == "context_length" and not smaller:
                    smaller = True
                elif error.trouble in ("no_tools", "context_length") and native:
                    self.model.calls_tools = False  # the description of tools takes room, too
                else:
                    self._writer.cut(request.turn)
                    raise
            except asyncio.CancelledError:
                self._writer.cut(request.turn)
                raise

    def _request(self, view: View, tools: bool = True) -> Request:
        self._turns += 1
        return Request(
            self.model,
            self._offered() if tools else [],
            self._writer.secrets,
            view,
            number=self._turns,
            taken={call.id for message in self.memory.messages for call in message.tool_calls},
            in_text=self.protocol == "json" or (self.protocol == "auto" and not self.model.calls_tools),
        )

    def _offered(self) -> list[ToolSpec]:
        """The tools that the model is told of now: some have a time when they can be of use."""
        return [tool.spec for tool in self.tools if not hasattr(tool, "offered") or tool.offered(self.world)]

    def _fit(self, smaller: bool) -> None:
        self.memory.overhead = of_tools(self._offered())
        left_out = self.memory.fit(self.memory.tokens // 2 if smaller else None)
        if left_out:
            self.view.show(Noted(f"memory is full; left out: {left_out}"))


def _with(messages: tuple[ChatMessage, ...], nudge: str) -> tuple[ChatMessage, ...]:
    """`messages` with a word from this side that memory does not keep."""
    if not nudge:
        return messages
    last = messages[-1]
    if last.role != "user":
        return (*messages, ChatMessage("user", f"({nudge})"))
    return (*messages[:-1], ChatMessage("user", f"{last.content}\n\n({nudge})"))
