"""What a proposed command would do, without running it: piece by piece, then the model in words."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING

from terma.chat import ChatMessage, TextDelta
from terma.dialogue import Model, Piece, Proposal, Said, Waiting
from terma.errors import TermaError
from terma.pieces import Asked
from terma.pieces import explain as pieces_of
from terma.pieces.rows import rows
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
    proposal: Proposal, terminal: Terminal, model: Model | None, drawing: Drawing, asked: Asked
) -> None:
    """Tell it on the terminal, whose output wants its carriage returns. `model` None: what `asked` tells alone."""
    columns = max(terminal.size[0] - 1, 10)
    found = await asyncio.to_thread(pieces_of, asked)
    for told in rows(found, columns - 2, wrap=True):
        for row in drawing.text(told.text, "dim", 0, "  "):
            terminal.write(row + "\r\n")
    if model is None:
        if not found.pieces:
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
