"""What the key did before terma: on a line that is a command already it does that again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from prompt_toolkit.keys import Keys


@dataclass(frozen=True, slots=True)
class Displaced:
    """The binding of a pressed key that ours stands before, and that press."""

    binding: Any
    event: Any

    @property
    def name(self) -> str:
        """As prompt_toolkit names its commands (`transpose-chars`); "" for a function without a name."""
        name: str = getattr(self.binding.handler, "__name__", "")
        return name.strip("_").replace("_", "-") if name.isidentifier() else ""

    def press(self) -> None:
        """Do what it does, with its own step for undo."""
        if self.binding.save_before(self.event):
            self.event.current_buffer.save_to_undo_stack()
        self.binding.call(self.event)


def find(event: Any, ours: Sequence[Any]) -> Displaced | None:
    """What `event`'s key would do without the bindings `ours`, None when that is nothing."""
    keys = tuple(press.key for press in event.key_sequence)
    found = [
        each
        for each in event.key_processor._bindings.get_bindings_for_keys(keys)
        if Keys.Any not in each.keys and not any(each is own for own in ours) and each.filter()
    ]
    last = Displaced(found[-1], event) if found else None
    return None if last is None or last.name == "ignore" else last
