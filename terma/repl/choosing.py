"""A line that may be a command or words for the model: the person says which, with one key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

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


async def choose(find: Callable[[], Terminal | None], likely: str, coloured: bool) -> Choice:
    """Ask. Ctrl+C, Escape, the end of the input and a missing terminal give the line back to be edited."""
    terminal = find()
    if terminal is None:
        return "edit"
    words = "a command or a prompt?  command  prompt  edit"
    if coloured:
        words = f"\x1b[33ma command or a prompt?\x1b[0m  {_letter('command')}  {_letter('prompt')}  {_letter('edit')}"
    try:
        with terminal.raw():
            terminal.write(f"{words}  ")
            while True:
                key = await terminal.key()
                if key == END or key in ("\x03", "\x04", "\x1b"):
                    choice: Choice = "edit"
                    break
                found = _KEYS.get(key.strip().lower())
                if found is not None:
                    choice = found
                    break
            terminal.write("\r\x1b[K")
    finally:
        terminal.close()
    return choice


def _letter(word: str) -> str:
    return f"\x1b[1;4m{word[0]}\x1b[0m{word[1:]}"
