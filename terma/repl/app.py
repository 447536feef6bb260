"""`terma chat`: a prompt that takes commands for the shell and words for the model, until the person leaves."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol

from terma.dialogue import Closed, Ran, Shell
from terma.errors import TermaError
from terma.redact import whole
from terma.repl.asking import Asked, Shown, answer
from terma.repl.display.sentences import ran_words
from terma.repl.prompt.choosing import choose
from terma.repl.prompt.gesture import MAX_OUTPUT, Failure
from terma.repl.prompt.line import Judge, Meant
from terma.repl.prompt.remembered import Remembered
from terma.repl.prompt.slash import known, nearest, parse
from terma.repl.tty.interrupts import GivenUp, Interrupted, Interrupts
from terma.repl.tty.terminal import Terminal
from terma.text import one_line

AGAIN = "Ctrl+C again leaves; so does Ctrl+D"


class Reading(Protocol):
    """Where lines come from: terma.repl.prompt.line.Line."""

    async def ask(self, default: str = "") -> tuple[str, Meant]: ...
    def type_ahead(self, keys: str) -> None: ...


class Learning(Protocol):
    """What the shell knows by name: terma.repl.prompt.shell_names.Names."""

    async def learn(self) -> None: ...
    def may_change(self, command: str) -> bool: ...


Do = Callable[[str], Awaitable[str | None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What the loop is handed. `say` writes a line in a style; `slash` holds what each /command does: it takes the
    argument and returns a line to be edited, or None. `judge` says what a line is when its kind was chosen.
    `leave` settles what still runs: whether one may leave now."""

    line: Reading
    conversation: Asked
    shell: Shell
    view: Shown
    interrupts: Interrupts
    say: Callable[[str, str], None]
    slash: dict[str, Do]
    judge: Judge
    context: Callable[[], Coroutine[Any, Any, str]]
    named: Callable[[str], str]  # the files that a question names, as text
    names: Learning
    leave: Callable[[], Coroutine[Any, Any, bool]]
    coloured: bool = True
    plain: bool = False  # the terminal shows no decision while a line is typed
    find: Callable[[], Terminal | None] = Terminal.find


class Quit(Exception):
    """The person wants to leave."""


@dataclass
class Chat:
    """The loop. `run` returns when the person left; Leaving goes through it."""

    parts: Parts
    last: str = ""  # the newest question
    newest: Failure | Literal["answer"] | None = None  # what Ctrl+T on the empty prompt is about
    _ran: Remembered = field(default_factory=Remembered)
    _learning: asyncio.Task[None] | None = None

    async def run(self, first: str = "") -> None:
        self._learn()
        try:
            await self._lines(first)
        finally:
            if self._learning is not None:
                self._learning.cancel()
                await asyncio.gather(self._learning, return_exceptions=True)

    def _learn(self) -> None:
        """Have the shell tell its names, beside whatever else goes on."""
        self._learning = asyncio.create_task(self.parts.names.learn())

    async def _lines(self, first: str) -> None:
        armed = False
        default = first
        while True:
            try:
                self._give_keys()
                line, meant = await self.parts.interrupts.run(self.parts.line.ask(default))
            except EOFError:
                if await self._leaves():
                    return
                continue
            except GivenUp:
                armed, default = False, ""
                continue
            except Interrupted:
                if armed and await self._leaves():
                    return
                armed, default = True, ""
                self.parts.say(AGAIN, "yellow")
                continue
            armed = False
            try:
                default = await self._act(line, meant) or ""
            except Quit:
                if await self._leaves():
                    return
                default = ""
            except Interrupted:
                default = ""
            except TermaError as error:
                default = ""
                self._failed(error.message, error.hint)

    def _give_keys(self) -> None:
        """What was typed while commands ran is for the prompt that comes now."""
        shell = self.parts.shell
        if keys := getattr(shell, "typed_ahead", ""):
            shell.typed_ahead = ""  # type: ignore[attr-defined]
            self.parts.line.type_ahead(keys)

    async def _leaves(self) -> bool:
        try:
            return await self.parts.interrupts.run(self.parts.leave())
        except Interrupted:
            return False

    async def _act(self, line: str, meant: Meant) -> str | None:
        """Do what the line means; a line to be edited, or None."""
        asks = meant.unsure or (self.parts.plain and meant.kind == "command" and not meant.certain)
        if asks:
            choice = await self.parts.interrupts.run(choose(self.parts.find, meant.kind, self.parts.coloured))
            if choice == "edit":
                return line
            meant = self.parts.judge(line, choice)
        match meant.kind:
            case "command":
                await self._command(meant.text)
            case "prompt":
                await self.question(meant.text)
            case "slash":
                return await self._slash(meant.text)
        return None

    async def _command(self, command: str) -> None:
        """Run it in the shell, at once: it was typed by the person."""
        shell = self.parts.shell
        begun = time.monotonic()
        try:
            ran = await self.parts.interrupts.run(shell.run(command, within=0, if_busy="wait"))
        except Interrupted:
            last: Ran | None = getattr(shell, "last", None)
            ran = last or Ran(command, "", None, "interrupt", seconds=time.monotonic() - begun)
        ran = replace(ran, command=command)
        if ran.status:
            self.newest = Failure(command, ran.status, whole(ran.output, MAX_OUTPUT), ran.seconds)
        elif ran.status == 0 and isinstance(self.newest, Failure):
            self.newest = None
        if words := ran_words(ran):
            self.parts.say(words, "yellow" if ran.status else "dim")
        self._ran.add(ran)
        if self.parts.names.may_change(command) and not ran.status:
            self._learn()

    async def question(self, question: str) -> None:
        """Ask the model, with what the person ran since the last question."""
        self.last = question
        here = await self.parts.interrupts.run(self.parts.context())
        ran = self._ran.take()
        parts = [here, *ran.texts, self.parts.named(question)]
        context = "\n\n".join(filter(None, parts))
        conversation, view, interrupts = self.parts.conversation, self.parts.view, self.parts.interrupts
        closed = await answer(conversation, question, context, view, interrupts, 0, ran.commands)
        self.newest = "answer"
        self._tell(closed)

    def _tell(self, closed: Closed) -> None:
        match closed.reason:
            case "interrupted":
                self.parts.say("interrupted", "yellow")
            case "error" | "steps":
                self._failed(closed.message, closed.hint)

    async def _slash(self, text: str) -> str | None:
        name, argument = parse(text) or ("", "")
        do = self.parts.slash.get(name)
        if do is None or not known(name):
            near = nearest(name)
            hint = f"did you mean /{near}" if near else "/help lists them"
            self._failed(f"there is no /{name}" if name else "/ begins a command", hint)
            return None
        return await do(argument)

    def _failed(self, message: str, hint: str) -> None:
        self.parts.say(one_line(message, 400), "red")
        if hint:
            self.parts.say(f"  {one_line(hint, 400)}", "dim")
