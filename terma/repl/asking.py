"""One question and its answer, wherever it was asked: shown, interrupted and ended in the same way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from terma.chat import PastCommand
from terma.dialogue import Closed, Event
from terma.repl.tty.echo import unechoed
from terma.repl.tty.interrupts import Interrupted, Interrupts


class Shown(Protocol):
    """A View whose drawing can be waited for, and stopped."""

    def show(self, event: Event) -> None: ...
    async def drained(self) -> None: ...
    def stop(self) -> None: ...


class Asked(Protocol):
    """A Conversation, of which this is all that is needed here."""

    async def ask(self, question: str, context: str = "", ran: Sequence[PastCommand] = ()) -> Closed: ...


async def answer(
    conversation: Asked,
    question: str,
    context: str,
    view: Shown,
    interrupts: Interrupts,
    keys: int | None,
    ran: Sequence[PastCommand] = (),
) -> Closed:
    """How it ended. Ctrl+C ends the request, the command or the drawing, whichever is under way; what came stays.

    `ran` is what the person ran by themselves before it. `keys` is the descriptor where a person types, None where
    nobody does. Raises Leaving, TermaError."""

    async def work() -> Closed:
        closed = await conversation.ask(question, context, ran)
        await view.drained()
        return closed

    with unechoed(keys):
        try:
            return await interrupts.run(work())
        except Interrupted:
            return Closed("interrupted")
        finally:
            view.stop()
