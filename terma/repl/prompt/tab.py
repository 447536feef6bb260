"""Tab at the conversation's prompt, as shells have it: what can be completed stands there when the next key is read."""

from __future__ import annotations

from prompt_toolkit.buffer import Buffer, CompletionState
from prompt_toolkit.completion import CompleteEvent, Completion, get_common_complete_suffix

_OPEN = ("/", "=", " ")  # a word that ends so goes on, or has its blank


def complete(buffer: Buffer) -> None:
    """Insert the one completion, or what all of them begin with; else let the person choose, one Tab a step.

    It returns when that is done: keys that were typed ahead land behind the completed word."""
    if buffer.complete_state is not None:
        buffer.complete_next()
        return
    event = CompleteEvent(completion_requested=True)
    put(buffer, list(buffer.completer.get_completions(buffer.document, event)))


def put(buffer: Buffer, offers: list[Completion]) -> None:
    """What becomes of the line, `offers` being all that fits it."""
    if len(offers) == 1:
        (only,) = offers
        buffer.delete_before_cursor(-only.start_position)
        done = only.text.endswith(_OPEN) or buffer.document.current_char.isspace()
        buffer.insert_text(only.text if done else only.text + " ")
    elif common := get_common_complete_suffix(buffer.document, offers):
        buffer.insert_text(common)
    elif offers:
        buffer.complete_state = CompletionState(buffer.document, offers)
        buffer.on_completions_changed.fire()
