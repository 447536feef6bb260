"""A question that one key answers; first of all whether a line is a command or words for the model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, TypeVar

from terma.quiet import Quiet
from terma.repl.tty.terminal import END, Terminal

T = TypeVar("T")
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
    asked, words = "a command or a prompt?", ("command", "prompt", "edit")
    found = await one_of(find, asked, words, _KEYS, coloured, quiet)
    return found or "edit"


async def one_of(
    find: Callable[[], Terminal | None],
    asked: str,
    words: Sequence[str],
    keys: Mapping[str, T],
    coloured: bool,
    quiet: Callable[[], Quiet] = Quiet,
) -> T | None:
    """What the key stands for that answers `asked`; `words` show the keys by their first letters. None for Ctrl+C,
    Escape, the end of the input and a missing terminal."""
    terminal = find()
    if terminal is None:
        return None
    question = f"\x1b[33m{asked}\x1b[0m" if coloured else asked
    shown = "  ".join(_letter(word) if coloured else word for word in words)
    try:
        with terminal.raw():
            try:
                while True:
                    terminal.write(f"\r\x1b[K{question}  ")
                    still = quiet()
                    stopped = await terminal.settled(still)
                    if stopped is None:
                        terminal.write(f"{shown}  ")
                    key = await terminal.burst(still) if stopped is None else stopped
                    if key == END or key[:1] in ("\x03", "\x04") or key == "\x1b":
                        return None
                    word = key.strip().lower() or key[:1]
                    if word in keys:
                        return keys[word]
            finally:
                terminal.write("\r\x1b[K")
    finally:
        terminal.close()


def _letter(word: str) -> str:
    return f"\x1b[1;4m{word[0]}\x1b[0m{word[1:]}"
