"""`terma chat` from its start to its end: the prompt, the loop, and leaving with everything saved and ended."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from prompt_toolkit.completion import Completion

from terma import paths
from terma.errors import TermaError, UsageError
from terma.repl.app import Chat, Parts
from terma.repl.asking import Shown
from terma.repl.display.live import size_of
from terma.repl.jobs.leaving import part
from terma.repl.once import Output, make_view
from terma.repl.prompt.completion import ChatCompleter
from terma.repl.prompt.explained import Explained
from terma.repl.prompt.gesture import Failure, Gesture, Newest
from terma.repl.prompt.history import FileHistory
from terma.repl.prompt.inputrc import editing_mode
from terma.repl.prompt.judging import Judging, surroundings
from terma.repl.prompt.line import Line, history_file
from terma.repl.prompt.shell_names import Names
from terma.repl.prompt.shell_tab import ShellTab
from terma.repl.prompt.slash import parse
from terma.repl.prompt.slash_actions import Actions
from terma.repl.prompt.tab import Ask
from terma.repl.setup.agent import Agent
from terma.repl.setup.assemble import begin_chat
from terma.repl.setup.chat_options import ChatOptions
from terma.repl.setup.chat_session import ChatSession
from terma.repl.setup.context import Beginning, captured, joined
from terma.repl.setup.mentions import mentioned
from terma.repl.setup.tool_environment import assess
from terma.repl.tty.echo import unechoed
from terma.repl.tty.foreground import plain_terminal
from terma.repl.tty.interrupts import Interrupted, Interrupts, Leaving
from terma.routing import forced
from terma.suggest.code_blocks import codes

if TYPE_CHECKING:
    from terma.repl.display.drawing import Drawing


def chat(options: ChatOptions, question: str, context: bool) -> int:
    """Hold a conversation; the exit status. Raises TermaError where it cannot begin."""
    return asyncio.run(_chat(options, question, context))


async def _chat(options: ChatOptions, question: str, context: bool) -> int:
    out, remarks = Output(1), Output(2)
    view, drawing = make_view(out, remarks, False)

    def say(text: str, style: str) -> None:
        """A line for good."""
        rows = drawing().text(text, style, max(size_of(1)[0] - 1, 20))
        out("\r\n".join(rows) + "\r\n")

    with Interrupts() as interrupts, unechoed(0, first=True):
        try:
            chat_session = await interrupts.run(_begun(options, view, drawing, out))
        except Interrupted:
            return 130
        except Leaving as leaving:
            return leaving.status
        greeting = _greeting(chat_session)
        beginning = _beginning(chat_session, options, greeting) if context else None
        learning = asyncio.create_task(chat_session.learn())
        try:
            loop = _loop(chat_session, interrupts, say, beginning, drawing().coloured)
            say(greeting, "dim")
            if question:
                await _first(loop, question, say)
            await loop.run()
        except Leaving as leaving:
            return leaving.status
        finally:
            learning.cancel()
            await asyncio.gather(learning, return_exceptions=True)
            if beginning is not None:
                await beginning.close()
            await chat_session.hand_over()
            await chat_session.close()
        if words := chat_session.farewell():
            say(words, "dim")
    return 0


async def _begun(
    options: ChatOptions, view: Shown, drawing: Callable[[], Drawing], out: Output
) -> ChatSession:
    agent = Agent(inside=options.inside)
    try:
        about = await agent.ask_json("conversation", options.asked())
        return await begin_chat(options, agent, about, view, drawing, out)
    except BaseException as error:
        await agent.close()
        if isinstance(error, TermaError) and error.code == "usage":
            raise UsageError(error.message, error.hint) from error
        raise


def _beginning(chat_session: ChatSession, options: ChatOptions, greeting: str) -> Beginning:
    """The screen as it was: another pane is looked at whole."""
    told = {} if options.another_pane else {"greeting": greeting}
    return Beginning(
        chat_session.agent.ask_json,
        lambda: {**chat_session.fields(), **told},
        options.another_pane,
        lambda: chat_session.model.name,
    )


async def _first(loop: Chat, question: str, say: Callable[[str, str], None]) -> None:
    """The question that came with the command line."""
    try:
        await loop.question(question)
    except Interrupted:
        pass
    except TermaError as error:
        say(error.message, "red")


def _line(chat_session: ChatSession, judge: Judging, names: Names, newest: Callable[[], Newest]) -> Line:
    """The prompt. `newest` gives what the key's gesture is about, the last answer."""
    shell = chat_session.shell
    return Line(
        judge,
        FileHistory(history_file(), chat_session.fields().get("histfile", "")),
        ChatCompleter(lambda: shell.cwd, lambda: os.environ.get("PATH", ""), chat_session.names, names.all),
        chat_session.state,
        lambda: _place(shell.cwd, size_of(1)[0]),
        vi=editing_mode() == "vi",
        press=Gesture(chat_session.agent.ask, chat_session.fields, newest).press,
        tab=_tab(ShellTab(shell, names.kind), chat_session),
        explained=Explained(
            chat_session.agent.ask,
            lambda: {**chat_session.fields(), "cwd": str(shell.cwd), "shell": shell.name},
        ),
        rest=lambda: shell.rest,
    )


def _context(
    chat_session: ChatSession, beginning: Beginning | None, say: Callable[[str, str], None]
) -> Callable[[], Coroutine[Any, Any, str]]:
    """What a question is asked with: the place, where it has changed; with the first one also the last commands of the
    shell outside."""
    told: list[str] = []
    guides: set[str] = set()

    async def seen() -> str:
        if beginning is None:
            return ""
        found = await captured(
            chat_session.agent.ask_json,
            chat_session.fields(),
            "",
            None if told else beginning.shown,
            lambda text: say(text, "dim"),
            guides,
        )
        known, told[:] = found in told, [found]
        return "" if known else found

    return seen


def _loop(
    chat_session: ChatSession,
    interrupts: Interrupts,
    say: Callable[[str, str], None],
    beginning: Beginning | None,
    coloured: bool,
) -> Chat:
    shell = chat_session.shell
    names = Names(shell, dict(os.environ))
    judge = Judging(
        lambda: surroundings(shell.cwd, names), lambda command: assess(command, shell.cwd, shell.name)
    )
    line = _line(chat_session, judge, names, lambda: _newest(chat_session, actions.chat))
    actions = Actions(chat_session, say, interrupts, lambda: size_of(1)[0])

    def named(question: str) -> str:
        """The files that a question names."""
        found = mentioned(question, shell.cwd, chat_session.about["files"])
        for words in found.said:
            say(words, "dim")
        return joined(found.given)

    async def leave() -> bool:
        return await part(shell, lambda text: say(text, "dim"), lambda: coloured, True)

    parts = Parts(
        line=line,
        conversation=chat_session.conversation,
        shell=shell,
        view=chat_session.view,
        interrupts=interrupts,
        say=say,
        slash=actions.table(),
        judge=judge,
        context=_context(chat_session, beginning, say),
        named=named,
        coloured=coloured,
        plain=plain_terminal(),
        names=names,
        leave=leave,
    )
    actions.chat = Chat(parts)
    return actions.chat


def _tab(shell: ShellTab, chat_session: ChatSession) -> Ask:
    """What the shell offers for a line that may be a command; behind /model the server is asked first, once."""
    of: set[str] = set()

    async def offers(before: str) -> list[Completion]:
        slash = parse(before)
        if slash is not None:
            if slash[0] == "model" and " " in before and chat_session.model.name not in of:
                of.add(chat_session.model.name)
                await chat_session.learn(of_server=True)
            return []
        mark, rest = forced(before)
        if mark == "prompt":
            return []
        return await shell.offers(rest if mark else before)

    return offers


def _newest(chat_session: ChatSession, chat: Chat) -> Newest:
    """The code of the last answer where that came after every failure, else the last failure."""
    if isinstance(chat.newest, Failure):
        return Newest(failure=chat.newest)
    return Newest(codes(chat_session.last_answer()))


def _greeting(chat_session: ChatSession) -> str:
    return f"{chat_session.model.name} · commands run, words are answered · /help · Ctrl+D leaves"


def _place(cwd: str, columns: int) -> str:
    """The directory as a prompt shows it: `~/src`, its end where it is long."""
    shown = paths.shown(cwd)
    most = max(columns // 3, 8)
    return shown if len(shown) <= most else "…" + shown[-(most - 1) :]
