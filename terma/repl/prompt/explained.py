"""Alt+E in terma's own prompt, as in the shell: a dim row for each piece of the line below it, until the next key."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import aclosing, suppress

from prompt_toolkit.application import get_app
from prompt_toolkit.filters import Condition, emacs_insert_mode
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

from terma.errors import TermaError
from terma.pieces.rows import Row
from terma.repl.prompt.gesture import Ask

STYLES = {"high": "class:danger", "medium": "class:careful"}


class Explained:
    """`ask` asks the agent; `fields` are those of a request: whose line it is, and where it would run. None: no such
    key."""

    def __init__(self, ask: Ask | None, fields: Callable[[], Mapping[str, str]] | None) -> None:
        self._ask, self._fields = ask, fields
        self._line = ""
        self._cursor = 0
        self._rows: list[Row] = []

    def bind(self, keys: KeyBindings) -> None:
        """In vi's modes Esc and e are two keys of vi's own."""

        @keys.add("escape", "e", filter=emacs_insert_mode & Condition(lambda: self._fields is not None))
        def _(event: KeyPressEvent) -> None:
            event.app.create_background_task(self._tell(event.current_buffer.text))

    def below(self) -> StyleAndTextTuples | None:
        """The rows while the line and the cursor stand as they stood; None when there are none."""
        buffer = get_app().current_buffer
        if not self._rows or (buffer.text, buffer.cursor_position) != (self._line, self._cursor):
            self._rows = []
            return None
        parts: StyleAndTextTuples = []
        for number, row in enumerate(self._rows):
            parts += [("", "\n")] * bool(number)
            parts.append((STYLES.get(row.risk, "class:bottom-toolbar"), row.text))
        return parts

    async def _tell(self, line: str) -> None:
        """The answer counts only for the line that was asked for; where there is none, nothing is shown."""
        if self._ask is None or self._fields is None or not line.strip():
            return
        app = get_app()
        size = app.output.get_size()
        plain = "1" if os.environ.get("NO_COLOR") else "0"
        window = {"columns": str(size.columns), "lines": str(size.rows), "plain": plain, "buffer": line}
        rows: list[Row] = []
        with suppress(TermaError):
            async with aclosing(self._ask("explain", {**self._fields(), **window})) as frames:
                async for frame in frames:
                    if frame[0] == "piece" and len(frame) > 2:
                        rows.append(Row(frame[2], frame[1]))
        buffer = app.current_buffer
        if buffer.text == line:
            self._line, self._cursor, self._rows = line, buffer.cursor_position, rows
            app.invalidate()
