"""Tab at the conversation's prompt, as shells have it: what can be completed stands there when the next key is read."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from prompt_toolkit.application import get_app
from prompt_toolkit.buffer import Buffer, CompletionState
from prompt_toolkit.completion import CompleteEvent, Completion, get_common_complete_suffix
from prompt_toolkit.filters import Condition, emacs_insert_mode, vi_insert_mode
from prompt_toolkit.key_binding import KeyBindings, KeyPress, KeyPressEvent
from prompt_toolkit.keys import Keys

Ask = Callable[[str], Awaitable[list[Completion]]]


class Tab:
    """`ask` tells what others than the prompt offer behind a line up to the cursor, [] for nothing. Keys wait
    meanwhile: what was typed ahead lands behind the completed word."""

    def __init__(self, ask: Ask | None) -> None:
        self._ask = ask
        self._held: list[KeyPress] | None = None

    def bind(self, keys: KeyBindings) -> None:
        """Add the keys to the prompt's."""

        @keys.add("tab", filter=emacs_insert_mode | vi_insert_mode)
        def _(event: KeyPressEvent) -> None:
            buffer = event.current_buffer
            if buffer.complete_state is not None:
                buffer.complete_next()
            elif self._ask is None:
                complete(buffer)
            else:
                self._held = []
                event.app.create_background_task(self._asked(buffer, self._ask))

        @keys.add(
            Keys.Any,
            filter=Condition(lambda: self._held is not None),
            eager=True,
            save_before=lambda event: False,
        )
        def _(event: KeyPressEvent) -> None:
            assert self._held is not None
            self._held += event.key_sequence

    async def _asked(self, buffer: Buffer, ask: Ask) -> None:
        before, held = buffer.document, self._held
        app = get_app()
        try:
            offers = await ask(before.text_before_cursor)
        finally:
            self._held = None
        if app.is_done or buffer.document != before:
            return
        if offers:
            put(buffer, offers)
        else:
            complete(buffer)
        app.key_processor.feed_multiple(held or [], first=True)
        app.key_processor.process_keys()
        app.invalidate()


def complete(buffer: Buffer) -> None:
    """Insert the one completion, or what all of them begin with; else let the person choose, one Tab a step."""
    event = CompleteEvent(completion_requested=True)
    put(buffer, list(buffer.completer.get_completions(buffer.document, event)))


def put(buffer: Buffer, offers: list[Completion]) -> None:
    """What becomes of the line, `offers` being all that fits it. A blank at the end of one: the word is whole."""
    if len(offers) == 1:
        (only,) = offers
        buffer.delete_before_cursor(-only.start_position)
        there = buffer.document.current_char.isspace()
        buffer.insert_text(only.text.rstrip(" ") if there else only.text)
    elif common := get_common_complete_suffix(buffer.document, offers):
        buffer.insert_text(common.rstrip(" "))
    elif offers:
        buffer.complete_state = CompletionState(buffer.document, offers)
        buffer.on_completions_changed.fire()
