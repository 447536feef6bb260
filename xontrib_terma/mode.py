"""What prompt_toolkit's editing mode makes of a line that we draw: where the cursor rests, how a blank is marked."""

from __future__ import annotations

from typing import Any

from prompt_toolkit.enums import EditingMode
from prompt_toolkit.key_binding.vi_state import InputMode


def resting(app: Any, at: int, text: str) -> int:
    """Where a cursor that is set to `at` rests: in vi's command mode on the last character, not behind it."""
    commands = app.editing_mode == EditingMode.VI and app.vi_state.input_mode == InputMode.NAVIGATION
    return at - 1 if commands and at == len(text) > 0 else at


def mark(app: Any, buffer: Any, start: int, length: int) -> None:
    """Select a blank to fill, so that typing replaces it; vi has another way to do that."""
    if app.editing_mode == EditingMode.EMACS:
        buffer.cursor_position = start + length
        buffer.start_selection()
        buffer.selection_state.enter_shift_mode()
        buffer.cursor_position = start
