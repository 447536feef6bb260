"""What each /command of the conversation's prompt does."""

from __future__ import annotations

import base64
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from terma.errors import TermaError
from terma.repl.prompt.slash import help_rows
from terma.repl.prompt.transcript import as_markdown
from terma.suggest.code_blocks import codes
from terma.text import one_line

if TYPE_CHECKING:
    from terma.repl.app import Chat, Do
    from terma.repl.setup.chat_session import ChatSession
    from terma.repl.tty.interrupts import Interrupts

Say = Callable[[str, str], None]

LISTED = 30  # models that are named at a time


class Actions:
    """For one conversation. `say` writes a line in a style; `chat` is set once the loop is there."""

    chat: Chat

    def __init__(
        self, chat_session: ChatSession, say: Say, interrupts: Interrupts, width: Callable[[], int]
    ) -> None:
        self._chat_session = chat_session
        self._say = say
        self._interrupts = interrupts
        self._width = width

    def table(self) -> dict[str, Do]:
        """The actions by the name of their command."""
        return {
            "help": self.help,
            "clear": self.clear,
            "compact": self.compact,
            "undo": self.undo,
            "retry": self.retry,
            "save": self.save,
            "copy": self.copy,
            "cost": self.cost,
            "model": self.model,
            "role": self.role,
            "tools": self.tools,
            "forget": self.forget,
            "quit": self.quit,
        }

    async def help(self, _: str) -> None:
        rows = help_rows()
        wide = max(len(name) for name, _ in rows)
        narrow = self._width() < 60
        for name, about in rows:
            if narrow:
                self._say(name, "bold")
                self._say(f"  {about}", "")
            else:
                self._say(f"{name:<{wide}}  {about}", "")

    async def clear(self, _: str) -> None:
        self._chat_session.memory.clear()
        self._chat_session.save()
        self._say("forgotten: the next question begins anew; the shell is as it was", "dim")

    async def compact(self, _: str) -> None:
        before = self._chat_session.memory.tokens
        summary = await self._interrupts.run(self._chat_session.conversation.summarize())
        if not summary:
            self._say("there is nothing to summarise", "dim")
            return
        for line in summary.splitlines():
            self._say(f"  {line}", "")
        self._say(f"about {before:,} tokens became {self._chat_session.memory.tokens:,}", "dim")

    async def undo(self, _: str) -> str | None:
        """The newest thing that was done, be it a question or a summary."""
        if self._chat_session.conversation.uncompact():
            tokens = self._chat_session.memory.tokens
            self._say(f"the summary is taken back: all is remembered again, about {tokens:,} tokens", "dim")
            return None
        question = self._chat_session.conversation.undo()
        self._say("taken back; edit it, or press Ctrl+C" if question else "there is nothing to undo", "dim")
        return question

    async def retry(self, _: str) -> None:
        conversation = self._chat_session.conversation
        while conversation.uncompact():  # the last question is among what was summarised
            pass
        question = conversation.undo() or self.chat.last
        if not question:
            self._say("there is no question to ask again", "dim")
            return
        await self.chat.question(question)

    async def save(self, argument: str) -> None:
        """Raises TermaError for a file that is there, or cannot be made."""
        name = argument or f"terma-{time.strftime('%Y%m%d-%H%M%S')}.md"
        file = _place(name, self._chat_session.shell.cwd)
        text = as_markdown(self._chat_session.memory.messages, self._chat_session.model.name)
        try:
            _write(file, text)
        except FileExistsError:
            raise TermaError(f"{file} is there already", "/save OTHER-NAME") from None
        except OSError as error:
            raise TermaError(f"{file}: {error.strerror}", "/save OTHER-NAME") from None
        self._say(f"written to {file}, without secrets", "dim")

    async def copy(self, _: str) -> None:
        """By OSC 52, which also works over ssh; whether a terminal heeds it, it does not say."""
        answer = self._chat_session.last_answer()
        if not answer.strip() or self._chat_session.terminal is None:
            self._say("there is no answer to copy", "dim")
            return
        found = codes(answer)
        text = "\n".join(found) if found else answer.strip()
        self._chat_session.terminal.write(clipboard(text, dict(os.environ)))
        what = "the answer's code" if found else "the answer"
        self._say(f"{what} is in the clipboard, where your terminal lets programs write it (OSC 52)", "dim")

    async def cost(self, _: str) -> None:
        used, memory = self._chat_session.memory.totals, self._chat_session.memory
        tokens = f"{used.prompt_tokens:,} tokens asked, {used.completion_tokens:,} answered"
        known = used.requests - used.unpriced
        price = f"${used.cost:.4f}" if known or not used.requests else "price not known"
        if known and used.unpriced:
            price += f", and {used.unpriced} more at a price that is not known"
        requests = "1 request" if used.requests == 1 else f"{used.requests} requests"
        self._say(f"{requests} · {tokens} · {price}", "")
        self._say(f"memory: about {memory.tokens:,} of {memory.limit:,} tokens", "dim")

    async def model(self, argument: str) -> None:
        if argument:
            await self._change(lambda: self._chat_session.fields.model(argument))
        about = self._chat_session.about
        self._say(f"{about['model']}: {about['why']}", "")
        if argument:
            return
        await self._interrupts.run(self._chat_session.learn(of_server=True))
        there = self._chat_session.names("model")
        more = f" and {len(there) - LISTED} more (Tab has them)" if len(there) > LISTED else ""
        self._say(f"there are: {', '.join(there[:LISTED])}{more}, or provider/model", "dim")

    async def role(self, argument: str) -> None:
        if argument:
            await self._change(lambda: self._chat_session.fields.role(argument))
        self._say(f"role: {self._chat_session.about['role']}; terma roles lists them", "")

    async def _change(self, change: Callable[[], None]) -> None:
        """Raises TermaError, and leaves everything as it was, where that cannot be used."""
        before = self._chat_session.fields.kept()
        change()
        try:
            await self._interrupts.run(self._chat_session.refresh())
        except BaseException:
            self._chat_session.fields.restore(before)
            raise

    async def tools(self, _: str) -> None:
        for tool in self._chat_session.conversation.tools:
            kind = "reads" if tool.read_only else "asks"
            self._say(one_line(f"{tool.spec.name} ({kind}): {tool.spec.description}", self._width() - 1), "")

    async def forget(self, _: str) -> None:
        self._chat_session.approver.forget()
        self._say("every command is asked about again", "dim")

    async def quit(self, _: str) -> None:
        from terma.repl.app import Quit

        raise Quit


def clipboard(text: str, environment: Mapping[str, str]) -> str:
    """The sequence that puts `text` into the terminal's clipboard; GNU screen hands it on in pieces of its own."""
    data = base64.b64encode(text.encode("utf-8", "replace")).decode("ascii")
    sequence = f"\x1b]52;c;{data}\x07"
    if environment.get("STY") and not environment.get("TMUX"):
        return "".join(f"\x1bP{sequence[at : at + 250]}\x1b\\" for at in range(0, len(sequence), 250))
    return sequence


def _place(name: str, cwd: str) -> Path:
    return Path(cwd or "/") / os.path.expanduser(name)  # noqa: PTH111 - a name may begin with ~ and be no user's


def _write(file: Path, text: str) -> None:
    """A new file, for its owner alone. Raises OSError."""
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        stream.write(text)
