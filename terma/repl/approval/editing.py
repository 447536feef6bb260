"""A proposed command in the person's own hands: prompt_toolkit with their keys and the commands of before."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress

from terma.repl.prompt.inputrc import editing_mode
from terma.repl.tty.terminal import Terminal
from terma.text import sanitize

_past: list[str] = []  # the commands edited in this process, for the arrow keys


async def edit(terminal: Terminal, command: str) -> str | None:
    """The command as the person left it; None when they gave up (Ctrl+C, Ctrl+D, a terminal that went away)."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.enums import EditingMode
    from prompt_toolkit.history import InMemoryHistory
    from prompt_toolkit.input.vt100 import Vt100Input
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
    from prompt_toolkit.lexers import PygmentsLexer
    from prompt_toolkit.output.vt100 import Vt100_Output

    keys = KeyBindings()

    @keys.add("enter")
    def _(event: KeyPressEvent) -> None:
        event.current_buffer.validate_and_handle()

    @keys.add("escape", "enter")
    def _(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    history = InMemoryHistory([*_past, command] if command not in _past else _past)
    with (
        os.fdopen(os.dup(terminal.input), "r", encoding="utf-8", errors="replace") as stdin,
        os.fdopen(os.dup(terminal.output), "w", encoding="utf-8", errors="replace") as stdout,
    ):
        session: PromptSession[str] = PromptSession(
            "edit: ",
            history=history,
            lexer=PygmentsLexer.from_filename("command.sh"),
            multiline=True,
            key_bindings=keys,
            prompt_continuation="    … ",
            editing_mode=EditingMode.VI if editing_mode() == "vi" else EditingMode.EMACS,
            input=Vt100Input(stdin),
            output=Vt100_Output.from_pty(stdout, term=os.environ.get("TERM", "dumb")),
        )
        session.app.renderer.cpr_not_supported_callback = None
        with suppress(EOFError, KeyboardInterrupt, OSError, asyncio.TimeoutError):
            text = sanitize(await session.prompt_async(default=command, handle_sigint=False))
            if text.strip() and text not in _past:
                _past.append(text)
            return text
    return None
