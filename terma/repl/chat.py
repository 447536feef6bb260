"""`terma chat` from its start to its end: the prompt, the loop, and leaving with everything saved and ended."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from terma.errors import TermaError, UsageError
from terma.repl.actions import Actions
from terma.repl.agent import Agent
from terma.repl.app import Chat, Parts
from terma.repl.asking import Shown
from terma.repl.completion import ChatCompleter
from terma.repl.context import captured
from terma.repl.echo import unechoed
from terma.repl.foreground import plain_terminal
from terma.repl.gesture import Failure, Gesture, Newest
from terma.repl.history import FileHistory
from terma.repl.inputrc import editing_mode
from terma.repl.interrupts import Interrupted, Interrupts, Leaving
from terma.repl.judging import Judging, surroundings
from terma.repl.live import size_of
from terma.repl.names import Names
from terma.repl.once import Output, make_view
from terma.repl.parting import part
from terma.repl.prompt import Line, history_file
from terma.repl.setup import Sitting, sit_down
from terma.repl.wanted import Wanted
from terma.repl.world import assess
from terma.suggest.code_blocks import codes

if TYPE_CHECKING:
    from terma.repl.drawing import Drawing


def chat(wanted: Wanted, question: str, context: bool) -> int:
    """Hold a conversation; the exit status. Raises TermaError where it cannot begin."""
    return asyncio.run(_chat(wanted, question, context))


async def _chat(wanted: Wanted, question: str, context: bool) -> int:
    out, remarks = Output(1), Output(2)
    view, drawing = make_view(out, remarks, False)

    def say(text: str, style: str) -> None:
        """A line for good."""
        rows = drawing().text(text, style, max(size_of(1)[0] - 1, 20))
        out("\r\n".join(rows) + "\r\n")

    with Interrupts() as interrupts:
        try:
            with unechoed(0):
                sitting = await interrupts.run(_begun(wanted, view, drawing, out))
        except Interrupted:
            return 130
        except Leaving as leaving:
            return leaving.status
        learning = asyncio.create_task(sitting.learn())
        try:
            loop = _loop(sitting, interrupts, say, context, drawing().coloured)
            say(_greeting(sitting), "dim")
            if question:
                await _first(loop, question, say)
            await loop.run()
        except Leaving as leaving:
            return leaving.status
        finally:
            learning.cancel()
            await asyncio.gather(learning, return_exceptions=True)
            await sitting.close()
        if words := sitting.farewell():
            say(words, "dim")
    return 0


async def _begun(wanted: Wanted, view: Shown, drawing: Callable[[], Drawing], out: Output) -> Sitting:
    agent = Agent(inside=wanted.inside)
    try:
        about = await agent.ask_json("conversation", wanted.asked())
        return await sit_down(wanted, agent, about, view, drawing, out)
    except BaseException as error:
        await agent.close()
        if isinstance(error, TermaError) and error.code == "usage":
            raise UsageError(error.message, error.hint) from error
        raise


async def _first(loop: Chat, question: str, say: Callable[[str, str], None]) -> None:
    """The question that came with the command line."""
    try:
        await loop.question(question)
    except Interrupted:
        pass
    except TermaError as error:
        say(error.message, "red")


def _loop(
    sitting: Sitting, interrupts: Interrupts, say: Callable[[str, str], None], context: bool, coloured: bool
) -> Chat:
    shell = sitting.shell
    names = Names(shell, dict(os.environ))
    judge = Judging(
        lambda: surroundings(shell.cwd, names), lambda command: assess(command, shell.cwd, shell.name)
    )
    line = Line(
        judge,
        FileHistory(history_file()),
        ChatCompleter(lambda: shell.cwd, lambda: os.environ.get("PATH", ""), sitting.names, names.all),
        sitting.state,
        lambda: _place(shell.cwd, size_of(1)[0]),
        vi=editing_mode() == "vi",
        press=Gesture(sitting.agent.ask, sitting.fields, lambda: _newest(sitting, actions.chat)).press,
    )
    actions = Actions(sitting, say, interrupts, lambda: size_of(1)[0])
    told: list[str] = []

    async def seen() -> str:
        """The place, where it has changed; with the first question also the last command of the shell outside."""
        if not context:
            return ""
        found = await captured(
            sitting.agent.ask_json, sitting.fields(), "", not told, lambda text: say(text, "dim")
        )
        known, told[:] = found in told, [found]
        return "" if known else found

    async def leave() -> bool:
        return await part(shell, lambda text: say(text, "dim"), coloured, True)

    parts = Parts(
        line=line,
        conversation=sitting.conversation,
        shell=shell,
        view=sitting.view,
        interrupts=interrupts,
        say=say,
        slash=actions.table(),
        judge=judge,
        context=seen,
        coloured=coloured,
        plain=plain_terminal(),
        names=names,
        leave=leave,
    )
    actions.chat = Chat(parts)
    return actions.chat


def _newest(sitting: Sitting, chat: Chat) -> Newest:
    """The code of the last answer where that came after every failure, else the last failure."""
    if isinstance(chat.newest, Failure):
        return Newest(failure=chat.newest)
    return Newest(codes(sitting.last_answer()))


def _greeting(sitting: Sitting) -> str:
    return f"{sitting.model.name} · commands run, words are answered · /help · Ctrl+D leaves"


def _place(cwd: str, columns: int) -> str:
    """The directory as a prompt shows it: `~/src`, its end where it is long."""
    home = str(Path.home())
    shown = cwd
    if cwd == home or cwd.startswith(home + "/"):
        shown = "~" + cwd[len(home) :]
    most = max(columns // 3, 8)
    return shown if len(shown) <= most else "…" + shown[-(most - 1) :]
