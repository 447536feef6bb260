"""One question from the command line: answered on a terminal, in a pipe or as JSON, with the exit status to match."""

from __future__ import annotations

import asyncio
import errno
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from terma.dialogue import Closed, Noted, Waiting
from terma.errors import TermaError, UsageError
from terma.printing import spelled
from terma.repl.asking import Shown, answer
from terma.repl.display.live import Live, size_of
from terma.repl.jobs.leaving import part
from terma.repl.setup.agent import Agent
from terma.repl.setup.context import Given, captured, joined, seen
from terma.repl.setup.mentions import mentioned
from terma.repl.tty.echo import where_keys_are_seen
from terma.repl.tty.foreground import in_front, plain_terminal
from terma.repl.tty.interrupts import Interrupted, Interrupts, Leaving
from terma.repl.tty.terminal import write_all

if TYPE_CHECKING:
    from terma.repl.display.drawing import Drawing
    from terma.repl.setup.chat_options import ChatOptions
    from terma.repl.setup.chat_session import ChatSession

STATUS = {"answered": 0, "error": 1, "steps": 1, "quit": 130, "interrupted": 130}


@dataclass(frozen=True, slots=True)
class Question:
    """`context`: the place and the last command may be told."""

    words: str
    given: tuple[Given, ...] = ()
    context: bool = True


class Output:
    """Where it is written. `lost` is called when nobody reads any more; what comes then goes nowhere."""

    def __init__(self, handle: int) -> None:
        self._handle = handle
        self.broken: OSError | None = None
        self.lost: Callable[[], None] = lambda: None

    def __call__(self, text: str) -> None:
        if self.broken:
            return
        try:
            write_all(self._handle, text.encode("utf-8", "replace"))
        except OSError as error:
            self.broken = error
            self.lost()


def make_view(
    out: Output, remarks: Output, as_json: bool, begun: bool = False
) -> tuple[Shown, Callable[[], Drawing]]:
    """Who shows it, and who draws what is asked about. `begun`: `early` drew something."""
    if as_json:
        from terma.repl.display.json_lines import JsonView

        return JsonView(lambda text: out(spelled(text))), _drawing
    if os.isatty(1) and in_front(1) and not plain_terminal():
        from terma.repl.display.render import TerminalView

        view = TerminalView(Live(out, lambda: size_of(1), begun))
        return view, lambda: view.drawing
    from terma.repl.display.plain import PlainView

    return PlainView(lambda text: out(spelled(text)), lambda text: remarks(spelled(text))), _drawing


def _drawing() -> Drawing:
    from terma.repl.display.drawing import Drawing

    return Drawing()


def ask(question: Question, options: ChatOptions, as_json: bool, begun: bool = False) -> int:
    """The exit status. Raises TermaError."""
    out, remarks = Output(1), Output(2)
    status = asyncio.run(_ask(question, options, as_json, begun, out, remarks))
    if out.broken and os.isatty(1) is False:
        if out.broken.errno == errno.ENOSPC:
            raise TermaError("the answer could not be written: no space left", "make room and ask again")
        raise BrokenPipeError
    return status


async def _ask(
    question: Question, options: ChatOptions, as_json: bool, begun: bool, out: Output, remarks: Output
) -> int:
    view, drawing = make_view(out, remarks, as_json, begun)
    with Interrupts() as interrupts:
        out.lost = interrupts.press
        try:
            closed = await _answered(question, options, view, drawing, interrupts, remarks)
        except Interrupted:
            closed = Closed("interrupted")
        except Leaving as leaving:
            return leaving.status
        finally:
            view.stop()
    return _conclude(closed, as_json)


async def _answered(
    question: Question,
    options: ChatOptions,
    view: Shown,
    drawing: Callable[[], Drawing],
    interrupts: Interrupts,
    remarks: Output,
) -> Closed:
    if not isinstance(view, _json()):
        view.show(Waiting("looking"))

    async def prepare() -> tuple[ChatSession, str]:
        """What is slow to import is imported while the agent looks."""
        agent, guides = Agent(inside=options.inside), set[str]()
        about = asyncio.create_task(agent.ask_json("conversation", options.asked()))
        looking = asyncio.create_task(_seen(agent, question, options, view, guides))
        try:
            await asyncio.to_thread(_load, hasattr(view, "drawing"))
            from terma.repl.setup.assemble import begin_chat

            chat_session = await begin_chat(options, agent, await about, view, drawing, remarks)
            found = mentioned(question.words, chat_session.shell.cwd, chat_session.about["files"])
            for words in found.said:
                view.show(Noted(words))
            seen = await looking
            said = [turn.content for turn in chat_session.memory.messages]
            for text in guides:  # what is followed up may hold it
                seen = seen.replace(f"{text}\n\n", "") if any(text in one for one in said) else seen
            return chat_session, joined((*question.given, *found.given), seen)
        except BaseException as error:
            for task in (about, looking):
                task.cancel()
            await asyncio.gather(about, looking, return_exceptions=True)
            await agent.close()
            if isinstance(error, TermaError) and error.code == "usage":
                raise UsageError(error.message, error.hint) from error
            raise

    chat_session, context = await interrupts.run(prepare())
    try:
        closed = await answer(
            chat_session.conversation, question.words, context, view, interrupts, where_keys_are_seen()
        )
        await interrupts.run(
            part(
                chat_session.shell,
                lambda text: remarks(spelled(f"{text}\n")),
                lambda: drawing().coloured,
                False,
            )
        )
        return closed
    finally:
        await chat_session.hand_over()
        await chat_session.close()


async def _seen(agent: Agent, question: Question, options: ChatOptions, view: Shown, guides: set[str]) -> str:
    def deep(said: str) -> None:
        if hasattr(view, "drawing"):  # a person looks on
            view.show(Noted(said))

    if not question.context:
        return ""
    last = all(one.name for one in question.given)  # what is piped in is what is asked about
    fields = options.asked()
    screen = partial(seen, agent.ask_json, fields) if last else None
    return await captured(agent.ask_json, fields, question.words, screen, deep, guides)


def _load(draws: bool) -> None:
    import terma.repl.setup.assemble

    if draws:
        import terma.repl.display.drawing  # noqa: F401


def _json() -> type:
    from terma.repl.display.json_lines import JsonView

    return JsonView


def _conclude(closed: Closed, as_json: bool) -> int:
    """What is left to say, and the status."""
    if closed.reason in ("error", "steps") and not as_json:
        raise TermaError(closed.message or "the question was not answered", closed.hint)
    if closed.reason == "interrupted" and sys.stderr.isatty() and not as_json:
        print("interrupted", file=sys.stderr)
    return STATUS[closed.reason]
