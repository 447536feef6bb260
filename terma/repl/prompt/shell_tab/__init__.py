"""What Tab would offer in the person's own shell, asked of the conversation's shell, which has their completions.

It runs the completion as the shell's own Tab does, unseen, in a copy of the shell: nothing stays of it there.
"""

from __future__ import annotations

import asyncio
import re
import shlex
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from terma.errors import TermaError
from terma.repl.prompt.shell_tab.split import BREAKS, Typed, split
from terma.repl.shell.persistent import PersistentShell
from terma.text import sanitize

if TYPE_CHECKING:
    from prompt_toolkit.completion import Completion

HERE = Path(__file__).parent
SECONDS = 5.0  # for the shell's answer; then Tab offers what terma knows by itself
MARK = "/shell_tab/ask."  # in what is run for it
_LONGEST = 4_000  # code points of a line that is asked about
_SPECIAL = re.compile(r"([\s\\'\"`$&|;<>()*?\[\]{}#!~])")
# The status of what ran before is the status afterwards.
_ASK = {
    "bash": " (_terma_was=$?; . {file} {number} {words}; exit $_terma_was)",
    "zsh": " (_terma_was=$?; . {file} {line}; exit $_terma_was)",
    "fish": " source {file} {line} $status",
}


class ShellTab:
    """`offers` what may stand in place of the word before the cursor."""

    def __init__(self, shell: PersistentShell, kind: str) -> None:
        self._shell = shell
        self._kind = kind

    async def offers(self, before: str) -> list[Completion]:
        """`before` is the command up to the cursor. [] where the shell has nothing, is busy, or takes too long.
        Raises nothing."""
        typed = split(before, BREAKS if self._kind == "bash" else "")
        if self._kind not in _ASK or len(typed.words) < 2 or not typed.words[0] or len(before) > _LONGEST:
            return []  # names of programs are known here
        if not self._shell.there:
            return []
        with suppress(TermaError, OSError, TimeoutError):
            async with asyncio.timeout(SECONDS):
                ran = await self._shell.quietly(self._asking(typed), SECONDS)
            return self._read(ran.output, typed)
        return []

    def _asking(self, typed: Typed) -> str:
        quote = _for_fish if self._kind == "fish" else shlex.quote
        words = " ".join(map(quote, (typed.text, *typed.words)))
        file = quote(str(HERE / f"ask.{self._kind}"))
        return _ASK[self._kind].format(
            file=file, line=quote(typed.text), number=len(typed.words) - 1, words=words
        )

    def _read(self, output: str, typed: Typed) -> list[Completion]:
        from prompt_toolkit.completion import Completion  # one question from a pipe has no use for it

        found = []
        for line in dict.fromkeys(output.splitlines()):
            letter, _, text = line.partition(" ")
            if letter not in ("q", "Q", "r", "R") or not text or sanitize(text) != text:
                continue
            if letter in "qQ":
                folder = self._is_folder(text)
                text = _SPECIAL.sub(r"\\\1", text) + "/" * folder
            elif letter == "r" and self._kind == "zsh":
                text += "/" * self._is_folder(re.sub(r"\\(.)", r"\1", text))
            blank = letter.islower() and not text.endswith(("/", "="))
            found.append(Completion(text + " " * blank, -typed.length, text))
        return found

    def _is_folder(self, text: str) -> bool:
        try:
            return not text.endswith("/") and (Path(self._shell.cwd) / text).expanduser().is_dir()
        except (OSError, RuntimeError):
            return False


def _for_fish(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
