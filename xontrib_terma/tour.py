"""The first minute in xonsh: each prompt says what to try and has it on its line; Ctrl+G ends that."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from typing import Any

OVER = "Over. terma try --tour shows it again."
WORDS = "These were words: Ctrl+T before Enter."


class Tour:
    """What is said in front of each prompt, the lines that stand on it, and the program that asks at the end."""

    def __init__(self, session: Any, says: Sequence[str], lines: Sequence[str], end: Sequence[str]) -> None:
        self._session, self._says, self._lines, self._end = session, says, lines, end
        self._at = 0  # steps that were shown
        self._prompter: Any = None
        self.is_over = False

    def create(self, prompter: Any, bindings: Any) -> None:
        """prompt_toolkit is there."""
        from prompt_toolkit.enums import DEFAULT_BUFFER
        from prompt_toolkit.filters import Condition, has_focus

        self._prompter = prompter
        here = has_focus(DEFAULT_BUFFER) & Condition(lambda: not self.is_over)
        bindings.add("c-g", filter=here, eager=True)(lambda event: self._skip(event.current_buffer))

    def step(self) -> None:
        """A new prompt comes: the next thing to try, or the same again where its words were entered."""
        if self._prompter is None:
            self.is_over = True  # an editor without the key
        elif self._at and " " in (line := self._lines[self._at - 1]) and self._has_entered(line):
            self._session.memory.command = ""
            print(WORDS)
            self._fill(line)
        elif self._at == len(self._says):
            self.is_over = True
            subprocess.run(self._end, check=False)
        else:
            self._at += 1
            print(f"\n{self._says[self._at - 1]}")
            self._fill(self._lines[self._at - 1])

    def _has_entered(self, line: str) -> bool:
        return bool(self._session.memory.command.strip() == line)

    def _fill(self, line: str) -> None:
        from prompt_toolkit.document import Document

        buffer = self._prompter.default_buffer
        self._prompter.app.pre_run_callables.append(lambda: buffer.set_document(Document(line, len(line))))

    def _skip(self, buffer: Any) -> None:
        self.is_over = True
        buffer.reset()
        self._session.editor.prompt.state.show(OVER, "")


def begin(says: Sequence[str], lines: Sequence[str], end: Sequence[str]) -> None:
    """Show these steps in this shell, in which terma is loaded; `end` is the command behind the last."""
    import xontrib_terma

    session = xontrib_terma._session
    if session is None:
        return
    tour = Tour(session, says, lines, end)

    def pre_prompt(**_: Any) -> None:
        if not tour.is_over:
            tour.step()

    def ptk_create(prompter: Any = None, bindings: Any = None, **_: Any) -> None:
        tour.create(prompter, bindings)

    session.on("on_pre_prompt", pre_prompt)
    session.on("on_ptk_create", ptk_create)
