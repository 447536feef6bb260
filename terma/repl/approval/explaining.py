"""What a proposed command would do, without running it: its programs' own manual pages, then the model in words."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING

from terma.chat import ChatMessage, TextDelta
from terma.dialogue import Model, Piece, Proposal, Said, Waiting
from terma.errors import TermaError
from terma.machine.described import known
from terma.repl.display.live import Live
from terma.repl.display.render import TerminalView
from terma.repl.tty.terminal import Terminal
from terma.text import StreamSanitizer, one_line

if TYPE_CHECKING:
    from terma.repl.display.drawing import Drawing

ASKED = (
    "Explain the command below to the person who is asked to approve it: what each part does, what it changes, what "
    "could go wrong. At most eight short lines of markdown. Nothing is run."
)


async def explain(
    proposal: Proposal, terminal: Terminal, model: Model | None, drawing: Drawing, path: str, cwd: str
) -> None:
    """Tell it on the terminal, whose output wants its carriage returns. `model` None: the pages alone."""
    columns = max(terminal.size[0] - 1, 10)
    facts = await asyncio.to_thread(lambda: list(known(proposal.command, path, cwd)))
    for head, rest in facts:
        for row in drawing.text(f"{head}  {rest}" if rest else head, "dim", columns, "  "):
            terminal.write(row + "\r\n")
    if model is None:
        if not facts:
            terminal.write("  nothing is known of it here\r\n")
        return
    view = TerminalView(Live(terminal.write, lambda: terminal.size))
    view.show(Waiting())
    clean, said = StreamSanitizer(), ""
    shown = proposal.command or f"{proposal.tool} {dict(proposal.arguments)}"
    messages = (ChatMessage("system", ASKED), ChatMessage("user", shown))
    try:
        async with aclosing(model.chat(messages, ())) as events:
            async for event in events:
                if isinstance(event, TextDelta):
                    piece = clean.feed(event.text)
                    said += piece
                    view.show(Piece(piece))
        view.show(Said(said))
        await view.drained()
    except TermaError as error:
        view.stop()
        terminal.write(f"  {one_line(error.message)}\r\n")
    finally:
        view.stop()
