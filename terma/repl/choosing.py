"""A line that may be a command or words for the model: the person says which, with one key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from terma.quiet import Quiet
from terma.repl.terminal import END, Terminal

Choice = Literal["command", "prompt", "edit"]
_KEYS: dict[str, Choice] = {
    "c": "command",
    "!": "command",
    "p": "prompt",
    "m": "prompt",
    ">": "prompt",
    "e": "edit",
}


async def choose(
    find: Callable[[], Terminal | None], likely: str, coloured: bool, quiet: Callable[[], Quiet] = Quiet
) -> Choice:
    """Ask, once nobody types any more. Ctrl+C, Escape, the end of the input and a missing terminal give the line back
    to be edited."""
    terminal = find()
    if terminal is None:
        return "edit"
    asked, words = "a command or a prompt?", "command  prompt  edit"
    if coloured:
        asked = f"\x1b[33m{asked}\x1b[0m"
        words = f"{_letter('command')}  {_letter('prompt')}  {_letter('edit')}"
    try:
        with terminal.raw():
            choice: Choice | None = None
            while choice is None:
                terminal.write(f"\r\x1b[K{asked}  ")
                still = quiet()
                stopped = await terminal.settled(still)
                if stopped is None:
                    terminal.write(f"{words}  ")
                key = await terminal.burst(still) if stopped is None else stopped
                gone = key == END or key[:1] in ("\x03", "\x04") or key == "\x1b"
                choice = "edit" if gone else _KEYS.get(key.strip().lower())
            terminal.write("\r\x1b[K")
    finally:
        terminal.close()
    return choice


def _letter(word: str) -> str:
    return f"\x1b[1;4m{word[0]}\x1b[0m{word[1:]}"
