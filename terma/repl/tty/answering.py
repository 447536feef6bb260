"""A line from a person while an event loop runs: what `terma.quiet.line` is where everything else may wait."""

from __future__ import annotations

from collections.abc import Callable

from terma import quiet
from terma.repl.tty.terminal import END, Terminal


async def line(
    terminal: Terminal, question: str, prompt: str, still: Callable[[], quiet.Quiet] = quiet.Quiet
) -> str | None:
    """What was typed once `question` could be read; `prompt` appears then. None at the end of the input and where the
    person stopped it. Ctrl+C is a signal as soon as the prompt stands there."""
    terminal.write(f"{question} ")
    with quiet.unseen(terminal.input):
        waiting = still()
        stopped = await terminal.settled(waiting)
    if stopped is not None:
        terminal.write("\n")
        return None
    terminal.write(f"{quiet.EARLY}\n{prompt}" if waiting.early else prompt)
    typed = await terminal.key()
    return None if typed == END else typed
