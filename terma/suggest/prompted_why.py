"""A chat model that explains: markdown as it comes, and the fixes through a tool call, or as JSON where it has none."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace

from terma.chat import ChatMessage, ChatModel, Command, Finish, ModelError, TextDelta, ToolCall, ToolSpec
from terma.suggest.code_blocks import codes
from terma.suggest.model_call import Grounds, Helpers, Restore, Task, as_it_is, call, cut_off, smaller
from terma.suggest.prompt import for_why
from terma.types import Delta, Explained, Fix, Note, Output, WhyEvent, WhyQuery

WRITTEN = 3  # fixes that are taken from an answer's text
HEAD, TAIL = 500, 1_200  # characters that are left of an output which a model could not read


async def explain(
    query: WhyQuery, model: ChatModel, task: Task, helpers: Helpers
) -> AsyncGenerator[WhyEvent, None]:
    """Asked once more without tools when the model has none, and with less when it reads little. Raises ModelError.

    What can be known without a model stands in its context; a fix of its own is offered only where that proves it, and
    where the model says nothing, or has no fix that holds, the embedded answer stands."""
    place = await helpers.place(query)
    grounds = await helpers.ground(query) if helpers.ground is not None else None
    if grounds is not None:
        query = replace(query, facts=(*query.facts, *grounds.facts))
    tools: tuple[ToolSpec, ...] = (helpers.protocols.tool,)
    small = False
    while True:
        told = task if tools else replace(task, role=f"{task.role}\n\n{helpers.protocols.instruction}")
        asked = replace(query, output=_shorter(query.output)) if small else query
        messages = for_why(told.role, asked, smaller(place) if small else place)
        try:
            said = False
            async with aclosing(_explained(messages, model, told, helpers, tools)) as events:
                async for event in events:
                    if isinstance(event, Explained) and grounds is not None:
                        if not said:
                            silent = (
                                ""
                                if event.fixes
                                else f"\n\n{task.spec.name} said nothing; this is terma's own."
                            )
                            yield Delta(grounds.text + silent)
                        yield _proved(event, grounds)
                        continue
                    said = said or (isinstance(event, Delta) and bool(event.text.strip()))
                    yield event
            return
        except ModelError as error:
            if error.trouble == "no_tools" and tools:
                tools = ()
            elif error.trouble == "context_length" and not small:
                small = True
            else:
                raise


def _proved(said: Explained, grounds: Grounds) -> Explained:
    """The model's fixes that hold; the embedded ones where none does and they follow from what is known. What its text
    shows stays beside them."""
    held = tuple(fix for fix in said.fixes if grounds.holds(fix.command))
    return Explained(held or (grounds.fixes if grounds.known else ()), said.shown)


async def _explained(
    messages: Sequence[ChatMessage],
    model: ChatModel,
    task: Task,
    helpers: Helpers,
    tools: tuple[ToolSpec, ...],
) -> AsyncGenerator[WhyEvent, None]:
    reader = helpers.protocols.reader()
    restore: Callable[[str], str] = as_it_is
    proposed: list[Command] = []
    cut = said = ""
    async with aclosing(call(model, helpers, task, messages, tools)) as events:
        async for event in events:
            match event:
                case Restore():
                    restore = event.restore
                case TextDelta(text):
                    read = reader.feed(text)
                    proposed += read.commands
                    said += read.prose
                    if read.prose:
                        yield Delta(read.prose)
                case ToolCall():
                    proposed += helpers.protocols.from_call(event)
                case Note():
                    yield event
                case Finish() if not event.whole:
                    cut = f"\n\nThe answer was {cut_off(task.spec, event)}."
    read = reader.close()
    proposed += read.commands
    written = [] if cut else [Command(code, "") for code in codes(said + read.prose)]
    if not proposed:  # some models write what they should propose
        proposed = [one for one in written if "\n" not in one.command][:WRITTEN]
    if read.prose or cut:
        yield Delta(read.prose + cut)
    fixes, shown = (
        tuple(Fix(restore(one.command), 1.0, one.description) for one in commands)
        for commands in (proposed, written)
    )
    yield Explained(fixes, shown)


def _shorter(output: Output) -> Output:
    text = output.text
    return output if len(text) <= HEAD + TAIL else replace(output, text=f"{text[:HEAD]}\n…\n{text[-TAIL:]}")
