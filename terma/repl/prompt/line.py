"""The line where a person types: what will become of it is shown while they do, and a key changes it."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app, run_in_terminal
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import Completer
from prompt_toolkit.document import Document
from prompt_toolkit.enums import EditingMode
from prompt_toolkit.filters import Condition, has_selection, is_searching
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import History
from prompt_toolkit.input.typeahead import store_typeahead
from prompt_toolkit.input.vt100_parser import Vt100Parser
from prompt_toolkit.key_binding import KeyBindings, KeyPress, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.shortcuts import CompleteStyle
from prompt_toolkit.styles import Style

from terma.quiet import QUIET, Quiet
from terma.repl.display.sentences import risk_words
from terma.repl.prompt.explained import Explained
from terma.repl.prompt.gesture import Put
from terma.repl.prompt.tab import Ask, Tab
from terma.repl.tty.interrupts import GivenUp, Interrupted
from terma.repl.tty.terminal import write_all
from terma.text import sanitize
from terma.types import Risk

FLIP = "c-g"
GESTURE = "c-t"
FIRST = (
    2 * QUIET
)  # seconds behind the first early Enter: a key that is held down comes again later than it goes on
REST = "c-o"
STYLE = Style.from_dict(
    {
        "bottom-toolbar": "noreverse ansibrightblack",
        "rprompt": "noreverse ansibrightblack",
        "command": "ansigreen",
        "prompt": "ansicyan",
        "unsure": "ansiyellow",
        "danger": "ansired bold",
        "careful": "ansiyellow bold",
        "place": "ansiblue",
    }
)


Kind = Literal["command", "prompt", "slash", ""]


@dataclass(frozen=True, slots=True)
class Meant:
    """What a line is taken for. `text` is what runs or is asked, without a mark in front; `certain`: a person decided,
    by a mark or by the key."""

    kind: Kind
    text: str
    unsure: bool = False
    certain: bool = False
    risk: Risk = field(default_factory=Risk)


class Judge(Protocol):
    """Says what a line is; `kind` is what a person wants it to be, "" where they did not say."""

    def __call__(self, line: str, kind: Kind = "") -> Meant: ...


class Line:
    """The prompt. `ask` returns the line and what it was shown as; raises Interrupted for Ctrl+C and EOFError for
    Ctrl+D on an empty line."""

    def __init__(
        self,
        judge: Judge,
        history: History,
        completer: Completer,
        state: Callable[[], str],
        place: Callable[[], str],
        vi: bool = False,
        press: Callable[[str], Awaitable[Put]] | None = None,
        tab: Ask | None = None,
        explained: Explained | None = None,
        rest: Callable[[], bytes] = bytes,
    ) -> None:
        """`rest`: what was not shown of the latest output, which a key shows."""
        self._rest = rest
        self._explained = explained or Explained(None, None)
        self._tab = Tab(tab)
        self._press = press
        self._pressing = False
        self._put = ""
        self._quiet = Quiet()  # since what stands there was put there, or an Enter came too early
        self._remark = ""
        self._judge = judge
        self._state = state
        self._place = place
        self._flipped: Kind = ""
        self._known: tuple[str, str, Meant] = ("", "", Meant("", ""))
        self.session: PromptSession[str] = PromptSession(
            message=self._message,
            rprompt=self._right,
            bottom_toolbar=self._below,
            history=history,
            completer=completer,
            complete_while_typing=False,
            complete_style=CompleteStyle.COLUMN,
            key_bindings=self._keys(),
            editing_mode=EditingMode.VI if vi else EditingMode.EMACS,
            multiline=True,
            prompt_continuation=lambda width, number, wrapped: " " * max(width - 2, 0) + "… ",
            style=STYLE,
            enable_open_in_editor=True,
            reserve_space_for_menu=4,
        )
        self.session.default_buffer.on_text_changed += self._changed
        # a terminal that does not tell its cursor's place is no reason for a lecture
        self.session.app.renderer.cpr_not_supported_callback = None

    async def ask(self, default: str = "") -> tuple[str, Meant]:
        self._flipped = self._remark = ""
        line = await self.session.prompt_async(default=default, handle_sigint=False)
        return line, self.meant(line)

    def type_ahead(self, keys: str) -> None:
        """Have the next `ask` begin with `keys`, as a terminal sends them, behind those that the prompt read itself."""
        pressed: list[KeyPress] = []
        parser = Vt100Parser(pressed.append)
        parser.feed_and_flush(keys)
        store_typeahead(self.session.app.input, pressed)

    def meant(self, line: str) -> Meant:
        """What `line` is, with what the key said."""
        if self._known[:2] != (line, self._flipped):
            self._known = (line, self._flipped, self._judge(line, self._flipped))
        return self._known[2]

    def _typed(self) -> Meant:
        return self.meant(self.session.default_buffer.text)

    def _changed(self, buffer: Buffer) -> None:
        self._remark = ""
        if self._put and buffer.text != self._put:
            self._put = self._flipped = ""  # it was said of what the key had put there
        if not buffer.text.strip():
            self._flipped = ""  # it was about a line that is gone

    def _message(self) -> StyleAndTextTuples:
        meant = self._typed()
        mark = {"command": "$ ", "slash": "/ "}.get(meant.kind, "❯ ")
        style = "class:unsure" if meant.unsure else f"class:{meant.kind or 'prompt'}"
        return [("class:place", f"{self._place()} "), (style, "? " if meant.unsure else mark)]

    def _right(self) -> StyleAndTextTuples:
        meant = self._typed()
        if get_app().is_done:
            return []
        if meant.unsure:
            return [("class:unsure", f"{meant.kind}? Ctrl+G: the other")]
        words = {"command": "runs in the shell", "prompt": "goes to the model"}.get(meant.kind, "")
        return [(f"class:{meant.kind}", words)] if words else []

    def _below(self) -> StyleAndTextTuples:
        if rows := self._explained.below():
            return rows
        meant = self._typed()
        if meant.kind == "command" and meant.risk.level != "low":
            style = "class:danger" if meant.risk.level == "high" else "class:careful"
            mark = "!!" if os.environ.get("NO_COLOR") else "⚠"
            return [(style, f"{mark} {risk_words(meant.risk)}")]
        return [("class:bottom-toolbar", self._remark or self._state())]

    async def _gesture(self, buffer: Buffer, press: Callable[[str], Awaitable[Put]]) -> None:
        """The line becomes what was meant by it, unless it was changed meanwhile. One undo brings it back."""
        before = buffer.text
        try:
            put = await press(before)
        finally:
            self._pressing, self._remark = False, ""
        if buffer.text == before and not get_app().is_done:
            if put.text is not None:
                buffer.save_to_undo_stack()
                self._put = put.text
                self._quiet.seconds, self._quiet.early = QUIET, 0
                self._quiet.drawn()
                buffer.document = Document(put.text)
                self._flipped = "command"
            self._remark = put.remark
        get_app().invalidate()

    def _is_unread(self) -> bool:
        """Whether what the key put on the line stands there for so short a time that no Enter can be meant for it."""
        return bool(self._put) and self.session.default_buffer.text == self._put and self._quiet.left > 0

    def _flip(self) -> None:
        meant = self._typed()
        if meant.kind in ("command", "prompt"):
            self._flipped = "prompt" if meant.kind == "command" else "command"

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()
        self._tab.bind(keys)
        self._explained.bind(keys)

        @keys.add("enter")
        def _(event: KeyPressEvent) -> None:
            event.current_buffer.validate_and_handle()

        unread = Condition(self._is_unread)

        @keys.add("enter", filter=unread, eager=True)
        @keys.add("c-j", filter=unread, eager=True)
        @keys.add("c-o", filter=unread, eager=True)
        def _(event: KeyPressEvent) -> None:
            self._quiet.seconds = QUIET if self._quiet.early else FIRST
            self._quiet.heard()

        @keys.add("escape", "enter")
        def _(event: KeyPressEvent) -> None:
            event.current_buffer.insert_text("\n")

        @keys.add(FLIP, filter=~is_searching & ~has_selection)
        def _(event: KeyPressEvent) -> None:
            self._flip()

        @keys.add(GESTURE)
        def _(event: KeyPressEvent) -> None:
            if self._press is not None and not self._pressing:
                self._pressing, self._remark = True, "looking for it …"
                event.app.create_background_task(self._gesture(event.current_buffer, self._press))

        @keys.add(REST, filter=Condition(lambda: bool(self._rest())))
        def _(event: KeyPressEvent) -> None:
            run_in_terminal(lambda: write_all(1, self._rest()))

        @keys.add("c-c", eager=True)
        @keys.add("<sigint>", eager=True)
        def _(event: KeyPressEvent) -> None:
            typed = event.current_buffer.text.strip()
            event.app.exit(exception=GivenUp() if typed else Interrupted(), style="class:aborting")

        @keys.add(Keys.BracketedPaste)
        def _(event: KeyPressEvent) -> None:
            data = event.data.replace("\r\n", "\n").replace("\r", "\n")
            event.current_buffer.insert_text(sanitize(data + ".")[:-1])

        return keys


def history_file() -> Path:
    """Where the lines are kept."""
    from terma import paths

    return paths.state_dir() / "chat-history"
